"""scripts/kernels/run.py -- gives kernels to targets, and compares three: halfulp's verdict, what is expected of it, and
the values themselves with what reference.py computes.

usage: run.py B TARGET,... [NAME...]   B is the folder of the build; NAME... are kernels, all without them"""

import concurrent.futures
import fnmatch
import glob
import json
import os
import shutil
import subprocess
import sys

import bundle
import reference

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = f"{ROOT}/corpora/kernels"


def read_known():
    """(name, target, verdict, note): what is known to come out otherwise than it should."""
    rows = []
    with open(f"{SOURCES}/known.tsv", encoding="ascii") as f:
        for line in f:
            if line.strip() and line[0] != "#":
                rows.append(line.rstrip("\n").split("\t"))
    return rows


def make_all(kernels, folder):
    """The kernels that were compiled; of any other a line says why not."""
    with open(f"{ROOT}/base/caps.def", encoding="utf-8") as f:
        caps = f.read()

    def make(kernel):
        try:
            bundle.make(kernel, SOURCES, f"{folder}/{kernel.name}", caps)
            return None
        except (RuntimeError, OSError) as error:
            return str(error)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        errors = list(pool.map(make, kernels))
    for kernel, error in zip(kernels, errors):
        if error:
            print(f"{kernel.name}: not compiled: {error}")
    return [k for k, error in zip(kernels, errors) if not error]


def call(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), done.returncode


def read_env_of(program, targets):
    """NAME -> "opencl" or "vulkan" of each of the targets that is there."""
    out, _, _ = call(program, "devices", "--targets", ",".join(targets))
    envs = {}
    for line in out.splitlines():
        if line and not line[0].isspace() and "(" in line:
            envs[line.split()[0]] = line.split("(", 1)[1].split(",")[0]
    return envs


def judge(program, observed):
    """(verdict, sentence) of what was observed."""
    out, error, _ = call(program, "judge", "--json", observed)
    try:
        answer = json.loads(out)
    except ValueError:
        return "unread", error.strip()
    findings = [f"{f.get('kind', '')} {f.get('clause', '')} {f.get('instruction', '')}" for f in answer["findings"][:1]]
    return answer["verdict"], answer["note"] or "".join(findings)


def check(program, kernel, target, folder):
    """(verdict, sentence, what the reference says)."""
    observed = f"{folder}/observed/{kernel.name}.{target}"
    shutil.rmtree(observed, ignore_errors=True)
    out, error, code = call(program, "check", "--json", "--trust", "--targets", target, "-o", observed,
                            f"{folder}/{kernel.name}")
    try:
        answer = json.loads(out.splitlines()[0])
    except (ValueError, IndexError):
        return "unread", error.strip() or f"exit status {code}", "-"
    verdict, sentence = answer["worst"] or "skipped", answer["reason"]
    if os.path.exists(f"{observed}/case.json"):
        sentence = judge(program, observed)[1] or sentence
    values = "-"
    if kernel.expected == "ok" and glob.glob(f"{observed}/out-*.bin"):  # of an argument by value there is none
        values = reference.compare(kernel, observed)
    return verdict, sentence, values


def is_as_expected(kernel, verdict, sentence):
    if verdict == "skipped":  # the target lacks what the kernel needs
        return True
    if kernel.expected == "ok":
        return verdict == "ok"
    return verdict == "inconclusive" and sentence.startswith("undefined:")


def main():
    build, targets = sys.argv[1], sys.argv[2].split(",")
    program, folder, names = f"{build}/halfulp", f"{os.path.dirname(build)}/kernels", sys.argv[3:]
    kernels = [k for k in bundle.read_rows(f"{SOURCES}/kernels.tsv") if not names or k.name in names]
    made = make_all(kernels, folder)
    envs = read_env_of(program, targets)
    known, used = read_known(), set()
    counts, bad = {}, len(kernels) - len(made)
    for target in targets:
        if target not in envs:
            print(f"{target}: not here")
            continue
        for kernel in made:
            if (kernel.language == "opencl") != (envs[target] == "opencl"):
                continue
            verdict, sentence, values = check(program, kernel, target, folder)
            row = next((r for r in known if fnmatch.fnmatch(kernel.name, r[0]) and fnmatch.fnmatch(target, r[1]) and
                        r[2] == verdict), None)
            is_expected = is_as_expected(kernel, verdict, sentence)
            is_known = not is_expected and row is not None
            # values that are wrong must be told, and right ones not accused
            is_missed = is_expected and values.startswith("wrong")
            if is_known:
                used.add(tuple(row))
            said = "as expected" if is_expected and not is_missed else "known" if is_known else "UNEXPECTED"
            bad += said == "UNEXPECTED"
            key = (target, kernel.expected.split()[0], verdict, values.split(":")[0], said)
            counts[key] = counts.get(key, 0) + 1
            print(f"{kernel.name:22} {target:12} {kernel.expected.split()[0]:10} {verdict:13} values {values:8} {said}"
                  f"{': ' + sentence if sentence else ''}", flush=True)
    print("\nkernels  target        expected    verdict        values    ")
    for (target, expected, verdict, values, said), n in sorted(counts.items()):
        print(f"{n:7}  {target:12}  {expected:10}  {verdict:13}  {values:8}  {said}")
    is_missing = any(target not in envs for target in targets)
    if not names:
        for row in known:
            if tuple(row) not in used and any(fnmatch.fnmatch(t, row[1]) for t in envs):
                print(f"listed, not seen: {row[0]} {row[1]} {row[2]}: {row[3]}")
    return 1 if bad else 3 if is_missing else 0


if __name__ == "__main__":
    sys.exit(main())
