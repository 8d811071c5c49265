/* tests/program/test_slurm.c -- scripts/slurm without a cluster: settings, what is submitted, and a shard that is stopped,
 * goes on elsewhere, or can run nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/base.h"

enum {
    MAX_PATH = 600,
    WAIT_TRIES = 6000 /* of 0.05 s: what only a hang reaches */
};

struct rig {
    char folder[MAX_PATH];
    struct arena a;
};

static int run(const char *command)
{
    int const status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int set_up(void **state)
{
    struct rig *r = calloc(1, sizeof *r);
    const char *base = getenv("TMPDIR");
    arena_init(&r->a, 1 << 20);
    (void)snprintf(r->folder, sizeof r->folder, "%.400s/halfulp-slurm-XXXXXX",
                   base && *base ? base : "/tmp");
    *state = r;
    return mkdtemp(r->folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct rig *r = *state;
    (void)run(arena_printf(&r->a, "rm -rf '%s'", r->folder));
    arena_free(&r->a);
    free(r);
    return 0;
}

/* A file of the rig's folder. */
static void write_text(struct rig *r, const char *name, const char *text)
{
    FILE *f = fopen(arena_printf(&r->a, "%s/%s", r->folder, name), "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* A command of sh within the rig's folder, where $S is scripts/slurm; its status. What it says is in the file said. */
static int do_there(struct rig *r, const char *command)
{
    return run(arena_printf(&r->a, "S=$PWD/scripts/slurm; cd '%s' && { %s\n} >said 2>&1", r->folder,
                            command));
}

static void expect(struct rig *r, const char *command, int status)
{
    int const got = do_there(r, command);
    if (got != status) {
        (void)run(arena_printf(&r->a, "cat '%s/said' >&2", r->folder));
        fail_msg("%s: status %d, %d is wanted", command, got, status);
    }
}

static void expect_said(struct rig *r, const char *words)
{
    if (run(arena_printf(&r->a, "grep -qF -e '%s' '%s/said'", words, r->folder)) != 0) {
        (void)run(arena_printf(&r->a, "cat '%s/said' >&2", r->folder));
        fail_msg("it does not say: %s", words);
    }
}

static const char all_settings[] =
    "folder = %s/first\nhalfulp = %s/halfulp\ntargets = one,two\nseed = 7\nshards = 3\ncases = 60\n"
    "interval = 3600\npause = 0\ntries = 2\nlocal_mib = 0\nlocal = %s/disk\n%s\n";

static void write_settings(struct rig *r, const char *more)
{
    const char *const f = r->folder;
    write_text(r, "settings", arena_printf(&r->a, all_settings, f, f, f, more));
}

static void each_bad_setting_is_told_by_file_and_line(void **state)
{
    struct rig *r = *state;
    static const char *const rows[][2] = {
        {"shardz = 4",                   "settings:12: shardz: no such setting"                },
        {"seed = 8",                     "settings:12: seed: is set in line 4 already"         },
        {"hours = soon",                 "settings:12: hours = soon: needed is a time such as" },
        {"cpus = 0",                     "settings:12: cpus = 0: needed is a number from 1"    },
        {"time = 4 hours",               "settings:12: time = 4 hours: needed is as sbatch"    },
        {"gres.three = gpu:1",           "settings:12: gres.three: targets has no three"       },
        {"known = known.tsv",            "settings:12: known = known.tsv: needed is a path"    },
        {"mutate = 101",                 "settings:12: mutate = 101: needed is a number from 0"},
        {"triage_shards = 12345",        "settings:12: triage_shards = 12345: needed is"       },
        {"suppress = /tmp/it's",         "settings:12: suppress = /tmp/it"                     },
        {"a line without an assignment", "settings:12: \"a line without"                       },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        write_settings(r, rows[i][0]);
        expect(r, "$S/submit.sh --dry-run settings", 2);
        expect_said(r, rows[i][1]);
    }
    write_text(r, "settings", "# nothing\n");
    expect(r, "$S/submit.sh --dry-run settings", 2);
    expect_said(r, "settings:1: folder: is missing");
    expect_said(r, "settings:1: cases or hours: one of them is needed");
}

static void what_is_wrong_with_the_place_is_told(void **state)
{
    struct rig *r = *state;
    write_settings(r, "");
    expect(r, "$S/submit.sh --dry-run nowhere", 2);
    expect_said(r, "nowhere: no such file");
    expect(r, "$S/submit.sh --dry-run settings", 2);
    expect_said(r, "/halfulp: no such program");
    expect(r,
           "mkdir bin && for t in sh dirname awk sed cat; do ln -s \"$(command -v $t)\" bin; done; "
           "PATH=$PWD/bin $S/submit.sh settings",
           2);
    expect_said(r, "no sbatch here");
    expect(r, "$S/submit.sh --dry-run --resume nowhere", 2);
    expect_said(r, "nowhere: no campaign is there");
    expect(r, "$S/status.sh nowhere", 2);
    expect_said(r, "nowhere: no campaign is there");
}

/* A program that does what halfulp does as far as a shard's script can see. The file `act` says what: wait (until SIGTERM),
 * end, nothing (could be run). A run adds a line to its journal. */
static const char program[] =
    "#!/bin/sh\n"
    "here=$(dirname \"$0\")\n"
    "echo \"$*\" >>\"$here/calls\"\n"
    "while [ $# -gt 1 ]; do [ \"$1\" != -o ] || out=$2; shift; done\n"
    "[ \"$(cat \"$here/act\")\" != nothing ] || exit 3\n"
    "mkdir -p \"$out\"\n"
    "echo \"$(cat \"$here/act\")\" >>\"$out/journal.sqlite\"\n"
    "table() { echo 'target cases skipped judged findings cases/s'\n"
    "    wc -l <\"$out/journal.sqlite\" | sed 's/.*/one & 0 9 1 2.5/'; }\n"
    "[ \"$(cat \"$here/act\")\" = wait ] || { table; exit 1; }\n"
    "trap 'table; exit 4' TERM\n"
    "touch \"$here/waiting\"\n"
    "while :; do sleep 0.05; done\n";

static void begin(struct rig *r, const char *more)
{
    write_settings(r, more);
    write_text(r, "halfulp", program);
    expect(r, "mkdir -p disk && chmod 755 halfulp && $S/submit.sh --dry-run settings", 0);
}

static void one_command_submits_all(void **state)
{
    struct rig *r = *state;
    begin(r, "partition = fast\ntriage_shards = 5\nat_once = 2");
    expect_said(r, "--array=1-3%2");
    expect_said(r, "--partition=fast");
    expect_said(r, "--signal=B:TERM@60");
    expect_said(r, "--dependency=afterany:N");
    expect_said(r, "--array=1-5");
    expect(r, "test \"$(cat first/todo.aaaa | tr '\\n' ' ')\" = '1 2 3 '", 0);
    expect(r, "$S/submit.sh --dry-run settings", 2);
    expect_said(r, "has a campaign already");
    /* what is done is not submitted again */
    expect(r,
           "mkdir -p first/shards/2 && touch first/shards/2/done && $S/submit.sh --dry-run "
           "--resume first",
           0);
    expect(r, "test \"$(cat first/todo.aaaa | tr '\\n' ' ')\" = '1 3 '", 0);
}

static void targets_that_need_other_nodes_are_apart(void **state)
{
    struct rig *r = *state;
    begin(r, "gres.two = gpu:1");
    expect_said(r, "--gres=gpu:1");
    expect(r,
           "grep -qx \"set_targets='one'\" first/one/settings && grep -qx \"set_gres='gpu:1'\" "
           "first/two/settings",
           0);
    expect(r, "$S/status.sh first", 1);
    expect_said(r, "3 shards of two");
}

/* Stop a shard once it runs, and wait for its end. */
static const char stop_it[] =
    "echo wait >act; rm -f waiting; first/shard.sh $PWD/first 2 & "
    "n=0; until [ -e waiting ]; do sleep 0.05; n=$((n + 1)); [ $n -lt %d ] || exit 1; done; "
    "kill -TERM $!; wait $!";

static void a_shard_that_is_stopped_goes_on(void **state)
{
    struct rig *r = *state;
    begin(r, "");
    const char *const stop = arena_printf(&r->a, stop_it, WAIT_TRIES);
    expect(r, stop, 75);
    expect(r, "cat calls", 0);
    expect_said(r, "--shard 2/3 --seed 7 --targets one,two --profile all --cases 60");
    expect(r, "cat first/shards/2/state", 0);
    expect_said(r, "stopped 1 1 ");
    expect(r, "diff first/shards/2/journal.sqlite - <<END\nwait\nEND\n", 0);
    /* on another node, whose disk has nothing, or what is older */
    expect(r, "mv disk other && mkdir disk", 0);
    expect(r, stop, 75);
    expect(r, "diff first/shards/2/journal.sqlite - <<END\nwait\nwait\nEND\n", 0);
    expect(r, "rm -rf disk && mv other disk && echo end >act && first/shard.sh $PWD/first 2", 0);
    expect(r, "diff first/shards/2/journal.sqlite - <<END\nwait\nwait\nend\nEND\n", 0);
    expect(r, "tail -n 1 calls | grep -e --resume && ! tail -n 1 calls | grep -e --shard", 0);
    /* what is done stays as it is, and leaves nothing on the node */
    expect(r, "first/shard.sh $PWD/first 2 && test $(wc -l <calls) -eq 3 && test -z \"$(ls disk)\"",
           0);
    expect(r, "$S/status.sh first", 1);
    expect_said(r, "shards: 1 done, 0 running");
    expect_said(r, "cases: 3 of 120, findings: 1");
}

static void what_was_killed_goes_on_from_its_disk(void **state)
{
    struct rig *r = *state;
    begin(r, "");
    const char *const stop = arena_printf(&r->a, stop_it, WAIT_TRIES);
    expect(r, stop, 75);
    /* killed, it has one line more on its disk than was copied */
    expect(r,
           "echo killed >>$(echo disk/*/run/journal.sqlite); echo end >act; first/shard.sh "
           "$PWD/first 2",
           0);
    expect(r, "diff first/shards/2/journal.sqlite - <<END\nwait\nkilled\nend\nEND\n", 0);
}

static void a_shard_that_runs_nothing_is_given_up(void **state)
{
    struct rig *r = *state;
    begin(r, "");
    expect(r, "echo nothing >act; first/shard.sh $PWD/first 1", 75);
    expect(r, "$S/status.sh first", 1);
    expect_said(r, "shard 1: nothing could be run on ");
    expect(r, "first/shard.sh $PWD/first 1", 3);
    expect(r, "$S/status.sh first", 1);
    expect_said(r, "shard 1: given up on ");
    /* submitted again it has its tries again */
    expect(r, "echo end >act; first/shard.sh $PWD/first 1", 0);
}

static void a_disk_without_room_is_not_used(void **state)
{
    struct rig *r = *state;
    begin(r, "");
    expect(
        r,
        "sed -i \"s/^set_local_mib=.*/set_local_mib='999999999'/\" first/settings; echo end >act; "
        "first/shard.sh $PWD/first 3",
        0);
    expect_said(r, "not 999999999 MiB free there; working in ");
    expect(r, "test -s first/shards/3/journal.sqlite && test -z \"$(ls disk)\"", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_bad_setting_is_told_by_file_and_line, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_wrong_with_the_place_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_command_submits_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(targets_that_need_other_nodes_are_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_shard_that_is_stopped_goes_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_killed_goes_on_from_its_disk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_shard_that_runs_nothing_is_given_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_disk_without_room_is_not_used, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
