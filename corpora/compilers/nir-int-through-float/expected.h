/* expected.h -- what tells that the bug is there. */
#define BUG          "Y" /* outcomes that are the bug: run_once in host.c */
#define BUG_TEXT     "a word of a buffer is not permitted"
#define DEFAULT_RUNS 1 /* until it is said not to be there */
#define ALL_WORDS    458u /* of 4 bytes, in all buffers */

/* A word of a buffer, and the ranges that its bits, as a number, may be in. */
static const struct word {
    unsigned buffer, byte, n_bytes, n_ranges;
    struct { uint64_t low, high; } range[1];
    const char *permitted; /* the same, to be read */
} words[] = {
    {1, 12, 4, 1, {{0xbfee9780, 0xbfee9780}}, "0xbfee9780 (3220084608 or -1074882688)"},
};
