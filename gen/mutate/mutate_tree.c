/* gen/mutate/mutate_tree.c -- changes of a tape's structure: nodes go where nodes of their kind stand. */
#include "gen/mutate/mutate_tree.h"

#include "gen/tape/grammar.h"
#include "gen/tape/tape_random.h"

struct tree *mutate_pick(struct mutant *m, struct tree *top, mutate_wants *wants,
                         const struct tree *of)
{
    uint64_t n = 0;
    for (struct tree *x = top; x; x = tree_next(x, top)) {
        n += wants(m, x, of) != 0;
    }
    uint64_t at = n > 0 ? rng_below(m->rng, n) : 0;
    for (struct tree *x = top; n > 0 && x; x = tree_next(x, top)) {
        if (wants(m, x, of) && at-- == 0) {
            return x;
        }
    }
    return NULL;
}

/* ---- what may stand where ---- */

enum {
    GROUP_MAX_OPERATIONS = 3 /* of a statement */
};

bool mutate_is_list(const struct tree *x)
{
    return x->node == NODE_BLOCK || x->node == NODE_MATH_BLOCK || x->node == NODE_GROUPS ||
           x->node == NODE_PIECES;
}

bool mutate_is_listed(const struct tree *x)
{
    return x->node != NODE_UNREAD && x->parent && mutate_is_list(x->parent);
}

static bool is_statement(enum tape_node node)
{
    return node == NODE_STATEMENT || node == NODE_BRANCH || node == NODE_GROUPS;
}

static bool is_operand(const struct tree *x)
{
    return x->node == NODE_OPERAND || x->node == NODE_COMPUTED;
}

static bool has_room(const struct tree *list)
{
    uint32_t const n = tree_count_children(list);
    switch ((int)list->node) {
    case NODE_GROUPS:
        return n < GROUP_MAX_OPERATIONS;
    case NODE_PIECES:
        return n < GRAMMAR_MAX_PIECES;
    default:
        return n < GRAMMAR_MAX_STATEMENTS;
    }
}

/* What a random child of a list is. */
static enum tape_node item_of(const struct tree *list)
{
    if (list->node == NODE_GROUPS) {
        return NODE_GROUP;
    }
    if (list->node == NODE_PIECES) {
        return NODE_PIECE;
    }
    return list->node == NODE_MATH_BLOCK ? NODE_MATH : NODE_STATEMENT;
}

/* May a node of that kind be a child of the list? In a case of mathematics alone a statement may be
 * an instruction. */
static bool fits_list(const struct mutant *m, const struct tree *list, enum tape_node node)
{
    if (item_of(list) != NODE_STATEMENT) {
        return node == item_of(list);
    }
    return is_statement(node) || (node == NODE_MATH && m->profile == PROFILE_MAXERROR);
}

/* Does it hold blocks of statements? */
static bool is_branch(const struct tree *x)
{
    return x->node == NODE_BRANCH || x->node == NODE_PIECE;
}

/* Branches above a child of `of`. */
static unsigned count_branches(const struct tree *of)
{
    unsigned n = 0;
    for (const struct tree *x = of; x; x = x->parent) {
        n += is_branch(x);
    }
    return n;
}

/* Operands above a child of `of`, without a break. */
static unsigned count_operands(const struct tree *of)
{
    unsigned n = 0;
    for (const struct tree *x = of; x && is_operand(x); x = x->parent) {
        n++;
    }
    return n;
}

/* Branches in branches of x, itself one. */
static unsigned branch_height(const struct tree *x)
{
    unsigned most = 0;
    for (const struct tree *child = x->first; child; child = child->next) {
        unsigned const n = branch_height(child);
        most = n > most ? n : most;
    }
    return most + is_branch(x);
}

/* Operands in operands of x, itself not counted. */
static unsigned operand_height(const struct tree *x)
{
    unsigned most = 0;
    for (const struct tree *child = x->first; child; child = child->next) {
        unsigned const n = is_operand(child) ? 1 + operand_height(child) : 0;
        most = n > most ? n : most;
    }
    return most;
}

/* Is x still read in full among the children of `of`? */
static bool fits_depth(const struct tree *of, const struct tree *x)
{
    if (count_branches(of) + branch_height(x) > GRAMMAR_MAX_DEPTH) {
        return false;
    }
    return !is_operand(x) || count_operands(of) + operand_height(x) <= GRAMMAR_MAX_OPERAND_DEPTH;
}

/* Records that are freed where x goes: its own, and its length. */
static size_t count_freed(const struct tree *x)
{
    return 1 + tree_count_records(x);
}

/* May x come (again) where n_freed records go? A node that it is inserted into gets all its
 * decisions. */
static bool fits_size(const struct mutant *m, const struct tree *x, size_t n_freed)
{
    size_t const n_most = 1 + tree_count_records(x) + TAPE_HEAD_RECORDS;
    return tree_count_records(m->root) + n_most <= m->max_records + n_freed;
}

static bool fits_at(const struct mutant *m, const struct tree *target, const struct tree *x)
{
    bool const fits = mutate_is_listed(target) ? fits_list(m, target->parent, x->node)
                                               : target->node == x->node && x->node != NODE_PLAIN;
    return fits && fits_depth(target->parent, x) && fits_size(m, x, count_freed(target));
}

/* ---- parts ---- */

static struct tree *copy(struct mutant *m, const struct tree *x)
{
    struct tree *const y = tree_clone(x, m->a);
    m->is_full |= !y;
    return y;
}

/* A new node to stand below `of`. */
static struct tree *random_node(struct mutant *m, enum tape_node node, const struct tree *of)
{
    bool const is_value = node == NODE_OPERAND || node == NODE_COMPUTED;
    int const depth = (int)(is_value ? count_operands(of) : count_branches(of));
    struct tape t;
    struct tree *x = NULL;
    if (tape_random_node(&t, node, depth, m->rng, m->a, NULL) == RES_OK) {
        x = tree_parse(&t, NULL, m->a);
    }
    if (!x) {
        m->is_full = true;
        return NULL;
    }
    x->node = node;
    return x;
}

/* A statement of group operations says in its second decision how many there are, less one. */
static void count_operations(struct tree *list, bool is_more)
{
    if (list->node != NODE_GROUPS || list->n_head < 2) {
        return;
    }
    uint64_t const n_less_one = list->head[1] % GROUP_MAX_OPERATIONS;
    if (is_more && n_less_one + 1 < GROUP_MAX_OPERATIONS) {
        list->head[1]++;
    } else if (!is_more && n_less_one > 0) {
        list->head[1]--;
    }
}

static void add_to_list(struct mutant *m, struct tree *list, struct tree *x)
{
    count_operations(list, true);
    tree_insert(list, (uint32_t)rng_below(m->rng, tree_count_children(list) + 1), x);
}

static void take_from_list(struct tree *x)
{
    count_operations(x->parent, false);
    tree_remove(x);
}

/* ---- insert ---- */

/* Were decisions or children read as zero here, for want of any? */
static bool lacks_something(const struct tree *x)
{
    return x->node != NODE_UNREAD && x->mark && x->mark[0].n_missing > 0;
}

static bool takes_more(const struct mutant *m, const struct tree *x, const struct tree *of)
{
    (void)m;
    (void)of;
    return (mutate_is_list(x) && has_room(x)) || lacks_something(x);
}

/* What was read as zero becomes something: decisions, or a child. */
static bool put_missing(struct mutant *m, struct tree *x)
{
    bool const lacks_decisions = x->n_head < TAPE_HEAD_RECORDS;
    if (lacks_decisions && (x->n_head == 0 || rng_below(m->rng, 2) == 0)) {
        for (uint32_t n = x->mark[0].n_missing; n > 0 && x->n_head < TAPE_HEAD_RECORDS; n--) {
            x->head[x->n_head++] = rng_next(m->rng);
        }
        return true;
    }
    struct tree *const y = random_node(m, NODE_PLAIN, x);
    if (!y || !fits_size(m, y, 0)) {
        return false;
    }
    tree_insert(x, tree_count_children(x), y);
    return true;
}

bool mutate_insert(struct mutant *m)
{
    struct tree *const x = mutate_pick(m, m->root, takes_more, NULL);
    if (!x || tree_count_records(m->root) + TAPE_HEAD_RECORDS > m->max_records) {
        return false;
    }
    if (lacks_something(x) && (!mutate_is_list(x) || rng_below(m->rng, 2) == 0)) {
        return put_missing(m, x);
    }
    struct tree *const y = mutate_is_list(x) ? random_node(m, item_of(x), x) : NULL;
    if (!y || !has_room(x) || !fits_size(m, y, 0)) {
        return false;
    }
    add_to_list(m, x, y);
    return true;
}

/* ---- delete ---- */

static bool is_inner_operand(const struct mutant *m, const struct tree *x, const struct tree *of)
{
    (void)m;
    return x != of && x->node == NODE_OPERAND;
}

static bool is_inner_statement(const struct mutant *m, const struct tree *x, const struct tree *of)
{
    return x != of && mutate_is_listed(x) && fits_list(m, of->parent, x->node);
}

static bool can_go(const struct mutant *m, const struct tree *x, const struct tree *of)
{
    (void)m;
    (void)of;
    return mutate_is_listed(x) || (x->node == NODE_OPERAND && operand_height(x) > 0);
}

/* One of those below x that may stand where it is, or NULL. */
static struct tree *pick_inner(struct mutant *m, struct tree *x)
{
    if (x->node == NODE_OPERAND) {
        return mutate_pick(m, x, is_inner_operand, x);
    }
    if (x->node == NODE_BRANCH && rng_below(m->rng, 2) == 0) {
        return mutate_pick(m, x, is_inner_statement, x);
    }
    return NULL;
}

/* A node goes; or one of those below it comes to where it was. */
bool mutate_delete(struct mutant *m)
{
    struct tree *const x = mutate_pick(m, m->root, can_go, NULL);
    struct tree *const inner = x ? pick_inner(m, x) : NULL;
    if (inner) {
        tree_remove(inner);
        tree_replace(x, inner);
        return true;
    }
    if (!x || !mutate_is_listed(x)) {
        return false;
    }
    take_from_list(x);
    return true;
}

/* ---- duplicate, move ---- */

static bool is_movable(const struct mutant *m, const struct tree *x, const struct tree *of)
{
    (void)m;
    (void)of;
    return mutate_is_listed(x) || x->node == NODE_OPERAND || x->node == NODE_COMPUTED ||
           x->node == NODE_CELL;
}

static bool takes_in(const struct mutant *m, const struct tree *x, const struct tree *of)
{
    return mutate_is_list(x) && has_room(x) && !tree_holds(of, x) && fits_list(m, x, of->node) &&
           fits_depth(x, of);
}

/* May `of` stand where x does, neither of them in the other? */
static bool is_like(const struct mutant *m, const struct tree *x, const struct tree *of)
{
    return x->parent && is_movable(m, x, NULL) && !tree_holds(x, of) && !tree_holds(of, x) &&
           fits_at(m, x, of);
}

bool mutate_adopt(struct mutant *m, const struct tree *from)
{
    struct tree *const list = mutate_pick(m, m->root, takes_in, from);
    struct tree *const x = list && fits_size(m, from, 0) ? copy(m, from) : NULL;
    if (!x) {
        return false;
    }
    add_to_list(m, list, x);
    return true;
}

bool mutate_duplicate(struct mutant *m)
{
    struct tree *const x = mutate_pick(m, m->root, is_movable, NULL);
    if (!x) {
        return false;
    }
    if (mutate_is_listed(x)) {
        return mutate_adopt(m, x);
    }
    struct tree *const target = mutate_pick(m, m->root, is_like, x);
    struct tree *const y = target ? copy(m, x) : NULL;
    if (!y) {
        return false;
    }
    tree_replace(target, y);
    return true;
}

/* x goes into another list, or to another index of its own. */
static bool move_to_list(struct mutant *m, struct tree *x)
{
    struct tree *const list = mutate_pick(m, m->root, takes_in, x);
    if (!list || !fits_size(m, x, count_freed(x))) {
        return false;
    }
    take_from_list(x);
    add_to_list(m, list, x);
    return true;
}

/* x and a node like it go each to where the other was. */
static bool swap(struct mutant *m, struct tree *x)
{
    struct tree *const y = mutate_pick(m, m->root, is_like, x);
    struct tree *const between = y && fits_at(m, x, y) ? copy(m, y) : NULL;
    if (!between) {
        return false;
    }
    tree_replace(y, between);
    tree_replace(x, y);
    tree_replace(between, x);
    return true;
}

bool mutate_move(struct mutant *m)
{
    struct tree *const x = mutate_pick(m, m->root, is_movable, NULL);
    if (!x) {
        return false;
    }
    bool const wants_list = mutate_is_listed(x) && rng_below(m->rng, 2) == 0;
    return wants_list ? move_to_list(m, x) : swap(m, x);
}

/* ---- splice, replace, nest ---- */

static bool is_read(const struct mutant *m, const struct tree *x, const struct tree *of)
{
    (void)m;
    (void)of;
    return x->node != NODE_UNREAD && x->node != NODE_ROOT;
}

static bool is_target_for(const struct mutant *m, const struct tree *x, const struct tree *of)
{
    return x->parent && x->node != NODE_UNREAD && fits_at(m, x, of);
}

/* What both have at the same index below the root: dispatch, modes, cells, a block. */
static bool splice_plan(struct mutant *m)
{
    uint32_t const at = (uint32_t)rng_below(m->rng, tree_count_children(m->root) + 1);
    struct tree *const x = tree_get_child(m->root, at);
    const struct tree *const from = tree_get_child(m->other, at);
    if (!x || !from || x->node == NODE_UNREAD || from->node != x->node ||
        !fits_size(m, from, count_freed(x))) {
        return false;
    }
    struct tree *const y = copy(m, from);
    if (!y) {
        return false;
    }
    tree_replace(x, y);
    return true;
}

/* x goes into some list of this tape that has room for it. */
static bool put_in_some_list(struct mutant *m, struct tree *x)
{
    struct tree *const list = mutate_pick(m, m->root, takes_in, x);
    if (!list || !fits_size(m, x, 0)) {
        return false;
    }
    add_to_list(m, list, x);
    return true;
}

/* Takes a node of the other tape: a copy of it goes into a list of this one, or replaces a node like it; now
 * and then it is a whole plan. false: there is no other tape, or nowhere for what was picked. */
bool mutate_splice(struct mutant *m)
{
    if (!m->other) {
        return false;
    }
    if (rng_below(m->rng, 4) == 0) {
        return splice_plan(m);
    }
    const struct tree *const from = mutate_pick(m, m->other, is_read, NULL);
    struct tree *const y = from ? copy(m, from) : NULL;
    if (!y) {
        return false;
    }
    if (rng_below(m->rng, 2) == 0 && put_in_some_list(m, y)) {
        return true;
    }
    struct tree *const target = mutate_pick(m, m->root, is_target_for, y);
    if (!target) {
        return false;
    }
    tree_replace(target, y);
    return true;
}

bool mutate_replace(struct mutant *m)
{
    struct tree *const x = mutate_pick(m, m->root, is_read, NULL);
    if (!x) {
        return false;
    }
    enum tape_node const node = mutate_is_listed(x) ? item_of(x->parent) : x->node;
    struct tree *const y = random_node(m, node, x->parent);
    if (!y || !fits_size(m, y, count_freed(x))) {
        return false;
    }
    tree_replace(x, y);
    return true;
}

/* May an operation come around an operand, or a branch around a statement? */
static bool can_nest(const struct mutant *m, const struct tree *x, const struct tree *of)
{
    (void)m;
    (void)of;
    if (x->node == NODE_OPERAND) {
        return count_operands(x->parent) + operand_height(x) < GRAMMAR_MAX_OPERAND_DEPTH;
    }
    return mutate_is_listed(x) && x->parent->node == NODE_BLOCK &&
           count_branches(x->parent) + branch_height(x) < GRAMMAR_MAX_DEPTH;
}

/* Most often the body is the statement alone. */
static void put_in_branch(struct mutant *m, struct tree *branch, struct tree *x)
{
    struct tree *const body = branch->first;
    while (body->first && rng_below(m->rng, 4) != 0) {
        tree_remove(body->first);
    }
    tree_insert(body, 0, x);
}

/* Nests a node in a new one. An operand becomes the first or second operand of an operation that replaces it:
 * that is drawn as NODE_COMPUTED, which has operands in any case, and made a NODE_OPERAND by a first decision
 * that says computed. A statement goes into the body of a branch or loop that replaces it. false: nothing can be
 * nested here. */
bool mutate_nest(struct mutant *m)
{
    struct tree *const x = mutate_pick(m, m->root, can_nest, NULL);
    if (!x) {
        return false;
    }
    bool const is_value = x->node == NODE_OPERAND;
    struct tree *const y = random_node(m, is_value ? NODE_COMPUTED : NODE_BRANCH, x->parent);
    if (!y || !fits_size(m, y, 0)) {
        return false;
    }
    tree_replace(x, y);
    if (is_value) {
        y->node = NODE_OPERAND;
        y->head[0] = GRAMMAR_COMPUTED_FROM + rng_below(m->rng, 100 - GRAMMAR_COMPUTED_FROM);
        tree_replace(tree_get_child(y, (uint32_t)rng_below(m->rng, 2)), x);
    } else {
        put_in_branch(m, y, x);
    }
    return true;
}
