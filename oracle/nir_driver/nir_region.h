/* oracle/nir_driver/nir_region.h -- the memory of buffers, sets and tables: which addresses it has, and what is at an address. Each
 * region has a range of its own, so that an address alone says which one is meant. */
#pragma once

#include "oracle/nir_driver/nir_abi.h"

/* The upper half of the addresses of sets and of push constants. */
#define NIR_REGION_HIGH UINT64_C(0xffff8000)

/* Copies the buffers of abi->tc, with memory for the address of those that are reached by it, and takes memory for each set that
 * a buffer is in. False: the answer says which kind of buffer is not known, or that the arena is full. */
bool nir_region_make(struct nir_abi *abi, struct arena *a, struct nir_answer *answer);
/* Takes n bytes for abi->root. */
bool nir_region_make_root(struct nir_abi *abi, uint32_t n, struct arena *a,
                          struct nir_answer *answer);
/* The region that has n bytes at an address, or that begins there. NULL: none. */
const struct nir_region *nir_region_find(const struct nir_abi *abi, uint64_t address, uint32_t n);
const struct nir_region *nir_region_find_start(const struct nir_abi *abi, uint64_t address);
/* The memory that the descriptor of a buffer names: of one that is reached by its address what holds this. */
const struct nir_region *nir_region_get_described(const struct nir_abi *abi, uint32_t buffer);
