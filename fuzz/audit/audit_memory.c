/* fuzz/audit/audit_memory.c -- memory that the audit's processes share. */
#define _GNU_SOURCE /* memfd_create, seals: /dev/shm is often too small, where there is one */
#include "fuzz/audit/audit_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int audit_open_memory(void)
{
    int const fd = memfd_create("halfulp-audit", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    /* It grows as rows need it, and never shrinks: a worker that could make it smaller would end those
     * that have it mapped. */
    if (fd >= 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

unsigned char *audit_map_memory(int fd, size_t n_bytes)
{
    struct stat s;
    if (fstat(fd, &s) != 0 || (s.st_size < (off_t)n_bytes && ftruncate(fd, (off_t)n_bytes) != 0)) {
        return NULL;
    }
    void *const p = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return p == MAP_FAILED ? NULL : p;
}

void *audit_take_memory(size_t n_bytes)
{
    void *const p = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void audit_unmap_memory(void *p, size_t n_bytes)
{
    if (p) {
        (void)munmap(p, n_bytes);
    }
}
