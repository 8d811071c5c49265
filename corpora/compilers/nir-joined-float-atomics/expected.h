/* expected.h -- what tells that the bug is there. */
#define BUG          "Y" /* outcomes that are the bug: run_once in host.c */
#define BUG_TEXT     "all outputs are what they were when it was seen"
#define DEFAULT_RUNS 20 /* until it is said not to be there */
#define DEADLINE_S   60 /* of one run */

/* No one word tells: the outputs as a whole are compared with those of the run that showed the
 * bug. Other outputs are not the bug, but may be wrong in another way. */
static const char *const outputs[] = {"out-0.bin", "out-1.bin", NULL};
