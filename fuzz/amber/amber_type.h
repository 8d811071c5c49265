/* fuzz/amber/amber_type.h -- data types of Amber, and how their numbers lie in a buffer. */
#pragma once

#include "base/base.h"

/* int8 to uint64, float16, float, double; a vector of 2 to 4 of these, or a matrix of 2 to 4 such columns; an array of them.
 * Its numbers are counted through all elements of the buffer, column by column. */
struct amber_type {
    unsigned n_bits; /* of a number */
    bool is_float, is_signed;
    uint32_t n_rows, n_columns;
    uint32_t column_bytes, stride; /* bytes from one column, from one element, to the next */
};

/*
 * Reads int32, vec3<float>, mat2x3<double> (2 columns of 3 rows), float[], or the name of a format of 1 to 4 components of the same
 * kind, such as R32G32_SFLOAT. They lie as Amber has it: what has 3 rows takes the room of 4, and so does in std140 each column of
 * a matrix and each element of an array. False: it is none of these.
 */
bool amber_type_read(const char *text, bool is_std140, struct amber_type *out);

/* Numbers of an element. */
uint32_t amber_type_count(const struct amber_type *type);
/* The first byte of number i. */
size_t amber_type_place(const struct amber_type *type, uint32_t i);
/* The number that begins at the byte. False: none does. */
bool amber_type_find(const struct amber_type *type, uint32_t byte, uint32_t *i);

/* A float as it lies in memory: of float16 rounded to a float and then towards zero, as Amber does it, else to the
 * nearest. */
uint64_t amber_type_encode_float(const struct amber_type *type, double number);
/* A number as it lies in memory, of a text that amber_read_number takes: integers are cut to their width. */
uint64_t amber_type_encode(const struct amber_type *type, const char *text);
/* The number at that place: floats as they are, integers rounded to a double. */
double amber_type_decode(const struct amber_type *type, const unsigned char *at);
