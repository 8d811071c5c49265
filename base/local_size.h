/* base/local_size.h -- the size of a work-group as a module states it. */
#pragma once

#include "base/testcase.h"

enum local_size_form {
    LOCAL_SIZE_UNSTATED, /* OpenCL: the dispatch alone says it */
    LOCAL_SIZE_LITERAL,  /* mode LocalSize */
    LOCAL_SIZE_IDS,      /* mode LocalSizeId */
    LOCAL_SIZE_BUILTIN /* Vulkan: a constant that is decorated WorkgroupSize, whatever a mode says */
};
struct local_size {
    enum local_size_form form;
    bool is_known;       /* else it is computed of constants, or the words are broken */
    uint32_t size[3];    /* with the case's values of specialization constants */
    uint32_t spec_id[3]; /* SpecId of each; LOCAL_SIZE_FIXED: it is none */
};
#define LOCAL_SIZE_FIXED UINT32_MAX

/*
 * What the module of a case states; size and spec_id are meaningful if is_known.
 * Clause: SPIR-V, execution modes LocalSize and LocalSizeId; Vulkan, chapter Shaders, compute shaders: the decoration goes
 * before the modes.
 */
struct local_size local_size_find(const struct testcase *tc);
/* Is the case run in work-groups of the size that its module states, if it does? false too where that is not known. */
bool local_size_is_right(const struct testcase *tc);
