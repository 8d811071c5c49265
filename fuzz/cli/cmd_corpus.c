/* fuzz/cli/cmd_corpus.c -- halfulp corpus: few and small tapes out of many. */
#include "fuzz/cli/commands.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/printable.h"
#include "fuzz/campaign/minimise.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/cli/cli.h"
#include "fuzz/targets/targets_choose.h"
#include "gen/tape/profile.h"
#include "gen/tape/tape.h"

enum {
    MAX_INPUTS = 1 << 16, /* an array of so many tapes is allocated at once */
    MOST_SEEN = 255       /* a count in inputs.seen is a byte, and stays here */
};

struct options {
    const char *output;
    struct minimise_options o;
    int has_profile;
    enum profile profile;
    uint64_t n_random, seed, least;
};

static const struct cli_option option_rows[] = {
    CLI_ROW("output", "FOLDER", "folder for the chosen tapes", CLI_PUT(CLI_TEXT, output),
            .letter = 'o'),
    CLI_ROW("max-tapes", "N", "maximum number of tapes (default: 150)",
            CLI_PUT(CLI_U32, o.max_tapes), CLI_WITHIN(1, MAX_INPUTS)),
    CLI_ROW("max-size", "SIZE", "maximum total size of the tapes (default: 400K)",
            CLI_PUT(CLI_SIZE, o.max_bytes)),
    CLI_ROW("trials", "N", "number of attempts to shorten each tape (default: 100)",
            CLI_PUT(CLI_U32, o.max_trials), CLI_WITHIN(0, 1 << 20)),
    CLI_ROW("profile", "NAME", "use only tapes of this profile (default: all profiles)",
            CLI_PUT(CLI_PROFILE, profile), CLI_GIVEN(has_profile)),
    CLI_ROW("random", "N", "add N random tapes of the profile to the input",
            CLI_PUT(CLI_U64, n_random), CLI_WITHIN(0, UINT32_MAX)),
    CLI_ROW("seed", "N", "seed of the random tapes (default: 1)", CLI_PUT(CLI_U64, seed),
            CLI_WITHIN(0, UINT64_MAX)),
    CLI_ROW("least", "N", "ignore features that fewer than N input tapes show (default: 1)",
            CLI_PUT(CLI_U64, least), CLI_WITHIN(1, MOST_SEEN)),
    {.name = NULL},
};
static const struct cli_command cmd_corpus_help = {
    "corpus", "[OPTION]... [-o FOLDER] [PATH]...",
    "Choose a few tapes that together show every coverage feature of the input tapes, and shorten "
    "each chosen tape.",
    "PATH is a tape or a folder of tapes, such as CAMPAIGN/corpus or the queue of AFL++. halfulp "
    "runs each\n"
    "tape on a simulated device, and records which coverage features the tape shows. halfulp then "
    "chooses tapes\n"
    "until the chosen tapes together show every recorded feature. From each chosen tape, halfulp "
    "removes the\n"
    "records that these features do not need. Without -o, halfulp only prints the number of "
    "features.\n"
    "Exit status: 0 the tapes were chosen; 2 wrong usage or bad input; 3 the tapes could not be "
    "written.\n",
    option_rows};

#define CORPUS_ARENA_BYTES ((size_t)4 << 30)

/* The tapes that were read, measured. */
struct inputs {
    const struct options *opt;
    struct arena *a;
    struct minimise_tape *x;
    uint32_t n, n_bad;
    unsigned char *all; /* cells of any of them, and their number */
    uint32_t n_all;
    unsigned char *seen; /* [MINIMISE_CELLS]: how many of the tapes set it, up to MOST_SEEN */
};

/* Count the tape's cells in in->seen and in->all; returns how many were not seen before. */
static uint32_t note_cells(struct inputs *in, const struct minimise_tape *x)
{
    for (uint32_t i = 0; i < x->n_cells; i++) {
        unsigned char *const n = &in->seen[x->cell[i]];
        *n = (unsigned char)(*n + (*n < MOST_SEEN)); /* it stays at MOST_SEEN */
    }
    return minimise_add(in->all, x);
}

/* Add the tape of a file to the inputs, with the cells that it sets. A file that holds no tape, or one of a
 * profile other than the asked one, is counted as bad and passed over. */
static enum res take_file(struct inputs *in, const char *path, struct err *e)
{
    const char *profile = "";
    struct err bad;
    struct minimise_tape *x = &in->x[in->n];
    if (in->n == MAX_INPUTS) {
        return err_set(e, RES_LIMIT, "%s: more than %d tapes", path, MAX_INPUTS);
    }
    memset(x, 0, sizeof(*x));
    if (tape_load_file(&x->tape, path, &profile, in->a, &bad) != RES_OK) {
        in->n_bad++;
        return RES_OK;
    }
    x->profile = (enum profile)profile_find(profile);
    /* PROFILE_ALL as an option means a tape of any profile. */
    if (in->opt->has_profile && in->opt->profile != PROFILE_ALL && x->profile != in->opt->profile) {
        in->n_bad++;
        return RES_OK;
    }
    /* *x counts only once n grows: a tape that could not be measured is overwritten by the next. */
    enum res const r = minimise_measure(in->opt->o.target, x, in->a, e);
    if (r == RES_OK) {
        in->n_all += note_cells(in, x);
        in->n++;
    }
    return r;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Add every file of a folder to the inputs, without hidden ones and sub-folders. They come in the order of their
 * names, so that the same files give the same answer. A folder of more than MAX_INPUTS files is refused here, before
 * any of its tapes is measured; take_file refuses the tape with which all inputs together are more. */
static enum res take_folder(struct inputs *in, const char *path, struct err *e)
{
    const char **names = ARENA_NEW(in->a, const char *, MAX_INPUTS);
    if (!names) {
        return err_set(e, RES_NOMEM, "%s: no memory for the names of its files", path);
    }
    DIR *dir = opendir(path);
    if (!dir) {
        return err_set(e, RES_USAGE, "%s: %s", path, strerror(errno));
    }
    struct dirent *entry = NULL;
    uint32_t n = 0;
    enum res r = RES_OK;
    while (r == RES_OK && (entry = readdir(dir)) != NULL) {
        struct stat s;
        const char *name = arena_printf(in->a, "%s/%s", path, entry->d_name);
        if (!name[0]) { /* what arena_printf gives of a full arena */
            r = err_set(e, RES_NOMEM, "%s: no memory for the names of its files", path);
        } else if (entry->d_name[0] == '.' || stat(name, &s) != 0 || !S_ISREG(s.st_mode)) {
            continue;
        } else if (n == MAX_INPUTS) {
            r = err_set(e, RES_LIMIT, "%s: more than %d files", path, MAX_INPUTS);
        } else {
            names[n++] = name;
        }
    }
    (void)closedir(dir);
    qsort(names, n, sizeof(*names), compare_names);
    for (uint32_t i = 0; i < n && r == RES_OK; i++) {
        r = take_file(in, names[i], e);
    }
    return r;
}

static enum res take_paths(struct inputs *in, int n, char **paths, struct err *e)
{
    enum res r = RES_OK;
    for (int i = 0; i < n && r == RES_OK; i++) {
        struct stat s;
        if (stat(paths[i], &s) != 0) {
            return err_set(e, RES_USAGE, "%s: %s", paths[i], strerror(errno));
        }
        r = S_ISDIR(s.st_mode) ? take_folder(in, paths[i], e) : take_file(in, paths[i], e);
    }
    return r;
}

/* Make random tape number `index` and measure which cells it sets; it is kept among the inputs where it sets
 * one that none before it sets. Tape and cells lie in `scratch` and are copied then. */
static enum res take_one_random(struct inputs *in, uint64_t index, struct arena *scratch,
                                struct err *e)
{
    const struct options *const opt = in->opt;
    struct minimise_tape x = {.profile = sched_pick_profile(opt->profile, index)};
    TRY(sched_make_tape(opt->seed, index, scratch, &x.tape, e));
    TRY(minimise_measure(opt->o.target, &x, scratch, e));
    uint32_t const n_new = note_cells(in, &x);
    if (n_new == 0) {
        return RES_OK;
    }
    x.tape.data = arena_copy(in->a, x.tape.data, x.tape.n_records * TAPE_RECORD_BYTES);
    x.cell = arena_copy(in->a, x.cell, x.n_cells * sizeof *x.cell);
    if (!x.tape.data || !x.cell) {
        return err_set(e, RES_NOMEM, "no memory for %" PRIu32 " tapes", in->n);
    }
    in->x[in->n++] = x;
    in->n_all += n_new;
    return RES_OK;
}

static enum res take_random(struct inputs *in, struct err *e)
{
    struct arena scratch;
    enum res r = RES_OK;
    arena_init(&scratch, (size_t)64 << 20);
    for (uint64_t i = 0; i < in->opt->n_random && in->n < MAX_INPUTS && r == RES_OK; i++) {
        arena_reset(&scratch);
        r = take_one_random(in, i, &scratch, e);
    }
    arena_free(&scratch);
    return r;
}

/* Named by the order of the choice, best first, and by what is in them. */
static enum res write_all(const char *folder, const struct minimise_tape *x, uint32_t n,
                          struct arena *a, struct err *e)
{
    enum res r = file_make_path(folder, e);
    for (uint32_t i = 0; i < n && r == RES_OK; i++) {
        uint64_t const h = hash_bytes(0, x[i].tape.data, x[i].tape.n_records * TAPE_RECORD_BYTES);
        const char *path = arena_printf(a, "%s/%03" PRIu32 "-%016" PRIx64 ".tape", folder, i, h);
        r = tape_save_file(&x[i].tape, path, profile_names[x[i].profile], e);
    }
    return r;
}

/* What n chosen tapes come to; `covered` begins with the cells that are not looked for, which do not count. */
static void print_chosen(const struct options *opt, const struct minimise_tape *chosen, uint32_t n,
                         unsigned char *covered)
{
    uint32_t n_set = 0;
    uint64_t n_bytes = 0;
    for (uint32_t i = 0; i < n; i++) {
        n_set += minimise_add(covered, &chosen[i]);
        n_bytes += chosen[i].tape.n_records * TAPE_RECORD_BYTES;
    }
    printable_print(stdout,
                    "%s: %" PRIu32 " tapes of %" PRIu64 " bytes set %" PRIu32 " of the features\n",
                    opt->output, n, n_bytes, n_set);
}

/* Choose few tapes that together set the cells that all inputs set, make them small, write and print them.
 * Cells that fewer than --least inputs set are ignored: a tape for them alone would not pay. */
static enum res choose(const struct inputs *in, struct err *e)
{
    const struct options *opt = in->opt;
    struct minimise_tape *chosen = ARENA_NEW(in->a, struct minimise_tape, opt->o.max_tapes);
    unsigned char *ignored = ARENA_NEW(in->a, unsigned char, MINIMISE_SET_BYTES);
    uint32_t n = 0;
    if (!chosen || !ignored) {
        return err_set(e, RES_NOMEM, "no memory for the chosen tapes");
    }
    for (uint32_t i = 0; i < MINIMISE_CELLS; i++) { /* --least */
        bool const is_rare = in->seen[i] < opt->least;
        ignored[i / 8] |= (unsigned char)(is_rare << i % 8);
    }
    struct minimise_options o = opt->o;
    o.ignored = ignored;
    TRY(minimise_tapes(&o, in->x, in->n, in->a, chosen, &n, e));
    TRY(write_all(opt->output, chosen, n, in->a, e));
    print_chosen(opt, chosen, n, ignored);
    return RES_OK;
}

/* What was read. */
static void print_read(const struct inputs *in)
{
    uint32_t n_frequent = 0;
    for (uint32_t i = 0; i < MINIMISE_CELLS; i++) {
        n_frequent += in->seen[i] >= in->opt->least;
    }
    printable_print(stdout,
                    "%" PRIu32 " tapes set %" PRIu32 " features, %" PRIu32
                    " of them as often as wanted; %" PRIu32 " files left out\n",
                    in->n, in->n_all, n_frequent, in->n_bad);
}

/* The work of the command: measure the tapes of all paths and the random ones on the simulated target
 * sim-ieee, print what they set, and with -o choose the best of them. */
static enum cli_status work(struct options *opt, int n, char **paths, struct arena *a)
{
    struct err e = {RES_OK, ""};
    struct target_list *found = ARENA_NEW(a, struct target_list, 1);
    struct target_list *list = ARENA_NEW(a, struct target_list, 1);
    struct inputs in = {.opt = opt,
                        .a = a,
                        .x = ARENA_NEW(a, struct minimise_tape, MAX_INPUTS),
                        .all = ARENA_NEW(a, unsigned char, MINIMISE_SET_BYTES),
                        .seen = ARENA_NEW(a, unsigned char, MINIMISE_CELLS)};
    if (!found || !list || !in.x || !in.all || !in.seen) {
        return STATUS_HARNESS;
    }
    if (targets_select(found, "sim-ieee", list, a, &e) != RES_OK) {
        return cli_fail(&cmd_corpus_help, &e);
    }
    opt->o.target = &list->t[0];
    if (take_paths(&in, n, paths, &e) != RES_OK || take_random(&in, &e) != RES_OK) {
        return cli_fail(&cmd_corpus_help, &e);
    }
    print_read(&in);
    if (in.n == 0) {
        return cli_complain(&cmd_corpus_help, "no input file is a tape of generator version %d",
                            GEN_VERSION);
    }
    if (opt->output && choose(&in, &e) != RES_OK) {
        return cli_fail(&cmd_corpus_help, &e);
    }
    return STATUS_OK;
}

static enum cli_status run(struct cli *c, void *options, struct arena *a)
{
    struct options *opt = options;
    if (c->n_words == 0 && opt->n_random == 0) {
        return cli_complain(c->command, "a PATH is needed, or --random");
    }
    if (opt->n_random > 0 && !opt->has_profile) {
        return cli_complain(c->command, "--random needs --profile");
    }
    if (opt->output) {
        file_note_made(&c->made, opt->output);
    }
    return work(opt, c->n_words, c->words, a);
}

static const struct options defaults = {
    .o = {.max_tapes = 150, .max_bytes = 400000, .max_trials = 100},
      .seed = 1, .least = 1
};
const struct cli_entry cmd_corpus = {&cmd_corpus_help, &defaults, sizeof defaults,
                                     CORPUS_ARENA_BYTES, run};
