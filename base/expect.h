/* base/expect.h -- what one word of a buffer may hold after a run: a finding without its oracle. */
#pragma once

#include <stdint.h>

enum {
    EXPECT_MAX_RANGES = 8
};
enum expect_flags {
    EXPECT_FLOAT = 1, /* of format `fmt`; else an integer */
    EXPECT_QNAN = 2,  /* every quiet NaN is permitted */
    EXPECT_SNAN = 4   /* every signalling NaN is permitted */
};

/* Bytes [byte, byte + n_bytes) of buffer `buf`, little-endian, 1, 2, 4 or 8 of them. An encoding is
 * permitted if its key lies in a range: of a float that is no NaN its place in the order of the line
 * (base/format.h: format_to_key; -0 is just below +0), of an integer the number itself. */
struct expect {
    uint32_t buf, byte;
    uint8_t n_bytes, flags, fmt, n;
    struct expect_range {
        int64_t lo, hi;
    } r[EXPECT_MAX_RANGES];
};

/* What an operation on a location leaves there, of what it found and its operand. */
enum rmw_op {
    RMW_LOAD,
    RMW_EXCHANGE,
    RMW_COMPARE_EXCHANGE,
    RMW_ADD,
    RMW_SUB,
    RMW_SMIN,
    RMW_UMIN,
    RMW_SMAX,
    RMW_UMAX,
    RMW_AND,
    RMW_OR,
    RMW_XOR
};
enum {
    RMW_N = 12
};
extern const char
    *const rmw_names[RMW_N]; /* "LOAD", ...: in journals and in the program of a bug's folder */
/* One of the operations on a location: what it found there is stored at `byte` of buffer `buf`. */
struct expect_step {
    enum rmw_op op;
    uint32_t invocation, buf, byte;
    uint64_t operand, comparator;
};
/* The operations on a location of n_bytes, all of them, each of which takes one value and leaves another: in one
 * order they lead from the initial value to the final one, if that is seen. */
struct expect_order {
    uint8_t n_bytes, knows_final;
    uint32_t buf, byte; /* of the location */
    uint64_t initial;
    uint32_t n;
    const struct expect_step *step;
};

/* Where an invocation leaves its ids: a word of four bytes each, at byte[i] of buffer buf[i]. */
enum expect_id_column {
    EXPECT_ID_GROUP, /* SubgroupId */
    EXPECT_ID_LOCAL, /* SubgroupLocalInvocationId */
    EXPECT_ID_SIZE   /* SubgroupSize */
};
enum {
    EXPECT_ID_COLUMNS = 3
};
struct expect_id {
    uint32_t invocation, buf[EXPECT_ID_COLUMNS], byte[EXPECT_ID_COLUMNS];
};
/* The invocations of a work-group. In each sub-group, of one SubgroupId, sizes are the same, and local ids differ and
 * are below it. */
struct expect_ids {
    uint32_t required; /* the size is that; in OpenCL at most. 0: left open */
    uint8_t
        is_cl; /* the size is the number of members, and the greatest but in the last sub-group */
    uint32_t n;
    const struct expect_id *id;
};
