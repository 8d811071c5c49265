/* fuzz/amber/amber_pipeline.h -- compute pipelines of a script of Amber: the shader, what is bound to it, its constants. */
#pragma once

#include "base/testcase.h"
#include "fuzz/amber/amber_buffer.h"
#include "fuzz/amber/amber_shader.h"

enum {
    AMBER_MAX_PIPELINES = 64,
    AMBER_MAX_BINDINGS = 32
};
enum amber_place {
    AMBER_AT_BINDING, /* of that descriptor set */
    AMBER_AT_PUSH,    /* the push constants */
    AMBER_AT_NUMBER,  /* OpenCL: the argument of that number */
    AMBER_AT_NAME     /* of that name */
};
struct amber_binding {
    enum amber_place place;
    uint32_t set, number;
    const char *name;
    uint32_t buffer; /* AMBER_MAX_BUFFERS: it is a value */
    uint32_t offset; /* of its bytes in the buffer */
    const unsigned char *bytes;
    uint32_t n_bytes;
    bool may_be_written;
};
struct amber_pipeline {
    const char *name;
    uint32_t shader; /* AMBER_MAX_SHADERS: none is attached */
    const char *entry;
    const char *options; /* of OpenCL's compiler; "" */
    uint32_t n_bindings, n_specs;
    struct amber_binding bindings[AMBER_MAX_BINDINGS];
    struct {
        uint32_t id;
        const char *value;
    } specs[CASE_MAX_SPECS];
    uint32_t subgroup_size; /* required; 0: none */
    bool has_full_subgroups;
};
struct amber_pipelines {
    uint32_t n;
    struct amber_pipeline row[AMBER_MAX_PIPELINES];
};

/* The number of the pipeline of that name; AMBER_MAX_PIPELINES: there is none. */
uint32_t amber_pipeline_find(const struct amber_pipelines *all, const char *name);
/* Reads a pipeline, from PIPELINE or DERIVE_PIPELINE to its END, and adds it. Shaders and buffers that it names are read already.
 * RES_FORMAT: the line, and what is wrong or not known. */
MUST_USE enum res amber_pipeline_read(struct amber_lines *l, const struct amber_shaders *shaders,
                                      const struct amber_buffers *buffers,
                                      struct amber_pipelines *all);
