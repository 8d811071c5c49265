/* oracle/nir_driver/nir_arguments.c -- what instructions do with the arguments, and which reading of them fits. */
#include "oracle/nir_driver/nir_arguments.h"

#include <string.h>

#include "oracle/nir_driver/nir_layout.h"
#include "oracle/nir_driver/nir_push.h"
#include "oracle/nir_driver/nir_region.h"
#include "oracle/nir_text/nir_intrinsic.h"
#include "oracle/nir_text/nir_op.h"

/* What a program does with memory behind a pointer argument. */
enum use_kind {
    USE_BYTES, /* reads four bytes */
    USE_READ,  /* reads by the descriptor of a buffer there */
    USE_WRITE, /* writes by it */
    USE_TEXELS /* accesses texels by it */
};
/* What a value is. */
enum form {
    FORM_OTHER,
    FORM_ARGUMENT,
    FORM_ADDRESS, /* whose lower half is an argument */
    FORM_LOADED   /* what is `offset` bytes behind that address; UINT32_MAX: anywhere */
};
struct origin {
    enum form form;
    uint32_t argument, offset;
};
/* An argument that some instruction loads. */
struct loaded {
    bool is_loaded;
    bool is_vector;       /* by load_vector_arg_amd */
    bool is_pointer;      /* is it the lower half of an address? */
    bool has_descriptors; /* are any of what is behind that address? */
    uint32_t other_sets;  /* a bit for each set whose descriptors are not what is used behind it */
    uint64_t
        words; /* bit N: bytes 4N to 4N + 3 behind that address are loaded at an offset that is constant */
    uint32_t n_components;
    int64_t bound, n_zeros; /* its arg_upper_bound_u32_amd and arg_num_lsb_zero; 0: none is given */
};
struct search {
    const struct testcase *tc;
    const struct nir_program *p;
    struct arena *a;
    struct nir_answer *answer;
    struct loaded loaded[NIR_MAX_ARGUMENTS];
    struct origin *origins; /* by value */
    uint32_t declared;      /* sets of which a buffer is declared */
    bool has_zeros;         /* does the text say n_zeros of pointers to sets? */
    bool has_group_ids;
    struct nir_push push;
};

/* Can the buffer whose descriptor is at that offset of a set be used so? */
static bool fits_use(const struct search *s, uint32_t set, enum use_kind kind, uint32_t offset)
{
    if (kind == USE_BYTES) {
        return offset + 4 <= nir_layout_bytes(s->tc, set);
    }
    uint32_t const buffer = nir_layout_find(s->tc, set, offset);
    if (buffer == CASE_MAX_BUFS) {
        return false;
    }
    enum buf_kind const bound = s->tc->bufs[buffer].kind;
    bool const has_texels = buf_has_texels(bound);
    uint32_t const bit = UINT32_C(1) << buffer;
    bool const is_read = (s->p->header.write_only & bit) == 0;
    bool const is_written = (s->p->header.read_only & bit) == 0 && !buf_is_constant(bound);
    switch (kind) {
    case USE_TEXELS:
        return has_texels;
    case USE_READ:
        return !has_texels && is_read;
    case USE_WRITE:
        return !has_texels && is_written;
    case USE_BYTES:
        break;
    }
    return false;
}

/* Component c of what was loaded is used: that says which sets it is not of. */
static void see_use(struct search *s, enum use_kind kind, const struct origin *of, uint32_t c)
{
    if (of->form != FORM_LOADED || of->offset == UINT32_MAX) {
        return;
    }
    struct loaded *const l = &s->loaded[of->argument];
    l->has_descriptors = l->has_descriptors || kind != USE_BYTES;
    for (uint32_t set = 0; set < CASE_MAX_SETS; set++) {
        if (!fits_use(s, set, kind, of->offset + 4 * c)) {
            l->other_sets |= UINT32_C(1) << set;
        }
    }
}

/* The only value of a source that is a constant; false: it is none. */
static bool get_constant(const struct nir_program *p, const struct nir_source *s, uint64_t *out)
{
    const struct nir_value *const v = &p->values[s->value];
    *out = v->is_constant ? p->constants[v->offset + nir_source_component(s, 0)] : 0;
    return v->is_constant;
}

static bool see_argument(struct search *s, const struct nir_instruction *in)
{
    int64_t const number = in->index[NIR_INDEX_base];
    if (number < 0 || number >= NIR_MAX_ARGUMENTS) {
        return nir_stop(s->answer, NIR_BROKEN, in->line, "a shader has no such argument");
    }
    struct loaded *const l = &s->loaded[number];
    bool const is_vector = in->row == NIR_INTRINSIC_load_vector_arg_amd;
    uint32_t const n_components = s->p->values[in->value].n_components;
    if (l->is_loaded && (l->is_vector != is_vector || l->n_components != n_components)) {
        return nir_stop(s->answer, NIR_BROKEN, in->line, "an argument has two types");
    }
    l->is_loaded = true;
    l->is_vector = is_vector;
    l->n_components = n_components;
    l->bound = in->index[NIR_INDEX_arg_upper_bound_u32_amd];
    l->n_zeros = in->index[NIR_INDEX_arg_num_lsb_zero];
    s->has_zeros = s->has_zeros || l->n_zeros != 0;
    s->origins[in->value] = (struct origin){FORM_ARGUMENT, (uint32_t)number, 0};
    return true;
}

/* Marks the words of what a pointer argument points to that are loaded from a constant offset on. */
static void see_words(struct search *s, uint32_t argument, uint64_t offset,
                      const struct nir_value *v)
{
    uint64_t const end = offset + (uint64_t)v->n_components * v->n_bits / 8;
    for (uint64_t word = offset / 4; word < 64 && 4 * word < end; word++) {
        s->loaded[argument].words |= UINT64_C(1) << word;
    }
}

/* Components that were loaded one behind the other and are put together, or moved, are still that. */
static bool see_vector(struct search *s, const struct nir_instruction *in)
{
    const struct nir_source *const sources = &s->p->sources[in->first];
    bool const is_move = in->row == NIR_OP_mov;
    uint32_t const n = s->p->values[in->value].n_components;
    struct origin first = {FORM_OTHER, 0, 0};
    for (uint32_t c = 0; c < n; c++) {
        const struct nir_source *const source = &sources[is_move ? 0 : c];
        struct origin const from = s->origins[source->value];
        uint32_t const offset = from.offset + 4 * nir_source_component(source, is_move ? c : 0);
        if (from.form != FORM_LOADED || from.offset == UINT32_MAX ||
            (c && (from.argument != first.argument || offset != first.offset + 4 * c))) {
            return false;
        }
        if (c == 0) {
            first = (struct origin){FORM_LOADED, from.argument, offset};
        }
    }
    s->origins[in->value] = first;
    return true;
}

/* What an intrinsic does by a descriptor, and which operand that is; USE_BYTES: it takes none. */
static enum use_kind find_descriptor(uint16_t row, uint32_t *operand)
{
    const struct nir_intrinsic_row *const r = &nir_intrinsic_rows[row];
    *operand = r->run == NIR_RUN_store ? 1 : 0;
    if (r->run == NIR_RUN_image) {
        return USE_TEXELS;
    }
    bool const is_access =
        r->run == NIR_RUN_load || r->run == NIR_RUN_store || r->run == NIR_RUN_atomic;
    if (!is_access || r->form != NIR_SPACE_STORAGE) {
        return USE_BYTES;
    }
    return r->run == NIR_RUN_load ? USE_READ : USE_WRITE;
}

/* An instruction reads n components of an operand from the first on. */
static void see_operand(struct search *s, const struct nir_source *source, uint32_t n)
{
    struct origin const from = s->origins[source->value];
    for (uint32_t c = 0; c < n; c++) {
        see_use(s, USE_BYTES, &from, nir_source_component(source, c));
    }
}

static bool see_call(struct search *s, const struct nir_instruction *in)
{
    const struct nir_source *const sources = &s->p->sources[in->first];
    uint64_t offset = 0;
    uint32_t operand = 0;
    enum use_kind const kind = find_descriptor(in->row, &operand);
    if (in->row == NIR_INTRINSIC_load_scalar_arg_amd ||
        in->row == NIR_INTRINSIC_load_vector_arg_amd) {
        return see_argument(s, in);
    }
    bool const is_load =
        in->row == NIR_INTRINSIC_load_global_amd || in->row == NIR_INTRINSIC_load_smem_amd;
    struct origin const address =
        in->n_sources ? s->origins[sources[0].value] : (struct origin){FORM_OTHER, 0, 0};
    if (is_load && address.form == FORM_ADDRESS) {
        bool const is_known = get_constant(s->p, &sources[1], &offset);
        offset += (uint64_t)in->index[NIR_INDEX_base];
        if (is_known) {
            see_words(s, address.argument, offset, &s->p->values[in->value]);
        }
        s->origins[in->value] =
            (struct origin){FORM_LOADED, address.argument,
                            is_known && offset < UINT16_MAX ? (uint32_t)offset : UINT32_MAX};
        return true;
    }
    for (uint32_t i = 0; i < in->n_sources; i++) {
        const struct origin *const from = &s->origins[sources[i].value];
        bool const is_descriptor = kind != USE_BYTES && i == operand;
        uint32_t const n =
            sources[i].n ? sources[i].n : s->p->values[sources[i].value].n_components;
        if (is_descriptor) {
            see_use(s, kind, from, nir_source_component(&sources[i], 0));
        } else {
            see_operand(s, &sources[i], n);
        }
    }
    return true;
}

static bool see_alu(struct search *s, const struct nir_instruction *in)
{
    const struct nir_op_row *const row = &nir_op_rows[in->row];
    const struct nir_source *const sources = &s->p->sources[in->first];
    struct origin const from = s->origins[sources[0].value];
    uint64_t high = 0;
    bool const is_vector = row->shape == NIR_VECTOR || in->row == NIR_OP_mov;
    if (in->row == NIR_OP_pack_64_2x32_split && from.form == FORM_ARGUMENT &&
        get_constant(s->p, &sources[1], &high) && high == NIR_REGION_HIGH) {
        s->loaded[from.argument].is_pointer = true;
        s->origins[in->value] = (struct origin){FORM_ADDRESS, from.argument, 0};
        return true;
    }
    if (is_vector && see_vector(s, in)) {
        return true;
    }
    for (uint32_t i = 0; i < in->n_sources; i++) {
        bool const is_each = row->shape == NIR_EACH;
        uint32_t const n = is_each        ? s->p->values[in->value].n_components
                           : sources[i].n ? sources[i].n
                                          : 1;
        see_operand(s, &sources[i], n);
    }
    return true;
}

static bool see_program(struct search *s)
{
    const struct nir_program *const p = s->p;
    for (uint32_t i = 0; i < p->n_instructions; i++) {
        const struct nir_instruction *const in = &p->instructions[i];
        bool const is_seen = in->kind == NIR_ALU    ? see_alu(s, in)
                             : in->kind == NIR_CALL ? see_call(s, in)
                                                    : true;
        if (!is_seen) {
            return false;
        }
    }
    return true;
}

/* One reading of the arguments. */
struct reading {
    struct nir_argument arguments[NIR_MAX_ARGUMENTS];
    uint32_t n;
    bool has_words;   /* are the module's whole words at constant offsets among its loads? */
    uint32_t penalty; /* the higher, the less likely */
};
static void put(struct reading *r, enum nir_argument_kind kind, uint32_t number)
{
    if (r->n < NIR_MAX_ARGUMENTS) {
        r->arguments[r->n++] = (struct nir_argument){kind, number};
    }
}

/* Which loads of push constants are left of the module's: those whose result turns out not to matter are gone before RADV
 * chooses its arguments. */
enum rest {
    REST_ALL,
    REST_WORDS,  /* of whole words at constant offsets, all of them */
    REST_OTHERS, /* the others */
    REST_NONE
};
enum {
    N_RESTS = 4
};
/* What is chosen of a reading. */
struct choice {
    uint32_t first; /* arguments before the pointers: 0 or 1 */
    uint32_t sets;  /* a bit for each that has a pointer */
    enum rest rest;
    uint32_t reserved; /* arguments that RADV keeps for others: 0 or 2 */
    bool has_count, is_count_pointer;
    uint32_t ids; /* a bit for each component of the work-group's id */
};

/* The push constants as RADV hands them over: if all loads are of whole words at constant offsets and these are few
 * enough, as arguments; else by a pointer, and the first eight such words as arguments, too (radv_shader_args.c). */
static void put_push(const struct search *s, const struct choice *c, struct reading *r)
{
    enum {
        USER_ARGUMENTS = 16, /* of a compute shader */
        MAX_WITH_POINTER = 8
    };
    uint64_t const words = c->rest == REST_OTHERS ? 0 : s->push.words;
    bool const has_others = c->rest != REST_WORDS && s->push.has_others;
    uint32_t const n_words = (uint32_t)__builtin_popcountll(words);
    r->has_words = words != 0;
    uint32_t const n_count = !c->has_count ? 0 : c->is_count_pointer ? 2 : 3;
    uint32_t const n_taken = c->reserved + n_count + 1 + (uint32_t)__builtin_popcount(c->sets);
    uint32_t const n_left = n_taken < USER_ARGUMENTS ? USER_ARGUMENTS - n_taken : 0;
    bool const is_inline = !has_others && n_words <= n_left + 1;
    uint32_t const most = n_left < MAX_WITH_POINTER ? n_left : MAX_WITH_POINTER;
    uint32_t n = is_inline || n_words < most ? n_words : most;
    if (!is_inline) {
        put(r, NIR_ARGUMENT_PUSH, 0);
    }
    for (uint32_t word = 0; word < 64 && n; word++) {
        if (words >> word & 1) {
            put(r, NIR_ARGUMENT_WORD, word);
            n--;
        }
    }
}

/* Is component c of the work-group's id the same in all work-groups? */
static bool is_single(const struct testcase *tc, uint32_t c)
{
    return tc->global[c] == tc->local[c];
}

static void make_reading(const struct search *s, const struct choice *c, struct reading *r)
{
    enum { /* each is more than all that come behind it */
        OF_PUSH = 32,
        OF_SET = 8,
        OF_FIRST = 4,
        OF_ID = 1
    };
    /* Each program stores something, so that it loads one of the pointers. */
    *r = (struct reading){.penalty = c->first == 0 && !s->loaded[0].is_loaded ? OF_FIRST : 0};
    for (uint32_t i = 0; i < c->first; i++) {
        put(r, NIR_ARGUMENT_NONE, 0);
    }
    for (uint32_t set = 0; set < CASE_MAX_SETS; set++) {
        if (c->sets >> set & 1) {
            put(r, NIR_ARGUMENT_SET, set);
        } else if (s->declared >> set & 1 && s->p->header.bindings != 0) {
            r->penalty += OF_SET;
        }
    }
    r->penalty += c->rest != REST_ALL ? OF_PUSH : 0;
    if (c->rest != REST_NONE) {
        put_push(s, c, r);
    }
    if (c->has_count) {
        put(r, c->is_count_pointer ? NIR_ARGUMENT_N_GROUPS_ADDRESS : NIR_ARGUMENT_N_GROUPS, 0);
    }
    for (uint32_t i = 0; i < 3; i++) {
        if (c->ids >> i & 1) {
            bool const is_loaded = r->n < NIR_MAX_ARGUMENTS && s->loaded[r->n].is_loaded;
            r->penalty += i && is_loaded && is_single(s->tc, i) ? OF_ID : 0;
            put(r, NIR_ARGUMENT_GROUP, i);
        }
    }
    if (s->p->header.is_old) {
        put(r, NIR_ARGUMENT_SUBGROUP, 0);
    }
}

/* Is argument i used as what it is read as? */
static bool fits_argument(const struct search *s, uint32_t i, struct nir_argument as)
{
    const struct loaded *const l = &s->loaded[i];
    bool const is_word = !l->is_pointer && l->n_components == 1;
    switch (as.kind) {
    case NIR_ARGUMENT_SET:
        return l->is_pointer && (!s->has_zeros || l->n_zeros != 0) &&
               (l->other_sets >> as.number & 1) == 0;
    case NIR_ARGUMENT_PUSH:
        return l->is_pointer && l->n_zeros == 0 && !l->has_descriptors;
    case NIR_ARGUMENT_WORD:
        return is_word && l->bound == 0;
    case NIR_ARGUMENT_N_GROUPS:
        return l->n_components == 3;
    case NIR_ARGUMENT_N_GROUPS_ADDRESS:
        return l->n_components == 2;
    case NIR_ARGUMENT_GROUP: /* Vulkan's smallest limit of y and z fits a bound, that of x does not */
        return is_word && (as.number == 0) == (l->bound == 0) && !s->p->header.is_old;
    case NIR_ARGUMENT_SUBGROUP:
        return is_word && l->bound == 0;
    case NIR_ARGUMENT_NONE:
    case NIR_ARGUMENT_LOCAL:
    case NIR_ARGUMENT_LOCAL_PACKED:
        break;
    }
    return false;
}

/* Are all push constants loaded that a reading has? And if there are any, the work-group's id, without which no program
 * knows where its data is: else another number of push constants would fit, too. */
static bool has_all(const struct search *s, const struct reading *r)
{
    bool has_words = false, has_id = !s->has_group_ids || s->p->header.is_old;
    for (uint32_t i = 0; i < r->n; i++) {
        struct nir_argument const as = r->arguments[i];
        bool const is_push = as.kind == NIR_ARGUMENT_PUSH || as.kind == NIR_ARGUMENT_WORD;
        if (is_push && !s->loaded[i].is_loaded) {
            return false;
        }
        has_words = has_words || is_push;
        has_id =
            has_id || (as.kind == NIR_ARGUMENT_GROUP && as.number == 0 && s->loaded[i].is_loaded);
    }
    return has_id || !has_words;
}

/* Are the words that no argument has loaded behind the pointer? If not, the first words of the module are not those that
 * the arguments have: RADV did not count one whose result does not matter. */
static bool has_rest_behind(const struct search *s, const struct reading *r)
{
    uint64_t words = 0;
    bool has_pointer = false;
    for (uint32_t i = 0; i < r->n; i++) {
        struct nir_argument const as = r->arguments[i];
        has_pointer = has_pointer || as.kind == NIR_ARGUMENT_PUSH;
        words |= as.kind == NIR_ARGUMENT_PUSH   ? s->loaded[i].words
                 : as.kind == NIR_ARGUMENT_WORD ? UINT64_C(1) << as.number
                                                : 0;
    }
    return !has_pointer || !r->has_words || (s->push.words & ~words) == 0;
}

/* Do the arguments of the id within the work-group begin where those of a reading end? Behind it may be two others, and if the first components
 * of the id are not loaded, two of these. Of older texts a reading has all. */
static bool fits_local(const struct search *s, const struct reading *r, uint32_t first)
{
    enum {
        MOST_BETWEEN = 4
    };
    bool const is_old = s->p->header.is_old;
    uint32_t const least = r->n - (is_old ? 1 : 0); /* the last one may not be there */
    return first >= least && first <= r->n + (is_old ? 0 : MOST_BETWEEN);
}

/* Is each argument that is loaded there, and before those of the id within the work-group? */
static bool fits(const struct search *s, const struct reading *r)
{
    bool has_local = false;
    for (uint32_t i = 0; i < NIR_MAX_ARGUMENTS; i++) {
        const struct loaded *const l = &s->loaded[i];
        if (!l->is_loaded) {
            continue;
        }
        if (l->is_vector ? !has_local && !fits_local(s, r, i)
                         : i >= r->n || !fits_argument(s, i, r->arguments[i])) {
            return false;
        }
        has_local = has_local || l->is_vector;
    }
    return has_all(s, r) && has_rest_behind(s, r);
}

/* Are two readings the same of what is loaded? Components of an id that are the same in all work-groups are 0. */
static bool are_equal(const struct search *s, const struct reading *r, const struct reading *other)
{
    for (uint32_t i = 0; i < NIR_MAX_ARGUMENTS; i++) {
        struct nir_argument const x = r->arguments[i], y = other->arguments[i];
        bool const are_zero = x.kind == NIR_ARGUMENT_GROUP && y.kind == NIR_ARGUMENT_GROUP &&
                              is_single(s->tc, x.number) && is_single(s->tc, y.number);
        bool const is_same = x.kind == y.kind && (x.number == y.number || are_zero);
        if (s->loaded[i].is_loaded && !s->loaded[i].is_vector && !is_same) {
            return false;
        }
    }
    return true;
}

/* Has the module loads of which that can be the rest? */
static bool has_rest(const struct search *s, enum rest rest)
{
    bool const has_words = s->push.words != 0;
    switch (rest) {
    case REST_ALL:
        return has_words || s->push.has_others;
    case REST_WORDS:
    case REST_OTHERS:
        return has_words && s->push.has_others;
    case REST_NONE:
        break;
    }
    return true;
}

/* The likeliest readings: how many there are that differ, and one of them. */
static uint32_t find_readings(const struct search *s, struct reading *best)
{
    enum {
        N_IDS = 8,
        N_SETS = 1 << CASE_MAX_SETS,
        N_CHOICES = N_IDS * N_SETS * 3 * 2 * N_RESTS * 2
    };
    uint32_t n_found = 0;
    for (uint32_t i = 0; i < N_CHOICES; i++) {
        struct reading r;
        uint32_t rest = i;
        struct choice c = {.ids = rest % N_IDS};
        rest /= N_IDS;
        c.sets = rest % N_SETS;
        rest /= N_SETS;
        c.has_count = rest % 3 != 0;
        c.is_count_pointer = rest % 3 == 2;
        rest /= 3;
        c.first = rest & 1;
        c.rest = (enum rest)(rest >> 1 & 3);
        c.reserved = 2 * (rest >> 3 & 1);
        if ((c.sets & ~s->declared) != 0 || (c.ids && !s->has_group_ids) || !has_rest(s, c.rest)) {
            continue;
        }
        make_reading(s, &c, &r);
        if (!fits(s, &r) || (n_found && r.penalty > best->penalty)) {
            continue;
        }
        if (n_found == 0 || r.penalty < best->penalty) {
            n_found = 1;
            *best = r;
        } else if (!are_equal(s, &r, best)) {
            n_found++;
        }
    }
    return n_found;
}

/* The id within the work-group: one argument whose bound is that of all components packed, or one for each component that
 * is not 0, of which each bound is its own. */
static bool name_local(const struct search *s, struct nir_argument *out)
{
    uint32_t n = 0, at[3] = {0};
    uint32_t const *const local = s->tc->local;
    int64_t const packed =
        (int64_t)(local[0] - 1) | (int64_t)(local[1] - 1) << 10 | (int64_t)(local[2] - 1) << 20;
    for (uint32_t i = 0; i < NIR_MAX_ARGUMENTS; i++) {
        if (s->loaded[i].is_loaded && s->loaded[i].is_vector) {
            if (n == ARRAY_N(at)) {
                return nir_stop(s->answer, NIR_UNKNOWN, 0,
                                "the id within the work-group has more than three arguments");
            }
            at[n++] = i;
        }
    }
    if (n == 1 && s->loaded[at[0]].bound == packed) {
        out[at[0]] = (struct nir_argument){NIR_ARGUMENT_LOCAL_PACKED, 0};
        return true;
    }
    uint32_t n_fitting = 0;
    for (uint32_t first = 0; n && first < 3; first++) { /* the component of the first of them */
        bool fits_all = true;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t const c = first + at[k] - at[0];
            fits_all = fits_all && c < 3 && s->loaded[at[k]].bound == (int64_t)local[c] - 1;
        }
        if (fits_all) {
            for (uint32_t k = 0; k < n; k++) {
                out[at[k]] = (struct nir_argument){NIR_ARGUMENT_LOCAL, first + at[k] - at[0]};
            }
            n_fitting++;
        }
    }
    return n == 0 || n_fitting == 1 ||
           nir_stop(s->answer, NIR_UNKNOWN, 0,
                    "%u readings fit the arguments of the id within the work-group", n_fitting);
}

bool nir_arguments_find(const struct testcase *tc, const struct nir_program *p, bool has_group_ids,
                        struct arena *a, struct nir_argument *out, struct nir_answer *answer)
{
    struct search s = {.tc = tc, .p = p, .a = a, .answer = answer, .has_group_ids = has_group_ids};
    struct reading best = {.n = 0};
    uint32_t const declared = p->header.bindings;
    bool has_push = false;
    s.origins = ARENA_NEW(a, struct origin, p->n_values + 1);
    if (!s.origins) {
        return nir_stop_memory(answer, 0);
    }
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        uint32_t const unused = p->header.read_only & p->header.write_only;
        bool const is_declared =
            declared == 0 || ((declared >> i & 1) != 0 && (unused >> i & 1) == 0);
        has_push = has_push || tc->bufs[i].kind == BUF_PUSH;
        s.declared |= is_declared && nir_layout_has(tc->bufs[i].kind) ? 1U << tc->bufs[i].set : 0;
    }
    if (has_push && !nir_push_find(tc, a, &s.push)) {
        return nir_stop(answer, NIR_UNKNOWN, 0,
                        "the module uses its push constants in a way that is not known");
    }
    if (!see_program(&s)) {
        return false;
    }
    uint32_t const n = find_readings(&s, &best);
    if (n != 1) {
        return nir_stop(answer, NIR_UNKNOWN, 0, "%u readings fit the arguments of the shader", n);
    }
    memset(out, 0, NIR_MAX_ARGUMENTS * sizeof *out);
    for (uint32_t i = 0; i < NIR_MAX_ARGUMENTS; i++) {
        if (s.loaded[i].is_loaded && !s.loaded[i].is_vector) {
            out[i] = best.arguments[i];
        }
    }
    return name_local(&s, out);
}
