/* oracle/interp/lower_matrix.c -- instructions on matrices as instructions on their vectors and numbers. Clause: SPIR-V
 * specification, OpTranspose, OpMatrixTimesScalar to OpOuterProduct: each is the one of linear algebra, and a matrix is a
 * sequence of columns. */
#include "oracle/interp/lower_matrix.h"

#include "oracle/interp/lower_put.h"

enum {
    DETERMINANT = OP_NUMBER(OP_SET_glsl450, 33),
    MATRIX_INVERSE = OP_NUMBER(OP_SET_glsl450, 34),
    MAX_SIDE = 4 /* columns, and rows, of a matrix */
};

bool lower_is_matrix(uint32_t op)
{
    return op == SpvOpTranspose || (op >= SpvOpMatrixTimesScalar && op <= SpvOpOuterProduct) ||
           op == DETERMINANT || op == MATRIX_INVERSE;
}

/* A matrix, or a vector as one with a single column. */
struct matrix {
    uint32_t id, column_type, scalar_type, n_columns, n_rows;
};

/* false: the id is no matrix, and no vector. */
static bool read(const struct module *m, uint32_t type, uint32_t id, struct matrix *out)
{
    const struct mod_type *const t = module_get_type(m, type);
    bool const is_matrix = t->is_matrix;
    const struct mod_type *const column = is_matrix ? module_get_type(m, t->elem) : t;
    *out = (struct matrix){.id = id,
                           .column_type = is_matrix ? t->elem : type,
                           .scalar_type = column->elem,
                           .n_columns = is_matrix ? t->n : 1,
                           .n_rows = column->n};
    return column->kind == TK_VECTOR && column->n <= MAX_SIDE && out->n_columns <= MAX_SIDE;
}

static bool read_operand(const struct module *m, const struct spv_inst *in, uint32_t word,
                         struct matrix *out)
{
    uint32_t const id = word < in->n && in->w[word] < m->n_ids ? in->w[word] : 0;
    return id && read(m, m->ids[id].type, id, out);
}

static uint32_t get_number(struct lower_to *l, const struct matrix *of, uint32_t column,
                           uint32_t row)
{
    bool const is_vector =
        of->n_columns == 1 && !module_get_type(l->m, l->m->ids[of->id].type)->is_matrix;
    uint32_t const operands[] = {of->id, is_vector ? row : column, row};
    return lower_put_new(l, SpvOpCompositeExtract, of->scalar_type, operands, is_vector ? 2 : 3);
}

static uint32_t get_column(struct lower_to *l, const struct matrix *of, uint32_t column)
{
    uint32_t const operands[] = {of->id, column};
    bool const is_vector = !module_get_type(l->m, l->m->ids[of->id].type)->is_matrix;
    return is_vector ? of->id
                     : lower_put_new(l, SpvOpCompositeExtract, of->column_type, operands, 2);
}

/* Row `row` as a vector of that type. */
static uint32_t get_row(struct lower_to *l, const struct matrix *of, uint32_t row, uint32_t type)
{
    uint32_t part[MAX_SIDE];
    for (uint32_t c = 0; c < of->n_columns; c++) {
        part[c] = get_number(l, of, c, row);
    }
    return lower_put_new(l, SpvOpCompositeConstruct, type, part, of->n_columns);
}

static bool transpose(struct lower_to *l, const struct matrix *result)
{
    struct matrix from;
    uint32_t column[MAX_SIDE];
    if (!read_operand(l->m, l->in, MOD_OPERAND, &from) || from.n_columns != result->n_rows ||
        from.n_rows != result->n_columns) {
        return false;
    }
    for (uint32_t r = 0; r < from.n_rows; r++) {
        column[r] = get_row(l, &from, r, result->column_type);
    }
    (void)lower_put(l, SpvOpCompositeConstruct, l->in->w[1], l->in->w[2], column, from.n_rows);
    return true;
}

/* Each column times a number: of a matrix times a scalar, or of an outer product the column vector times one of the row's. */
static bool scale(struct lower_to *l, const struct matrix *result, bool is_outer)
{
    struct matrix a, b = {0};
    uint32_t column[MAX_SIDE];
    uint32_t const second = MOD_OPERAND + 1 < l->in->n ? l->in->w[MOD_OPERAND + 1] : 0;
    if (!read_operand(l->m, l->in, MOD_OPERAND, &a) || a.n_rows != result->n_rows ||
        second >= l->m->n_ids ||
        (is_outer ? !read_operand(l->m, l->in, MOD_OPERAND + 1, &b) || b.n_rows != result->n_columns
                  : a.n_columns != result->n_columns)) {
        return false;
    }
    for (uint32_t c = 0; c < result->n_columns; c++) {
        uint32_t const operands[] = {get_column(l, &a, c),
                                     is_outer ? get_number(l, &b, 0, c) : second};
        column[c] = lower_put_new(l, SpvOpVectorTimesScalar, result->column_type, operands, 2);
    }
    (void)lower_put(l, SpvOpCompositeConstruct, l->in->w[1], l->in->w[2], column,
                    result->n_columns);
    return true;
}

/* A product of matrices, of which one may be a vector: each number is a sum of products. */
static bool multiply(struct lower_to *l, const struct matrix *result, uint32_t op)
{
    struct matrix a, b;
    uint32_t row[MAX_SIDE], column[MAX_SIDE];
    bool const is_row = op == SpvOpVectorTimesMatrix; /* the vector is a row */
    if (!read_operand(l->m, l->in, MOD_OPERAND, &a) ||
        !read_operand(l->m, l->in, MOD_OPERAND + 1, &b) ||
        (is_row ? a.n_columns != 1 || a.n_rows != b.n_rows || result->n_rows != b.n_columns
                : a.n_columns != b.n_rows || result->n_rows != a.n_rows ||
                      result->n_columns != b.n_columns)) {
        return false;
    }
    uint32_t const n_rows = is_row ? 1 : a.n_rows;
    for (uint32_t r = 0; r < n_rows; r++) {
        row[r] = is_row ? a.id : get_row(l, &a, r, b.column_type);
    }
    for (uint32_t c = 0; c < b.n_columns; c++) {
        uint32_t const of_b = get_column(l, &b, c);
        uint32_t sum[MAX_SIDE] = {0};
        for (uint32_t r = 0; r < n_rows; r++) {
            uint32_t const operands[] = {row[r], of_b};
            sum[r] = lower_put_new(l, SpvOpDot, result->scalar_type, operands, 2);
        }
        bool const is_last = op == SpvOpMatrixTimesVector;
        column[c] =
            is_row    ? sum[0]
            : is_last ? lower_put(l, SpvOpCompositeConstruct, l->in->w[1], l->in->w[2], sum, n_rows)
                      : lower_put_new(l, SpvOpCompositeConstruct, result->column_type, sum, n_rows);
    }
    if (op != SpvOpMatrixTimesVector) {
        (void)lower_put(l, SpvOpCompositeConstruct, l->in->w[1], l->in->w[2], column, b.n_columns);
    }
    return true;
}

static bool lower(struct lower_to *l, uint32_t op)
{
    struct matrix result;
    uint32_t const type = l->in->w[1];
    if (op == DETERMINANT || op == MATRIX_INVERSE) {
        l->flags = 0;
        (void)lower_put(l, SpvOpUndef, type, l->in->w[2], NULL, 0);
        return true;
    }
    if (!read(l->m, type, 0, &result)) {
        return false;
    }
    switch (op) {
    case SpvOpTranspose:
        return transpose(l, &result);
    case SpvOpMatrixTimesScalar:
        return scale(l, &result, false);
    case SpvOpOuterProduct:
        return scale(l, &result, true);
    default:
        return multiply(l, &result, op);
    }
}

enum res lower_matrix(struct module *m, const struct spv_inst *in, uint32_t op, uint32_t *next_id,
                      struct arena *a, struct err *e)
{
    bool const is_whole = in->n > MOD_OPERAND && in->w[1] < m->n_ids && in->w[2] < m->n_ids;
    if (!is_whole || m->ids[in->w[2]].def != UINT32_MAX || m->ids[in->w[2]].n_slots != 0) {
        return err_set(e, RES_FORMAT, "module: word %u: a matrix without a result of its own",
                       in->offset);
    }
    struct lower_to l = {.m = m,
                         .in = in,
                         .next_id = next_id,
                         .flags = (m->ids[in->w[2]].flags & ID_NO_CONTRACTION) | ID_UNBOUNDED,
                         .a = a};
    if (!lower(&l, op) && !m->unsupported) {
        m->unsupported = "an instruction on matrices of another form";
    }
    return lower_end(&l, e);
}
