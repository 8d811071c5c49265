"""tests/deqp_runner.py -- a small stand-in for deqp-runner's gtest suites, written by its documents, for tests.

deqp_runner.py --output FOLDER [--baseline F] [--flakes F] [--skips F] [--group N] [--timeout S] [--jobs N] -- PROGRAM ARG...

The tests are those that PROGRAM lists with --gtest_list_tests. They are run in groups with --gtest_filter. A line
"[ RUN      ] NAME" begins a test and the next line that holds "[ WORD ] " ends it: OK, FAILED or SKIPPED, and any other word ends the
program of this script. A test without an end is a crash, or a timeout if the program was killed; the tests behind it are run in a
new group. A test that fails unexpectedly is run once more: if it passes, it is a flake. FOLDER/results.csv has a line for each
test, FOLDER/failures.csv those that are to be the next baseline. Exit status: 0 as expected, 1 not, 2 the program breaks the
protocol.
"""
import argparse
import os
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

RUN = re.compile(r"\[\sRUN\s*\]\s(.*)")
STATUS = re.compile(r"\[\s*(\S*)\s*\]\s(\S*)")
WORDS = {"OK": "Pass", "FAILED": "Fail", "SKIPPED": "Skip"}


def break_off(text):
    print("deqp_runner: " + text, file=sys.stderr)
    os._exit(2)


def list_tests(command):
    out = subprocess.run(command + ["--gtest_list_tests"], capture_output=True, text=True)
    if out.returncode != 0:
        break_off("the list: status %d: %s" % (out.returncode, out.stderr))
    group, names = None, []
    for line in out.stdout.splitlines():
        if re.search(r"(\S*\.)", line):
            group = re.search(r"(\S*\.)", line).group(1)
        elif group and re.search(r"\s+(\S+)", line):
            names.append(group + re.search(r"\s+(\S+)", line).group(1))
        else:
            break_off("the list: " + line)
    return names


def run_group(command, names, timeout):
    """Results of the first of the names, at least of one."""
    process = subprocess.Popen(command + ["--gtest_filter=" + ":".join(names)], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
    late = []
    timer = None

    def kill():
        late.append(True)
        process.kill()

    results, current = {}, None
    for line in process.stdout:
        line = line.rstrip("\n")
        if timer:
            timer.cancel()
        timer = threading.Timer(timeout, kill)
        timer.start()
        if current is None:
            if RUN.search(line):
                current = RUN.search(line).group(1)
        elif STATUS.search(line):
            word = STATUS.search(line).group(1)
            if word not in WORDS:
                break_off("unknown status %s: %s" % (word, line))
            results[current] = WORDS[word]
            current = None
    if timer:
        timer.cancel()
    process.wait()
    if current is not None:
        results[current] = "Timeout" if late else "Crash"
    elif len(results) < len(names):
        results[names[len(results)]] = "Missing"
    return results


def run_all(command, names, timeout):
    results = {}
    while names:
        results.update(run_group(command, names, timeout))
        names = [name for name in names if name not in results]
    return results


def read_lines(path):
    return [line for line in open(path).read().splitlines() if line.strip() and not line.startswith("#")] if path else []


def main():
    parser = argparse.ArgumentParser()
    for option in ("--output", "--baseline", "--flakes", "--skips"):
        parser.add_argument(option)
    for option, default in (("--group", 100), ("--timeout", 60), ("--jobs", 2)):
        parser.add_argument(option, type=int, default=default)
    parser.add_argument("command", nargs="+")
    o = parser.parse_args()
    baseline = dict(line.rsplit(",", 1) for line in read_lines(o.baseline))
    flakes = [re.compile(line) for line in read_lines(o.flakes)]
    skips = [re.compile(line) for line in read_lines(o.skips)]
    tests = list_tests(o.command)
    names = [name for name in tests if not any(r.search(name) for r in skips)]
    groups = [names[i:i + o.group] for i in range(0, len(names), o.group)]
    results = {}
    with ThreadPoolExecutor(o.jobs) as pool:
        for part in pool.map(lambda g: run_all(o.command, g, o.timeout), groups):
            results.update(part)
    final, fails = {}, []
    for name in tests:
        got = results.get(name, "Skip")
        expected = baseline.get(name, "Pass")
        if got in ("Pass", "Skip"):
            final[name] = got if expected == "Pass" or got == "Skip" else "UnexpectedImprovement(%s)" % got
        elif got == expected:
            final[name] = "ExpectedFail"
        elif any(r.search(name) for r in flakes):
            final[name] = "KnownFlake"
        else:
            again = run_group(o.command, [name], o.timeout).get(name)
            final[name] = "Flake" if again == "Pass" else got
        if got not in ("Pass", "Skip"):
            fails.append("%s,%s\n" % (name, got))
    os.makedirs(o.output, exist_ok=True)
    with open(o.output + "/results.csv", "w") as f:
        f.writelines("%s,%s\n" % (name, final[name]) for name in tests)
    with open(o.output + "/failures.csv", "w") as f:
        f.writelines(fails)
    counts = {}
    for word in final.values():
        counts[word] = counts.get(word, 0) + 1
    print(", ".join("%s: %d" % (word, counts[word]) for word in sorted(counts)))
    good = ("Pass", "Skip", "ExpectedFail", "Flake", "KnownFlake")
    return 0 if all(word in good for word in final.values()) else 1


sys.exit(main())
