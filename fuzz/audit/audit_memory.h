/* fuzz/audit/audit_memory.h -- memory that processes share. */
#pragma once

#include <stddef.h>

/* A file in memory, inherited by workers under its number; -1 when there is none. */
int audit_open_memory(void);
/* Make it at least n_bytes long and map that. It never shrinks: a worker may still have the stream
 * before. NULL: errno. */
unsigned char *audit_map_memory(int fd, size_t n_bytes);
/* Zeroed memory for this process and those that it forks. NULL: errno. */
void *audit_take_memory(size_t n_bytes);
void audit_unmap_memory(void *p, size_t n_bytes);
