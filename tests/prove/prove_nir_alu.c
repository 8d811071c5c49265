/* tests/prove/prove_nir_alu.c -- each operation of oracle/nir_text/nir_op.def gives what the constant folder of Mesa gives, on
 * 100,000 operands for each width and each mode of float controls that it knows. prove_nir_alu FOLDER: the library is
 * $HALFULP_TINYMESA, or that of scripts/tinymesa.sh. FOLDER/nir_alu.tsv has a line for each; those that are missing are
 * added, so that a run resumes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "oracle/nir_text/nir_op.h"
#include "tests/prove/mesa_folder.h"

enum {
    ALU_SEED = 20261127,
    N_OPERANDS = 100000,
    N_LANES = 250, /* operands at a time: lanes are numbered in a byte */
    MAX_ARGS = 4,
    MAX_SHOWN = 4, /* differences of a line that are printed */
    MAX_LINES = 8192
};

/* Values of float_controls_execution_mode. Those behind the first five give the formats different modes: for operations that
 * have two formats. */
static const uint32_t all_modes[] = {0,    0x1c7, 0x38,  0xe00, 0xe38, 0x8,  0x10,
                                     0x20, 0x200, 0x400, 0x800, 0x410, 0x208};
enum {
    N_MODES_OF_ONE = 5
};

/* One operation at given widths. */
struct job {
    enum nir_op op;
    unsigned reference; /* Mesa's operation */
    unsigned n_bits, m_bits, folder_bits;
    unsigned in_bits[MAX_ARGS];
    unsigned n_in;
    bool is_float_in[MAX_ARGS], is_float_out;
    uint32_t controls;
};
struct sample {
    const struct job *job;
    uint64_t args[MAX_ARGS];
    uint64_t ours, folder;
};

/* What ours gives for one sample in other modes. */
static uint64_t ours_in(const struct sample *s, uint32_t controls)
{
    struct nir_modes const modes = nir_modes_of(controls);
    uint8_t const lane = 0;
    uint64_t out = 0;
    struct nir_alu const x = {
        .modes = &modes,
        .n_bits = s->job->n_bits,
        .m_bits = s->job->m_bits,
        .s = {&s->args[0], &s->args[1], &s->args[2], &s->args[3]},
        .out = &out,
        .lanes = &lane,
        .n_lanes = 1
    };
    nir_op_rows[s->job->op].run(&x);
    return out;
}

#include "tests/prove/nir_alu_reason.h"

/* Does the width fit what Mesa says of an operand? *folder_bits is the width of those that Mesa leaves open. */
static bool fits(uint8_t type, unsigned n_bits, unsigned *folder_bits)
{
    unsigned const fixed = type & MESA_WIDTH;
    if (fixed) {
        return fixed == n_bits;
    }
    bool const is_right = (type & MESA_BASE) == MESA_FLOAT  ? nir_is_float_width(n_bits)
                          : (type & MESA_BASE) == MESA_BOOL ? n_bits <= 32
                                                            : true;
    bool const is_same = *folder_bits == 0 || *folder_bits == n_bits;
    *folder_bits = n_bits;
    return is_right && is_same;
}

/* The width that a letter of a signature stands for; 0: any. */
static unsigned width_of(char letter, unsigned n, unsigned m)
{
    switch (letter) {
    case 'b':
        return 1;
    case '8':
        return 8;
    case '1':
        return 16;
    case '3':
        return 32;
    case '6':
        return 64;
    case 'n':
    case 'f':
        return n;
    case 'g':
    case 'm':
    case 't':
        return m;
    default:
        return 0;
    }
}

/* The job of these widths; false: the operation does not have them. */
static bool make_job(const struct mesa_op *ref, unsigned n, unsigned m, struct job *j)
{
    const char *const signature = nir_op_rows[j->op].signature;
    bool const has_n = strpbrk(signature, "nf") != NULL, has_m = strpbrk(signature, "mgt") != NULL;
    bool const is_float = strpbrk(signature, "fg") != NULL;
    j->folder_bits = 0;
    if (strchr(signature, 't') && m != 1 && m != 32) {
        return false;
    }
    if ((!has_n && n != 1) || (!has_m && m != 1) || ref->n_inputs != nir_op_rows[j->op].n_sources ||
        (is_float && has_n && signature[0] == 'f' && !nir_is_float_width(n))) {
        return false;
    }
    unsigned const out = width_of(signature[0], n, m);
    j->n_bits = out ? out : ref->out_type & MESA_WIDTH;
    if (!fits(ref->out_type, j->n_bits, &j->folder_bits)) {
        return false;
    }
    j->is_float_out = (ref->out_type & MESA_BASE) == MESA_FLOAT;
    j->n_in = ref->n_inputs;
    for (unsigned i = 0; i < j->n_in; i++) {
        unsigned const type = ref->in_type[i];
        unsigned const asked = width_of(signature[2 + i], n, m);
        unsigned const fixed = type & MESA_WIDTH;
        j->in_bits[i] = asked ? asked : fixed ? fixed : j->folder_bits;
        j->is_float_in[i] = (type & MESA_BASE) == MESA_FLOAT;
        if (!fits((uint8_t)type, j->in_bits[i], &j->folder_bits)) {
            return false;
        }
    }
    j->m_bits = j->in_bits[0];
    j->folder_bits = j->folder_bits ? j->folder_bits : 32;
    return true;
}

static uint64_t draw_int(struct rng *rng, unsigned n_bits)
{
    uint64_t const any = rng_next(rng), mask = nir_mask(n_bits);
    uint64_t const least = UINT64_C(1) << (n_bits - 1);
    uint64_t const edges[] = {0, 1, 2, UINT64_MAX, UINT64_MAX - 1, least, least - 1, least + 1};
    uint64_t const power = UINT64_C(1) << any % n_bits;
    switch (rng_below(rng, 8)) {
    case 0:
        return edges[any % ARRAY_N(edges)] & mask;
    case 1: /* numbers of bits, and beyond */
        return any % (2U * n_bits + 2) & mask;
    case 2:
        return (power - 1 + rng_below(rng, 3)) & mask;
    case 3:
        return (0 - power - 1 + rng_below(rng, 3)) & mask;
    case 4: /* few bits */
        return (any & mask) >> rng_below(rng, n_bits);
    default:
        return any & mask;
    }
}

static uint64_t draw_float(struct rng *rng, unsigned n_bits, uint64_t other)
{
    const struct float_format *const f = &float_formats[format_of_bits(n_bits)];
    uint64_t const any = rng_next(rng) & format_mask(f), sign = any & f->sign;
    uint64_t const unit = f->frac + 1, one = format_one(f);
    uint64_t const edges[] = {0,
                              f->exp,
                              f->exp | f->quiet,
                              f->exp | 1,
                              f->exp - 1,
                              unit,
                              f->frac,
                              1,
                              one,
                              one + 1,
                              one - 1,
                              one - unit,
                              one + unit,
                              one + unit * (f->prec_bits - 1)};
    switch (rng_below(rng, 8)) {
    case 0:
        return sign | edges[rng_below(rng, ARRAY_N(edges))];
    case 1: /* subnormal */
        return (any & (f->sign | f->frac)) >> rng_below(rng, 2);
    case 2: /* beside the other operand, or against it */
        return ((other ^ sign) + rng_below(rng, 5) - 2) & format_mask(f);
    case 3: /* a few exponents about that of 1, and few digits */
        return sign | ((one - 4 * unit + rng_below(rng, 8) * unit) |
                       (any & f->frac & ~(f->frac >> rng_below(rng, f->prec_bits))));
    case 4:
    case 5: /* a few exponents about that of 1, all digits; up to those of integers */
        return sign | (any & f->frac) |
               (one - 4 * unit + rng_below(rng, 8 + f->prec_bits % 53) * unit);
    default:
        return any;
    }
}

static void draw(struct rng *rng, const struct job *j, uint64_t *args)
{
    for (unsigned i = 0; i < j->n_in; i++) {
        uint64_t const other = i ? args[i - 1] : 0;
        unsigned const n_bits = j->in_bits[i];
        bool const is_same = rng_below(rng, 16) == 0 && i && j->in_bits[i - 1] == n_bits;
        args[i] = is_same             ? other
                  : j->is_float_in[i] ? draw_float(rng, n_bits, other)
                                      : draw_int(rng, n_bits);
    }
}

struct count {
    uint32_t n, n_nan, n_explained, n_differing;
    const char *reason;
};

static void compare(const struct mesa_folder *m, const struct sample *s, struct count *c)
{
    const struct job *const j = s->job;
    const struct float_format *const f = &float_formats[format_of_bits(j->n_bits)];
    c->n++;
    if (s->ours == s->folder) {
        return;
    }
    if (j->is_float_out && format_is_nan(f, s->ours) && format_is_nan(f, s->folder)) {
        c->n_nan++;
        return;
    }
    const char *const reason = find_reason(s);
    if (reason) {
        c->n_explained++;
        c->reason = reason;
        return;
    }
    if (c->n_differing++ < MAX_SHOWN) {
        printf("%s %u of %u, controls 0x%x:", m->ops[j->reference].name, j->n_bits, j->m_bits,
               j->controls);
        for (unsigned i = 0; i < j->n_in; i++) {
            printf(" 0x%" PRIx64, s->args[i]);
        }
        printf(": 0x%" PRIx64 ", Mesa 0x%" PRIx64 "\n", s->ours, s->folder);
    }
}

static uint64_t fold(const struct mesa_folder *m, const struct job *j, const uint64_t *args)
{
    union mesa_value in[MAX_ARGS], out = {.bits = 0};
    union mesa_value *pointers[MAX_ARGS];
    for (unsigned i = 0; i < j->n_in; i++) {
        in[i].bits = args[i];
        pointers[i] = &in[i];
    }
    m->eval(j->reference, &out, 1, j->folder_bits, pointers, j->controls << m->shift);
    return out.bits & nir_mask(j->n_bits);
}

static struct count run_job(const struct mesa_folder *m, const struct job *j)
{
    struct count c = {.n = 0};
    struct nir_modes const modes = nir_modes_of(j->controls);
    struct rng rng = rng_seed(ALU_SEED + (uint64_t)j->n_bits * 65 + j->m_bits);
    uint64_t args[MAX_ARGS][N_LANES] = {{0}}, out[N_LANES];
    uint8_t lanes[N_LANES];
    for (unsigned i = 0; i < N_LANES; i++) {
        lanes[i] = (uint8_t)i;
    }
    while (c.n < N_OPERANDS) {
        struct nir_alu const x = {
            .modes = &modes,
            .n_bits = j->n_bits,
            .m_bits = j->m_bits,
            .s = {args[0], args[j->n_in > 1 ? 1 : 0], args[j->n_in > 2 ? 2 : 0],
                  args[j->n_in > 3 ? 3 : 0]},
            .out = out,
            .lanes = lanes,
            .n_lanes = N_LANES
        };
        struct sample s[N_LANES];
        for (unsigned i = 0; i < N_LANES; i++) {
            s[i] = (struct sample){.job = j};
            do {
                draw(&rng, j, s[i].args);
            } while (!is_in_domain(&s[i]));
            for (unsigned k = 0; k < j->n_in; k++) {
                args[k][i] = s[i].args[k];
            }
        }
        nir_op_rows[j->op].run(&x);
        for (unsigned i = 0; i < N_LANES; i++) {
            s[i].ours = out[i];
            s[i].folder = fold(m, j, s[i].args);
            compare(m, &s[i], &c);
        }
    }
    return c;
}

/* The lines that the file has; the first four columns are the key. */
struct lines {
    FILE *f;
    char keys[MAX_LINES][80];
    unsigned n;
    unsigned n_differing, n_made;
};
static bool has_line(const struct lines *l, const char *key)
{
    for (unsigned i = 0; i < l->n; i++) {
        if (strcmp(l->keys[i], key) == 0) {
            return true;
        }
    }
    return false;
}
static void read_lines(struct lines *l)
{
    char line[512], name[48], n[8], m[8], mode[8];
    unsigned n_differing = 0;
    while (l->n < MAX_LINES && fgets(line, sizeof line, l->f)) {
        if (sscanf(line, "%47[^\t]\t%7[^\t]\t%7[^\t]\t%7[^\t]\t%*u\t%u", name, n, m, mode,
                   &n_differing) != 5) {
            continue; /* the header */
        }
        (void)snprintf(l->keys[l->n++], sizeof l->keys[0], "%s\t%s\t%s\t%s", name, n, m, mode);
        l->n_differing += n_differing;
    }
}
static void put_line(struct lines *l, const char *key, const struct count *c, const char *note)
{
    (void)fprintf(l->f, "%s\t%u\t%u\t%u\t%u\t%s\n", key, c->n, c->n_differing, c->n_explained,
                  c->n_nan, note ? note : "");
    (void)fflush(l->f);
    l->n_differing += c->n_differing;
    l->n_made++;
}

static bool has_floats(const struct job *j)
{
    bool is_float = j->is_float_out;
    for (unsigned i = 0; i < j->n_in; i++) {
        is_float = is_float || j->is_float_in[i];
    }
    return is_float;
}

static void prove_widths(const struct mesa_folder *m, struct job j, struct lines *l)
{
    bool const is_of_two = j.is_float_out && j.is_float_in[0] && j.n_bits != j.m_bits;
    unsigned const n_modes = !has_floats(&j) ? 1
                             : is_of_two || j.op == NIR_OP_fquantize2f16
                                 ? (unsigned)ARRAY_N(all_modes)
                                 : N_MODES_OF_ONE;
    for (unsigned i = 0; i < n_modes; i++) {
        char key[80];
        j.controls = all_modes[i];
        (void)snprintf(key, sizeof key, "%s\t%u\t%u\t0x%x", nir_op_rows[j.op].name, j.n_bits,
                       j.m_bits, j.controls);
        if (!has_line(l, key)) {
            struct count const c = run_job(m, &j);
            put_line(l, key, &c, c.reason);
        }
    }
}

#include "tests/prove/nir_alu_shapes.h"

static void prove_op(const struct mesa_folder *m, enum nir_op op, struct lines *l)
{
    static const unsigned widths[] = {1, 8, 16, 32, 64};
    const struct nir_op_row *const row = &nir_op_rows[op];
    struct count const none = {.n = 0};
    char key[80];
    int const reference = mesa_find(m, find_reference(row->name));
    if (reference < 0 || row->shape == NIR_SUM) {
        (void)snprintf(key, sizeof key, "%s\t-\t-\t-", row->name);
        if (!has_line(l, key)) {
            put_line(l, key, &none,
                     reference < 0 ? "this Mesa has no such operation: by hand, test_nir_op.c"
                                   : "the order is the driver's: nir_lavapipe");
        }
        return;
    }
    if (row->shape != NIR_EACH) {
        prove_shape(m, op, (unsigned)reference, l);
        return;
    }
    for (unsigned i = 0; i < ARRAY_N(widths); i++) {
        for (unsigned k = 0; k < ARRAY_N(widths); k++) {
            struct job j = {.op = op, .reference = (unsigned)reference};
            if (make_job(&m->ops[reference], widths[i], widths[k], &j) && has_widths(&j)) {
                prove_widths(m, j, l);
            }
        }
    }
}

int main(int argc, char **argv)
{
    static struct lines l;
    char path[512];
    struct mesa_folder m;
    const char *const library = getenv("HALFULP_TINYMESA");
    if (argc != 2) {
        (void)fprintf(stderr, "usage: prove_nir_alu FOLDER\n");
        return 2;
    }
    if (!mesa_open(&m, library ? library : "build/tinymesa/tinymesa/libtinymesa.so")) {
        (void)fprintf(stderr, "prove: scripts/tinymesa.sh gets Mesa's constant folder\n");
        return 3;
    }
    (void)snprintf(path, sizeof path, "%s/nir_alu.tsv", argv[1]);
    l.f = fopen(path, "a+");
    if (!l.f) {
        (void)fprintf(stderr, "prove: cannot write %s\n", path);
        return 3;
    }
    rewind(l.f);
    read_lines(&l);
    if (l.n == 0) {
        (void)fprintf(l.f, "operation\tbits\tof\tfloat controls\toperands\tdiffer\texplained\tNaN "
                           "bits alone\twhy\n");
    }
    for (int op = 0; op < NIR_OP_N; op++) {
        prove_op(&m, (enum nir_op)op, &l);
    }
    printf("%u lines, %u of them new; %u operands differ for no known reason\n", l.n + l.n_made,
           l.n_made, l.n_differing);
    return fclose(l.f) == 0 && l.n_differing == 0 ? 0 : 1;
}
