/* expected.h -- what tells that the bug is there. */
#define BUG          "CHEL" /* outcomes that are the bug: run_once in host.c */
#define BUG_TEXT     "the driver did not bring the run to its end"
#define DEFAULT_RUNS 1 /* until it is said not to be there */
#define DEADLINE_S   60 /* of one run */
