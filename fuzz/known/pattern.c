/* fuzz/known/pattern.c -- patterns: which instructions are inside which constructs of a module, as a line of text. */
#include "fuzz/known/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/ops.h"
#include "base/spv.h"
#include "fuzz/io/spirv.h"
#include "oracle/modorder/mo_atomic.h"

enum construct_kind {
    IN_LOOP,
    IN_BRANCH,
    IN_SWITCH,
    IN_CONTINUE,
    IN_FUNCTION
};
enum {
    CONSTRUCT_N = 5,
    MAX_DEPTH = 32,
    MAX_LINK_WORDS = 16
};
static const char *const construct_names[CONSTRUCT_N] = {"loop", "branch", "switch", "continue",
                                                         "function"};

enum trait {
    OF_BOOL,
    OF_I8,
    OF_I16,
    OF_I32,
    OF_I64,
    OF_F16,
    OF_F32,
    OF_F64,
    SCALAR,
    VECTOR,
    IN_SHARED,  /* a pointer to Workgroup memory */
    IN_PRIVATE, /* to Function or Private memory */
    IN_BUFFER,  /* to a buffer */
    REDUCE,     /* group operations */
    SCAN,       /* inclusive or exclusive */
    UNROLL,     /* of OpLoopMerge */
    DONT_UNROLL,
    BY_CONSTANT, /* one of its operands is a constant */
    NO_CONSTANT, /* none is */
    CONSTANTS,   /* all are */
    BY_ITSELF,   /* two of its operands are the same */
    FALLS,       /* of OpSwitch: a case goes on into the next */
    FROM_RESULT, /* one of its operands is what an atomic gave */
    OF_PHI,      /* one of its operands is a phi */
    EXCHANGED    /* its pointer goes into a variable that is both loaded and stored */
};
enum {
    TRAIT_N = 25
};
static const char *const pattern_traits[TRAIT_N] = {
    "bool",  "i8",          "i16",         "i32",         "i64",         "f16",       "f32",
    "f64",   "scalar",      "vector",      "shared",      "private",     "buffer",    "reduce",
    "scan",  "unroll",      "dont-unroll", "by-constant", "no-constant", "constants", "by-itself",
    "falls", "from-result", "of-phi",      "exchanged"};

/* ---- patterns ---- */

static int find_word(const char *const *names, int n, const char *word)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(names[i], word) == 0) {
            return i;
        }
    }
    return -1;
}

/* Puts a word into the link: a number and constructs come before the name, traits behind it. */
static enum res put_word(struct pattern_link *l, const char *word, struct err *e)
{
    bool const is_outside = word[0] == '!';
    int const kind = find_word(construct_names, CONSTRUCT_N, word + is_outside);
    int const trait = find_word(pattern_traits, TRAIT_N, word);
    if (!l->name && word[0] >= '1' && word[0] <= '9') {
        l->n_times = (unsigned)strtoul(word, NULL, 10);
    } else if (!l->name && kind >= 0 && is_outside) {
        l->outside |= 1u << kind;
    } else if (!l->name && kind >= 0 && l->n_inside < PATTERN_MAX_CONSTRUCTS) {
        l->inside[l->n_inside++] = (uint8_t)kind;
    } else if (!l->name && kind < 0) {
        l->name = word;
    } else if (l->name && trait >= 0) {
        l->traits |= 1u << trait;
    } else {
        return err_set(e, RES_FORMAT, "pattern: \"%s\" is no %s", word,
                       l->name ? "trait" : "place for an instruction");
    }
    return RES_OK;
}

enum res pattern_parse(struct pattern *p, const char *text, struct arena *a, struct err *e)
{
    char *rest = arena_copy(a, text, strlen(text) + 1);
    *p = (struct pattern){.n = 0};
    if (!rest) {
        return err_set(e, RES_NOMEM, "pattern: no memory");
    }
    for (char *link; (link = strtok_r(rest, ";", &rest)) != NULL; p->n++) {
        if (p->n == PATTERN_MAX_LINKS) {
            return err_set(e, RES_FORMAT, "pattern: more than %d links: %s", PATTERN_MAX_LINKS,
                           text);
        }
        struct pattern_link *const l = &p->link[p->n];
        l->n_times = 1;
        for (char *word; (word = strtok_r(link, " ", &link)) != NULL;) {
            TRY(put_word(l, word, e));
        }
        if (!l->name) {
            return err_set(e, RES_FORMAT, "pattern: a link without an instruction: %s", text);
        }
    }
    return RES_OK;
}

/* ---- modules ---- */

struct item {
    const char *name;
    unsigned traits;
    uint8_t stack[MAX_DEPTH];
    unsigned depth;
};
struct pattern_module {
    struct item *items;
    uint32_t n;
};

/* What an id is. */
struct id {
    unsigned traits;  /* of its type; of a type: itself; of a pointer: of its pointee */
    uint32_t storage; /* 1 + SpvStorageClass of a pointer, or of its type */
    bool is_constant, is_atomic, is_phi;
    uint32_t set;              /* enum op_set of an import */
    uint32_t root;             /* of a pointer made from another: that one */
    bool is_loaded, is_stored; /* through it or what was made from it */
};
struct open {
    uint32_t merge, cont;
    enum construct_kind kind;
};
struct pattern_reader {
    struct id *ids;
    uint32_t n_ids, n_cap;
    uint32_t entry, function; /* entry point; the function that is read */
    struct open open[MAX_DEPTH];
    unsigned depth;
    struct pattern_module *m;
};

static struct id *id_of(const struct pattern_reader *r, uint32_t id)
{
    return &r->ids[id < r->n_ids ? id : 0];
}

static unsigned bit(enum trait t)
{
    return 1u << t;
}

static unsigned number_traits(uint32_t width, bool is_float)
{
    unsigned const step = width == 8 ? 0 : width == 16 ? 1 : width == 32 ? 2 : 3;
    return bit(SCALAR) | bit((enum trait)(is_float ? OF_F16 - 1 + step : OF_I8 + step));
}

static void read_type(const struct pattern_reader *r, const struct spv_inst *in)
{
    struct id *const t = id_of(r, in->w[1]);
    switch (in->op) {
    case SpvOpTypeBool:
        t->traits = bit(OF_BOOL) | bit(SCALAR);
        return;
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        t->traits = number_traits(in->w[2], in->op == SpvOpTypeFloat);
        return;
    case SpvOpTypeVector:
        t->traits = (id_of(r, in->w[2])->traits & ~bit(SCALAR)) | bit(VECTOR);
        return;
    case SpvOpTypePointer:
        t->storage = 1 + in->w[2];
        t->traits = id_of(r, in->w[3])->traits;
        return;
    default:
        return;
    }
}

static unsigned storage_traits(uint32_t storage)
{
    switch ((int)storage - 1) {
    case SpvStorageClassWorkgroup:
        return bit(IN_SHARED);
    case SpvStorageClassFunction:
    case SpvStorageClassPrivate:
        return bit(IN_PRIVATE);
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassUniform:
    case SpvStorageClassPhysicalStorageBuffer:
        return bit(IN_BUFFER);
    default:
        return 0;
    }
}

/* Has an OpSwitch a case that goes on into another? Such a one ends in a branch to a label that the switch names
 * and that is not its merge block's. */
static bool has_fallthrough(const struct pattern_reader *r, const uint32_t *words, uint32_t n_words,
                            const struct spv_inst *sw)
{
    uint32_t const merge = r->depth > 0 ? r->open[r->depth - 1].merge : 0;
    uint32_t const step = id_of(r, sw->w[1])->traits & bit(OF_I64) ? 3 : 2;
    uint32_t offset = sw->offset + sw->n;
    struct spv_inst in;
    while (spv_next(words, n_words, &offset, &in) && in.op != SpvOpFunctionEnd) {
        bool is_named = false;
        for (uint32_t i = 2; in.op == SpvOpBranch && i < sw->n; i += step) {
            is_named |= sw->w[i] == in.w[1] && in.w[1] != merge;
        }
        if (is_named) {
            return true;
        }
    }
    return false;
}

static uint32_t root_of(const struct pattern_reader *r, uint32_t pointer)
{
    uint32_t const root = id_of(r, pointer)->root;
    return root ? root : pointer;
}

/* Which variables are loaded and stored, and what is a phi: before the rest is read, which may be of it. */
static void note_access(const struct pattern_reader *r, const struct spv_inst *in)
{
    switch (in->op) {
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
    case SpvOpBitcast:
        id_of(r, in->w[2])->root = root_of(r, in->w[3]);
        return;
    case SpvOpLoad:
        id_of(r, root_of(r, in->w[3]))->is_loaded = true;
        return;
    case SpvOpStore:
        id_of(r, root_of(r, in->w[1]))->is_stored = true;
        return;
    case SpvOpPhi:
        id_of(r, in->w[2])->is_phi = true;
        return;
    default:
        return;
    }
}

/* Traits by the operands of an instruction, from word `first` on. */
static unsigned operand_traits(const struct pattern_reader *r, const struct spv_inst *in,
                               uint32_t first)
{
    unsigned traits = 0;
    uint32_t n_constants = 0;
    for (uint32_t i = first; i < in->n; i++) {
        const struct id *const x = id_of(r, in->w[i]);
        n_constants += x->is_constant;
        traits |= storage_traits(x->storage);
        traits |= x->is_atomic ? bit(FROM_RESULT) : 0;
        traits |= x->is_phi ? bit(OF_PHI) : 0;
        const struct id *const root = id_of(r, root_of(r, in->w[i]));
        traits |= root->is_loaded && root->is_stored ? bit(EXCHANGED) : 0;
        for (uint32_t k = first; k < i; k++) {
            traits |= in->w[k] == in->w[i] ? bit(BY_ITSELF) : 0;
        }
    }
    traits |= bit(n_constants > 0 ? BY_CONSTANT : NO_CONSTANT);
    return traits | (n_constants > 0 && n_constants == in->n - first ? bit(CONSTANTS) : 0);
}

static unsigned traits_of(const struct pattern_reader *r, const struct spv_inst *in,
                          bool has_result)
{
    if (in->op == SpvOpLoopMerge) {
        return (in->w[3] & SpvLoopControlUnrollMask ? bit(UNROLL) : 0) |
               (in->w[3] & SpvLoopControlDontUnrollMask ? bit(DONT_UNROLL) : 0);
    }
    if (in->op == SpvOpStore && in->n > 2) {
        return id_of(r, in->w[2])->traits | operand_traits(r, in, 1);
    }
    if (!has_result) {
        return operand_traits(r, in, 1);
    }
    unsigned traits = id_of(r, in->w[1])->traits;
    bool const has_operation = in->op >= SpvOpGroupIAdd && in->op <= SpvOpGroupSMax;
    bool const is_nonuniform =
        in->op >= SpvOpGroupNonUniformIAdd && in->op <= SpvOpGroupNonUniformLogicalXor;
    if ((has_operation || is_nonuniform) && in->n > 4) {
        traits |= bit(in->w[4] == SpvGroupOperationReduce ? REDUCE : SCAN);
        return traits | operand_traits(r, in, 5);
    }
    return traits | operand_traits(r, in, in->op == SpvOpExtInst ? 5 : 3);
}

static const char *name_of(const struct pattern_reader *r, const struct spv_inst *in)
{
    if (in->op != SpvOpExtInst || in->n < 5) {
        return spirv_get_name(in->op);
    }
    int const row = op_find_number(OP_NUMBER(id_of(r, in->w[3])->set, in->w[4]));
    return row >= 0 ? op_rows[row].name : "unknown";
}

static void read_import(const struct pattern_reader *r, const struct spv_inst *in)
{
    const char *const name = (const char *)&in->w[2];
    id_of(r, in->w[1])->set = strncmp(name, "OpenCL", 6) == 0 ? OP_SET_opencl_std
                              : strncmp(name, "GLSL", 4) == 0 ? OP_SET_glsl450
                                                              : OP_SET_amd_ballot;
}

static void open_construct(struct pattern_reader *r, uint32_t merge, uint32_t cont,
                           enum construct_kind kind)
{
    if (r->depth < MAX_DEPTH) {
        r->open[r->depth++] = (struct open){merge, cont, kind};
    }
}

/* The OpLoopMerge of the block that begins with the label at this offset: the whole block, its phis with it, stands
 * in the loop. */
static bool find_loop(const uint32_t *words, uint32_t n_words, uint32_t offset,
                      struct spv_inst *out)
{
    while (spv_next(words, n_words, &offset, out) && out->op != SpvOpLabel) {
        if (out->op == SpvOpLoopMerge) {
            return true;
        }
    }
    return false;
}

/* A label may end constructs, and begins the continue construct of a loop. */
static void read_label(struct pattern_reader *r, uint32_t label)
{
    for (unsigned i = 0; i < r->depth; i++) {
        if (r->open[i].merge == label) {
            r->depth = i;
        }
    }
    for (unsigned i = r->depth; i-- > 0;) {
        if (r->open[i].cont == label && r->open[i].kind == IN_LOOP) {
            r->depth = i + 1;
            open_construct(r, r->open[i].merge, 0, IN_CONTINUE);
            return;
        }
    }
}

static void put_item(struct pattern_reader *r, const struct spv_inst *in, bool has_result,
                     unsigned more)
{
    struct item *const x = &r->m->items[r->m->n++];
    *x = (struct item){.name = name_of(r, in), .traits = traits_of(r, in, has_result) | more};
    if (r->function != r->entry) {
        x->stack[x->depth++] = IN_FUNCTION;
    }
    for (unsigned i = 0; i < r->depth && x->depth < MAX_DEPTH; i++) {
        x->stack[x->depth++] = (uint8_t)r->open[i].kind;
    }
}

/* What is known of the result of an instruction. */
static void note_result(const struct pattern_reader *r, const struct spv_inst *in)
{
    struct id *const x = id_of(r, in->w[2]);
    const struct id *const type = id_of(r, in->w[1]);
    x->traits = type->traits;
    x->storage = type->storage;
    x->is_constant = in->op >= SpvOpConstantTrue && in->op <= SpvOpSpecConstantOp;
    x->is_atomic = mo_find_atomic(in->op) != NULL;
}

/* The selection that a merge instruction begins; the next instruction says which. */
static void read_merge(struct pattern_reader *r, const uint32_t *words, uint32_t n_words,
                       const struct spv_inst *in)
{
    uint32_t offset = in->offset + in->n;
    struct spv_inst next = {.op = 0};
    bool const is_switch = spv_next(words, n_words, &offset, &next) && next.op == SpvOpSwitch;
    open_construct(r, in->w[1], 0, is_switch ? IN_SWITCH : IN_BRANCH);
}

/* Read one instruction of a module into the list that patterns are searched in, and keep track
 * of what surrounds it: the current function and the constructs that are open (loop, selection,
 * continue). A label closes constructs, and opens a loop if its block holds an OpLoopMerge. What
 * later items need of types, imports and results is noted by id. */
static void read_inst(struct pattern_reader *r, const uint32_t *words, uint32_t n_words,
                      const struct spv_inst *in)
{
    bool has_type = false;
    bool const has_value = spv_find_result(in, &has_type) && has_type;
    struct spv_inst loop;
    if (in->op == SpvOpExtInstImport) {
        read_import(r, in);
    } else if (in->op == SpvOpEntryPoint) {
        r->entry = in->w[2];
    } else if (in->op >= SpvOpTypeVoid && in->op <= SpvOpTypeForwardPointer) {
        read_type(r, in);
    } else if (in->op == SpvOpFunction) {
        r->function = in->w[2];
        r->depth = 0;
    } else if (in->op == SpvOpLabel) {
        read_label(r, in->w[1]);
        if (find_loop(words, n_words, in->offset + in->n, &loop)) {
            open_construct(r, loop.w[1], loop.w[2], IN_LOOP);
        }
    }
    if (in->op == SpvOpSelectionMerge) { /* it stands outside of the construct that it opens */
        put_item(r, in, false, 0);
        read_merge(r, words, n_words, in);
        return;
    }
    bool const falls_through = in->op == SpvOpSwitch && has_fallthrough(r, words, n_words, in);
    put_item(r, in, has_value, falls_through ? bit(FALLS) : 0);
    if (has_value) {
        note_result(r, in);
    }
}

/* Read a module into the list of its instructions that patterns are searched in. The words are read three times: to
 * count the instructions, to note which variables are loaded or stored and which ids are phis, because an instruction
 * may come before that, and to make the list. NULL: the arena is full, or the words are broken. */
const struct pattern_module *pattern_read(const uint32_t *words, uint32_t n_words, struct arena *a)
{
    enum {
        WORD_BOUND = 3
    };
    struct pattern_reader r = {.n_ids = spv_is_module(words, n_words) ? words[WORD_BOUND] : 0};
    if (r.n_ids == 0 || r.n_ids > n_words) {
        return NULL;
    }
    r.ids = ARENA_NEW(a, struct id, r.n_ids);
    r.m = ARENA_NEW(a, struct pattern_module, 1);
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t n = 0;
    struct spv_inst in;
    while (spv_next(words, n_words, &offset, &in)) {
        n++;
    }
    struct item *const items = ARENA_NEW(a, struct item, n);
    if (!r.ids || !r.m || !items || offset < n_words) {
        return NULL;
    }
    r.m->items = items;
    for (offset = SPV_HEADER_WORDS; spv_next(words, n_words, &offset, &in);) {
        /* Has it the words that note_access reads? */
        if (in.n > 3 || (in.op == SpvOpStore && in.n > 2)) {
            note_access(&r, &in);
        }
    }
    for (offset = SPV_HEADER_WORDS; spv_next(words, n_words, &offset, &in);) {
        read_inst(&r, words, n_words, &in);
    }
    return r.m;
}

/* ---- does a module have a pattern? ---- */

/* Does the instruction stand in the constructs of the link, the outer first, and in none that it rules out? */
static bool stands_there(const struct pattern_link *l, const struct item *x)
{
    unsigned n = 0;
    for (unsigned i = 0; i < x->depth; i++) {
        if (l->outside >> x->stack[i] & 1) {
            return false;
        }
        n += n < l->n_inside && l->inside[n] == x->stack[i];
    }
    return n == l->n_inside;
}

/* Is it one of the names with '|' between, of which each may end in '*'? */
static bool has_name(const char *names, const char *name)
{
    bool is_it = false;
    for (const char *at = names; *at && !is_it; at += *at == '|') {
        size_t const n = strcspn(at, "|");
        bool const is_start = n > 0 && at[n - 1] == '*';
        is_it =
            is_start ? strncmp(at, name, n - 1) == 0 : strncmp(at, name, n) == 0 && name[n] == '\0';
        at += n;
    }
    return is_it;
}

static bool fits(const struct pattern_link *l, const struct item *x)
{
    return has_name(l->name, x->name) && (x->traits & l->traits) == l->traits && stands_there(l, x);
}

unsigned pattern_find(const struct pattern *p, const struct pattern_module *m)
{
    unsigned n = 0;
    unsigned n_times = 0;
    for (uint32_t i = 0; i < m->n && n < p->n; i++) {
        n_times += fits(&p->link[n], &m->items[i]);
        if (n_times == p->link[n].n_times) {
            n++;
            n_times = 0;
        }
    }
    return n;
}
