/* reports/bug/bug_order.c -- operations on one location that no order explains, without the oracle that found them.
 * Each operation found one value and left another. In one order, every value is found as often as it is left, but
 * that the initial value is there without an operation and the final one is left over. host.c.in counts the same. */
#include "reports/bug/bug_order.h"

#include <inttypes.h>
#include <string.h>

#include "base/testcase.h"

enum {
    MAX_NAMED = 8 /* work-items in a sentence */
};

static uint64_t cut(const struct expect_order *o, uint64_t v)
{
    return o->n_bytes < 8 ? v & ((UINT64_C(1) << 8 * o->n_bytes) - 1) : v;
}

/* The number that the bits are to a signed operation. */
static int64_t extend(const struct expect_order *o, uint64_t v)
{
    unsigned const n = 64 - 8U * o->n_bytes;
    return (int64_t)(v << n) >> n;
}

/* What the operation leaves at the location where it found that value. `found` and the result have the size of the
 * location; operands may have more bits and are cut or sign-extended. */
static uint64_t get_left(const struct expect_order *o, const struct expect_step *s, uint64_t found)
{
    uint64_t const v = s->operand;
    switch (s->op) {
    case RMW_LOAD:
        return found;
    case RMW_EXCHANGE:
        return cut(o, v);
    case RMW_COMPARE_EXCHANGE:
        return cut(o, found) == cut(o, s->comparator) ? cut(o, v) : found;
    case RMW_ADD:
        return cut(o, found + v);
    case RMW_SUB:
        return cut(o, found - v);
    case RMW_SMIN:
        return extend(o, found) < extend(o, v) ? found : cut(o, v);
    case RMW_SMAX:
        return extend(o, found) > extend(o, v) ? found : cut(o, v);
    case RMW_UMIN:
        return found < cut(o, v) ? found : cut(o, v);
    case RMW_UMAX:
        return found > cut(o, v) ? found : cut(o, v);
    case RMW_AND:
        return found & cut(o, v);
    case RMW_OR:
        return found | cut(o, v);
    case RMW_XOR:
        return found ^ cut(o, v);
    }
    return found;
}

/* ---- the two facts ---- */

/* Operations, what each found and left. */
struct walk {
    uint32_t n;
    uint64_t *found, *left;
    bool knows_final;
    uint64_t initial, final;
};

static bool read_walk(const struct expect_order *o, const struct testcase *tc,
                      const struct observation *ob, struct arena *a, struct walk *w)
{
    *w = (struct walk){.n = o->n,
                       .found = ARENA_NEW(a, uint64_t, o->n),
                       .left = ARENA_NEW(a, uint64_t, o->n),
                       .knows_final = o->knows_final != 0,
                       .initial = cut(o, o->initial)};
    if (!w->found || !w->left ||
        (o->knows_final && !observation_get_word(ob, tc, o->buf, o->byte, o->n_bytes, &w->final))) {
        return false;
    }
    for (uint32_t i = 0; i < o->n; i++) {
        if (!observation_get_word(ob, tc, o->step[i].buf, o->step[i].byte, o->n_bytes,
                                  &w->found[i])) {
            return false;
        }
        w->left[i] = get_left(o, &o->step[i], w->found[i]);
    }
    return true;
}

struct count {
    uint32_t n_found, n_left;
};

static struct count count_value(const struct walk *w, uint64_t v)
{
    struct count c = {0};
    for (uint32_t i = 0; i < w->n; i++) {
        c.n_found += w->found[i] == v;
        c.n_left += w->left[i] == v;
    }
    return c;
}

/* "by work-items 3, 7 and 2 more": those whose value of `of` is v. */
static const char *name_items(const struct expect_order *o, const uint64_t *of, uint64_t v,
                              struct arena *a)
{
    const char *all = "";
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->n; i++) {
        if (of[i] == v && n++ < MAX_NAMED) {
            all = arena_printf(a, "%s%s%" PRIu32, all, all[0] ? ", " : "", o->step[i].invocation);
        }
    }
    const char *const more =
        n > MAX_NAMED ? arena_printf(a, " and %" PRIu32 " more", n - MAX_NAMED) : "";
    return n == 0 ? "" : arena_printf(a, " (work-item%s %s%s)", n > 1 ? "s" : "", all, more);
}

static const char *say_times(uint32_t n, struct arena *a)
{
    return n == 0   ? "no operation"
           : n == 1 ? "one operation"
                    : arena_printf(a, "%" PRIu32 " operations", n);
}

/* The sentences about a value that was found more often than it was there, or less often; "" where it was not. */
static const char *describe_value(const struct expect_order *o, const struct walk *w, uint64_t v,
                                  struct arena *a)
{
    struct count const c = count_value(w, v);
    uint32_t const n_there = c.n_left + (v == w->initial);
    uint32_t const n_over = w->knows_final && v == w->final;
    const char *const value = arena_printf(a, "0x%0*" PRIx64, 2 * o->n_bytes, v);
    const char *const start = v == w->initial ? ", and it is the initial value" : "";
    const char *const end = n_over ? ", and it is the final value" : "";
    if (c.n_found + n_over > n_there) {
        return arena_printf(a, "%s found the value %s%s%s. But %s left it there%s%s.",
                            say_times(c.n_found, a), value, name_items(o, w->found, v, a), end,
                            say_times(c.n_left, a), name_items(o, w->left, v, a), start);
    }
    bool const is_left_over = w->knows_final && c.n_found + n_over < n_there;
    return is_left_over
               ? arena_printf(a, "%s left the value %s%s%s. But %s found it%s%s.",
                              say_times(c.n_left, a), value, name_items(o, w->left, v, a), start,
                              say_times(c.n_found, a), name_items(o, w->found, v, a),
                              n_over ? end : ", and it is not the final value")
               : "";
}

uint64_t bug_get_left(const struct expect_order *o, uint32_t i, uint64_t found)
{
    return get_left(o, &o->step[i], found);
}

const char *bug_describe_order(const struct expect_order *o, const struct testcase *tc,
                               const struct observation *ob, struct arena *a, uint64_t *value)
{
    struct walk w;
    if (!read_walk(o, tc, ob, a, &w)) {
        return "";
    }
    for (uint32_t i = 0; i < 2 * w.n + 2; i++) { /* what may be out of balance */
        uint64_t const v = i < w.n        ? w.found[i]
                           : i < 2 * w.n  ? w.left[i - w.n]
                           : i == 2 * w.n ? w.initial
                                          : w.final;
        const char *const text = i > 2 * w.n && !w.knows_final ? "" : describe_value(o, &w, v, a);
        if (text[0]) {
            if (value) {
                *value = v;
            }
            return text;
        }
    }
    return "";
}

/* Additions and subtractions commute with each other, other operations with their own kind. A load changes nothing. */
static enum rmw_op get_commuting(enum rmw_op op)
{
    switch (op) {
    case RMW_SUB:
        return RMW_ADD;
    case RMW_EXCHANGE:
    case RMW_COMPARE_EXCHANGE:
        return RMW_EXCHANGE;
    case RMW_LOAD:
    case RMW_ADD:
    case RMW_SMIN:
    case RMW_UMIN:
    case RMW_SMAX:
    case RMW_UMAX:
    case RMW_AND:
    case RMW_OR:
    case RMW_XOR:
        return op;
    }
    return op;
}

bool bug_find_final(const struct expect_order *o, uint64_t *final)
{
    enum rmw_op kind = RMW_LOAD;
    *final = cut(o, o->initial);
    for (uint32_t i = 0; i < o->n; i++) {
        enum rmw_op const own = get_commuting(o->step[i].op);
        if (own == RMW_EXCHANGE || (own != RMW_LOAD && kind != RMW_LOAD && own != kind)) {
            return false;
        }
        kind = own == RMW_LOAD ? kind : own;
        *final = get_left(o, &o->step[i], *final);
    }
    return true;
}

/* ---- for the program ---- */

/* rmw_names has the enumerators of the text as names. Buffer and byte are 0 where the location is not seen after the
 * run. */
void bug_put_order(const struct expect_order *o, FILE *f)
{
    (void)fprintf(f,
                  "\n/* The location: its size, its initial value, and where it is, if it is seen "
                  "after the run. */\n"
                  "enum { LOCATION_BYTES = %u, FINAL_IS_SEEN = %d, LOCATION_BUFFER = %" PRIu32
                  ", LOCATION_BYTE = %" PRIu32 " };\n"
                  "static const uint64_t initial = UINT64_C(0x%" PRIx64 ");\n\n"
                  "/* The operations on it: whose, and where what it found is stored. */\n"
                  "enum operation { LOAD, EXCHANGE, COMPARE_EXCHANGE, ADD, SUB, SMIN, UMIN, SMAX, "
                  "UMAX, AND, OR, XOR };\n"
                  "static const struct step {\n"
                  "    enum operation operation;\n"
                  "    unsigned item, buffer, byte;\n"
                  "    uint64_t operand, comparator;\n"
                  "} steps[] = {\n",
                  o->n_bytes, o->knows_final, o->knows_final ? o->buf : 0,
                  o->knows_final ? o->byte : 0, cut(o, o->initial));
    for (uint32_t i = 0; i < o->n; i++) {
        const struct expect_step *const s = &o->step[i];
        (void)fprintf(f,
                      "    {%s, %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", UINT64_C(0x%" PRIx64
                      "), UINT64_C(0x%" PRIx64 ")},\n",
                      rmw_names[s->op], s->invocation, s->buf, s->byte, cut(o, s->operand),
                      s->op == RMW_COMPARE_EXCHANGE ? cut(o, s->comparator) : 0);
    }
    (void)fprintf(f, "};\n");
}
