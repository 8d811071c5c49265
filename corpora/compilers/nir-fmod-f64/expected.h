/* expected.h -- what tells that the bug is there. */
#define BUG          "Y" /* outcomes that are the bug: run_once in host.c */
#define BUG_TEXT     "a word of a buffer is not permitted"
#define DEFAULT_RUNS 1 /* until it is said not to be there */
#define DEADLINE_S   60 /* of one run */

/* A word of a buffer and what it may hold: of a float its key (key_of in host.c) lies in a
 * range, or it is a NaN and those are permitted; of an integer the number lies in a range. */
struct word {
    unsigned buffer, byte, n_bytes;
    int is_float, any_qnan, any_snan;
    unsigned n_ranges;
    struct {
        int64_t low, high;
    } range[8];
    const char *permitted; /* the same, to be read */
    int is_shown_as_float;
};
static const struct word words[] = {
    {2, 0, 8, 1, 0, 0, 1, {{INT64_C(-5271463364915101697), INT64_C(5271463364915101696)}}, "0xc928000040400000 (-2.6760898508381684e+44) to 0x4928000040400000 (2.6760898508381684e+44)", 1},
};
