/* oracle/judge/judge_group.c -- the judge's side of group instructions: results from observed operands. */
#include "oracle/judge/judge_group.h"

#include <string.h>

#include "oracle/judge/feature_judge.h"

/* Id of an operand with registers; 0 if there is none. */
static uint32_t operand(const struct judge *j, const struct mod_inst *in, uint32_t word)
{
    uint32_t const id = word && word < in->n ? in->w[word] : 0;
    return id < j->m.n_ids && j->m.ids[id].n_slots > 0 ? id : 0;
}

static int take_constant(const struct judge *j, const struct mod_inst *in, uint32_t word,
                         uint32_t *out, uint32_t n)
{
    uint32_t const id = operand(j, in, word);
    if (!id || !(j->m.ids[id].flags & ID_CONSTANT) || j->m.ids[id].n_slots < n) {
        return 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        out[i] = (uint32_t)j->m.consts[j->m.ids[id].slot + i].bits;
    }
    return 1;
}

/* What the instruction says by itself. */
static int describe(struct group_site *s)
{
    struct judge *j = s->j;
    const struct mod_inst *in = s->in;
    struct group_call *c = &s->c;
    uint32_t scope = SpvScopeSubgroup;
    s->w = group_words_of(in);
    *c = (struct group_call){.op = in->op,
                             .operation = GROUP_NO_OPERATION,
                             .is_kernel = j->tc->env == ENV_CL,
                             .fmt = -1,
                             .n_results = j->m.ids[in->result].n_slots};
    uint32_t const value = operand(j, in, s->w.value);
    if ((s->w.scope && !take_constant(j, in, s->w.scope, &scope, 1)) || (s->w.value && !value) ||
        c->n_results > 4) {
        return exec_stop(&j->x, "a group instruction without its operands");
    }
    c->is_workgroup = scope == SpvScopeWorkgroup;
    if (scope != SpvScopeWorkgroup && scope != SpvScopeSubgroup) {
        return exec_stop(&j->x, "a group instruction of another scope");
    }
    if (s->w.operation) {
        c->operation = in->w[s->w.operation];
    }
    if (s->w.cluster && !take_constant(j, in, s->w.cluster, &c->cluster, 1)) {
        return exec_stop(&j->x, "a cluster size that is no constant");
    }
    if (s->w.pattern) {
        uint32_t const id = operand(j, in, s->w.pattern);
        uint32_t const want = in->op == OP_NUMBER(OP_SET_amd_ballot, 1) ? 4 : 3;
        if (!id || !take_constant(j, in, s->w.pattern, c->pattern, want)) {
            return exec_stop(&j->x, "a swizzle without a constant pattern");
        }
    }
    if (value) {
        c->fmt = module_get_format(&j->m, j->m.ids[value].type);
        c->n_bits = j->m.ids[j->m.ids[value].type].t.bits;
        c->n_components = j->m.ids[value].n_slots;
    }
    int const same = group_kind_of(in->op) == GROUP_ARITH || group_kind_of(in->op) == GROUP_MOVE;
    if (c->n_components > 4 || (same && (!value || j->m.ids[value].type != in->type))) {
        return exec_stop(&j->x, "a group instruction on a type that is not interpreted");
    }
    return 1;
}

static int allocate(struct group_site *s, uint32_t n)
{
    struct arena *a = s->j->a;
    uint32_t const n_values = n * (s->c.n_components + 1);
    s->p.lane = ARENA_NEW(a, uint32_t, n);
    s->p.index = ARENA_NEW(a, uint32_t, n);
    s->value = ARENA_NEW(a, uint64_t, n_values);
    s->second = ARENA_NEW(a, uint64_t, n);
    s->other = s->w.other ? ARENA_NEW(a, uint64_t, n_values) : NULL;
    s->known = ARENA_NEW(a, unsigned char, n);
    s->known_second = ARENA_NEW(a, unsigned char, n);
    if (!s->p.lane || !s->p.index || !s->value || !s->second || !s->known || !s->known_second ||
        (s->w.other && !s->other)) {
        return exec_stop(&s->j->x, "arena full");
    }
    return 1;
}

/* Linear local id that a broadcast of OpGroup* names by a scalar or vector. */
static int take_position(const struct judge *j, const struct invocation *v, uint32_t id,
                         uint64_t *out)
{
    uint64_t stride = 1;
    *out = 0;
    for (uint32_t c = 0; c < j->m.ids[id].n_slots && c < 3; c++) {
        uint64_t bits;
        if (!exec_known(&j->x, exec_reg(&j->x, v, id)[c], &bits)) {
            return 0;
        }
        *out += bits * stride;
        stride *= j->tc->local[c]; /* of a full work-group: a cut one is reported on its own */
    }
    return 1;
}

static int take_values(const struct judge *j, const struct invocation *v, uint32_t id, uint32_t n,
                       uint64_t *out)
{
    int known = 1;
    for (uint32_t c = 0; c < n; c++) {
        known &= exec_known(&j->x, exec_reg(&j->x, v, id)[c], &out[c]);
    }
    return known;
}

/* Operands of all participants, from their registers. */
static int gather(struct group_site *s)
{
    struct judge *j = s->j;
    struct group_call *c = &s->c;
    uint32_t const value = operand(j, s->in, s->w.value);
    uint32_t const second = operand(j, s->in, s->w.second), other = operand(j, s->in, s->w.other);
    if ((s->w.second && !second) ||
        (s->w.other && (!other || j->m.ids[other].n_slots != c->n_components))) {
        return exec_stop(&j->x, "a group instruction without its operands");
    }
    for (uint32_t i = 0; i < s->p.n; i++) {
        const struct invocation *v = &s->inv[s->p.lane[i]];
        int known = 1, known_second = 1;
        if (value) {
            known &= take_values(j, v, value, c->n_components, s->value + i * c->n_components);
        }
        if (second) {
            known_second &= s->in->op == SpvOpGroupBroadcast
                                ? take_position(j, v, second, &s->second[i])
                                : take_values(j, v, second, 1, &s->second[i]);
        }
        if (other) {
            known_second &=
                take_values(j, v, other, c->n_components, s->other + i * c->n_components);
        }
        s->known[i] = (unsigned char)known;
        s->known_second[i] = (unsigned char)known_second;
    }
    c->n = s->p.n;
    c->index = s->p.index;
    c->value = s->value;
    c->second = second ? s->second : NULL;
    c->other = s->other;
    c->known = s->known;
    c->known_second = s->known_second;
    c->size = s->p.size;
    c->max_size = s->p.size;
    if (c->is_kernel && !c->is_workgroup) {
        uint32_t const most = subgroup_max_size(j, s->n_items);
        c->max_size = most ? most : CASE_MAX_SUBGROUP;
    }
    return 1;
}

static void put_unknown(const struct group_site *s, uint32_t i)
{
    for (uint32_t c = 0; c < s->c.n_results; c++) {
        judge_group_result(s, i)[c] = judge_unknown(s->j);
    }
}

struct val judge_unknown(struct judge *j)
{
    struct val const v = exec_new_abstract(&j->x);
    if (v.abs) {
        j->x.pool[v.abs].is_observed = 1;
        j->x.pool[v.abs].grade = GRADE_VIOLATION;
    }
    return v;
}

struct val *judge_group_result(const struct group_site *s, uint32_t i)
{
    return exec_reg(&s->j->x, &s->inv[s->p.lane[i]], s->in->result);
}

/* ---- exchanges ---- */

static struct val move_one(const struct group_site *s, struct val v)
{
    struct judge *j = s->j;
    if (s->c.fmt < 0) {
        return v;
    }
    enum fmt_id const fmt = (enum fmt_id)s->c.fmt;
    struct rules const r = ruleset_get(&j->rules, RULE_MOVE_GROUP, fmt, &j->m.ids[s->in->result]);
    return value_copy(&j->x, fmt, &r, v, value_get_clause(s->c.op));
}

/* Component values of participant i's result, from the registers of its source. */
static void put_move(const struct group_site *s, uint32_t i, enum group_answer answer,
                     const uint64_t *bits)
{
    struct judge *j = s->j;
    int const source = group_source(&s->c, i);
    uint32_t const word = source == GROUP_FROM_OTHER ? s->w.other : s->w.value;
    uint32_t const lane = s->p.lane[source >= 0 ? (uint32_t)source : i];
    struct val out[4] = {{0}};
    for (uint32_t c = 0; c < s->c.n_results; c++) {
        if (source >= 0 || source == GROUP_FROM_OTHER) {
            out[c] = move_one(s, exec_reg(&j->x, &s->inv[lane], s->in->w[word])[c]);
        } else if (answer == GROUP_IS) {
            out[c] = move_one(s, (struct val){.bits = bits[c]});
        } else {
            out[c] = answer == GROUP_ANYTHING ? exec_new_abstract(&j->x) : judge_unknown(j);
        }
    }
    memcpy(judge_group_result(s, i), out, sizeof *out * s->c.n_results);
}

/* ---- everything else ---- */

/* Bits of a ballot that every device sets, and that any may set. */
static void put_ballot(const struct group_site *s, uint32_t i, int is_known)
{
    struct judge *j = s->j;
    const struct invocation *v = &s->inv[s->p.lane[i]];
    uint64_t must[4] = {0, 0, 0, 0}, may[4] = {0, 0, 0, 0};
    int all_true = 1;
    for (uint32_t k = 0; k < s->c.n; k++) {
        uint32_t const at = s->p.index[k];
        uint64_t const bit = UINT64_C(1) << (at % 32);
        all_true &= s->known[k] && s->value[k];
        if (s->known[k] && !s->value[k]) {
            continue;
        }
        may[at / 32] |= bit;
        if (s->known[k] && (is_known || tangle_must(v, &s->inv[s->p.lane[k]]))) {
            must[at / 32] |= bit;
        }
    }
    struct val *out = judge_group_result(s, i);
    struct judge_lane *lane = &j->lanes[s->p.lane[i]];
    for (uint32_t c = 0; c < 4; c++) {
        out[c] = exec_new_abstract(&j->x);
        j->x.pool[out[c].abs] = (struct abstract){.bits = may[c],
                                                  .single = must[c] == may[c],
                                                  .has_mask = 1,
                                                  .must = must[c],
                                                  .may = may[c],
                                                  .clause = CLAUSE_GROUP_BALLOT};
        if (all_true) {
            lane->ballot[c] = out[c];
        }
    }
    if (all_true) {
        lane->ballot_block = v->n_blocks + 1;
    }
}

static int put_one(const struct group_site *s, uint32_t i, const struct rules *r)
{
    struct judge *j = s->j;
    uint64_t bits[4] = {0, 0, 0, 0};
    enum group_answer const answer = group_answer(&s->c, i, r, bits);
    if (answer == GROUP_MISUSE) {
        return exec_stop(&j->x,
                         "a group instruction whose operands are not uniform where they must be");
    }
    if (group_kind_of(s->c.op) == GROUP_MOVE) {
        put_move(s, i, answer, bits);
        return j->x.stop == NULL;
    }
    for (uint32_t c = 0; c < s->c.n_results; c++) {
        if (answer == GROUP_IS) {
            judge_group_result(s, i)[c] = (struct val){.bits = bits[c]};
        } else {
            judge_group_result(s, i)[c] =
                answer == GROUP_UNKNOWN ? judge_unknown(j) : exec_new_abstract(&j->x);
        }
    }
    return j->x.stop == NULL;
}

static int is_minmax(uint32_t op)
{
    switch (op) {
    case SpvOpGroupFMin:
    case SpvOpGroupFMax:
    case SpvOpGroupNonUniformFMin:
    case SpvOpGroupNonUniformFMax:
    case SpvOpGroupFMinNonUniformAMD:
    case SpvOpGroupFMaxNonUniformAMD:
        return 1;
    default:
        return 0;
    }
}

static int keep_record(const struct group_site *s)
{
    struct judge *j = s->j;
    struct group_record *r = ARENA_NEW(j->a, struct group_record, 1);
    uint32_t *lane = ARENA_NEW(j->a, uint32_t, s->p.n);
    if (!r || !lane) {
        return exec_stop(&j->x, "arena full");
    }
    memcpy(lane, s->p.lane, sizeof *lane * s->p.n);
    struct group_record **const first = &j->records[s->in - j->m.code];
    *r = (struct group_record){.call = s->c,
                               .lane = lane,
                               .group = s->inv[0].group_index,
                               .is_partial = s->p.is_partial,
                               .next = *first};
    *first = r;
    if (j->map) {
        feature_describe_group(&r->call, r->is_partial, &r->mask, &r->worst);
    }
    return 1;
}

const struct group_record *judge_group_record(const struct judge *j, const struct mod_inst *in,
                                              const struct invocation *inv)
{
    const struct group_record *r = j->records ? j->records[in - j->m.code] : NULL;
    for (; r; r = r->next) {
        for (uint32_t i = 0; r->group == inv->group_index && i < r->call.n; i++) {
            if (r->lane[i] == inv->local_index) {
                return r;
            }
        }
    }
    return NULL;
}

const char *judge_group_operands(const struct judge *j, const struct mod_inst *in,
                                 const struct invocation *inv)
{
    enum {
        MAX_SHOWN = 16
    };
    const struct group_record *r = judge_group_record(j, in, inv);
    const char *text = "";
    if (!r) {
        return text;
    }
    const struct group_call *c = &r->call;
    for (uint32_t i = 0; i < c->n && i < MAX_SHOWN && c->n_components; i++) {
        text = arena_printf(j->a, "%s %u:%s", text, c->index[i], c->known[i] ? "" : "unknown ");
        for (uint32_t k = 0; k < c->n_components; k++) {
            text = arena_printf(j->a, "%s%s0x%llx", text, k ? "," : "",
                                (unsigned long long)c->value[i * c->n_components + k]);
        }
    }
    return c->n > MAX_SHOWN ? arena_printf(j->a, "%s ...", text) : text;
}

/* Results of the participants s->p. */
static int put_results(struct group_site *s)
{
    struct judge *j = s->j;
    enum group_kind const kind = group_kind_of(s->c.op);
    struct rules r;
    if (!gather(s)) {
        return 0;
    }
    j->out->n_partial += (uint32_t)s->p.is_partial;
    if (!keep_record(s)) {
        return 0;
    }
    if (kind == GROUP_BALLOT) {
        for (uint32_t i = 0; i < s->c.n; i++) {
            put_ballot(s, i, s->p.is_known);
        }
        return j->x.stop == NULL;
    }
    if (!s->p.is_known) {
        for (uint32_t i = 0; i < s->c.n; i++) {
            put_unknown(s, i);
        }
        return j->x.stop == NULL;
    }
    if (kind == GROUP_ARITH && s->c.fmt >= 0) {
        if (is_minmax(s->c.op)) {
            judge_group_minmax(s);
            return j->x.stop == NULL;
        }
        return judge_group_sums(s);
    }
    if (s->c.fmt >= 0) {
        r = ruleset_get(&j->rules, kind == GROUP_ALL_EQUAL ? RULE_GROUP_EQUAL : RULE_MOVE_GROUP,
                        (enum fmt_id)s->c.fmt, &j->m.ids[s->in->result]);
    }
    for (uint32_t i = 0; i < s->c.n; i++) {
        if (!put_one(s, i, s->c.fmt >= 0 ? &r : NULL)) {
            return 0;
        }
    }
    return 1;
}

/* Must every invocation of the sub-group come here? */
static int is_for_all(uint32_t op)
{
    return (op >= SpvOpGroupAll && op <= SpvOpGroupSMax) ||
           (op >= SpvOpGroupIMulKHR && op <= SpvOpGroupLogicalXorKHR);
}

/* Of the work-group all, or for AMD's instructions in divergent control flow those on one path. */
static int run_workgroup(struct group_site *s, uint32_t n, const struct tangle_site *t)
{
    int is_one = 1;
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t const lane = t->lane[i];
        is_one &= tangle_must(&s->inv[lane], &s->inv[t->lane[0]]);
        s->p.lane[i] = lane;
        s->p.index[i] = s->inv[lane].local_index;
    }
    if (is_for_all(s->c.op) && (t->n != n || !is_one)) {
        return exec_stop(&s->j->x, "a group instruction that not every invocation comes to");
    }
    s->p.n = t->n;
    s->p.size = n;
    s->p.is_known = is_one;
    s->p.is_partial = t->n < n;
    return put_results(s);
}

int judge_group_site(struct judge *j, struct invocation *inv, uint32_t n,
                     const struct tangle_site *t)
{
    struct group_site s = {.j = j, .inv = inv, .n_items = n, .in = t->in};
    if (!describe(&s) || !allocate(&s, t->n)) {
        return 0;
    }
    uint32_t n_left = t->n;
    if (s.c.is_workgroup) {
        return run_workgroup(&s, n, t);
    }
    int const is_composed = subgroup_compose(j, inv, n);
    unsigned char *done = ARENA_NEW(j->a, unsigned char, n);
    if (!done) {
        return exec_stop(&j->x, "arena full");
    }
    for (uint32_t i = 0; i < t->n; i++) {
        if (done[t->lane[i]]) {
            continue;
        }
        if (!is_composed) {
            s.p.n = 1;
            s.p.lane[0] = t->lane[i];
            put_unknown(&s, 0);
            continue;
        }
        subgroup_participants(j, inv, n, t, t->lane[i], &s.p);
        if (is_for_all(s.c.op) && s.p.is_partial) {
            return exec_stop(&j->x, "a group instruction that not every invocation comes to");
        }
        if (!put_results(&s)) {
            return 0;
        }
        for (uint32_t k = 0; k < s.p.n; k++) {
            done[s.p.lane[k]] = 1;
        }
        n_left -= s.p.n;                     /* the operands stay with the record */
        if (n_left && !allocate(&s, t->n)) { /* room for all until a ballot leaves some out */
            return 0;
        }
    }
    return j->x.stop == NULL;
}
