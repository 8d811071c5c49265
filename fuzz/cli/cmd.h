/* fuzz/cli/cmd.h -- the commands; each takes its own words, argv[0] being its name. */
#pragma once

#include "fuzz/cli/cli.h"

enum {
    CMD_MAX_PATH = 1024
};

/* What main does afterwards: write the reports of a campaign. */
struct cmd_result {
    enum cli_status status;
    char folder[CMD_MAX_PATH]; /* of the campaign, "" for none */
    int is_json;
};

struct cmd_result cmd_run(int argc, char **argv);
struct cmd_result cmd_fuzz(int argc, char **argv);
enum cli_status cmd_devices(int argc, char **argv);
enum cli_status cmd_gen(int argc, char **argv);
enum cli_status cmd_check(int argc, char **argv);
enum cli_status cmd_corpus(int argc, char **argv);
enum cli_status cmd_judge(int argc, char **argv);
enum cli_status cmd_selftest(int argc, char **argv);
enum cli_status cmd_audit(int argc, char **argv);
enum cli_status cmd_reduce(int argc, char **argv);
enum cli_status cmd_report(int argc, char **argv);
/* fuzz/cli/cmd_report.c: the reports of a campaign, in its folder, one file per format. */
MUST_USE enum res report_files(const char *folder, struct arena *a, struct err *e);

extern const struct cli_command cmd_run_help, cmd_fuzz_help, cmd_devices_help, cmd_gen_help,
    cmd_check_help, cmd_corpus_help, cmd_judge_help, cmd_selftest_help, cmd_audit_help,
    cmd_reduce_help, cmd_report_help;
