"""compare.py MERGED WHOLE CASES -- is the merged journal that of one undisturbed run?

Each index below CASES is there once on each target, as in WHOLE; of simulated targets, which answer the same each
time, all tables are equal but for times and the numbers of rows. Prints what was compared, and fails by a sentence.
"""
import sqlite3
import sys

# Of each table the columns that mean something outside its journal, besides the target's name.
TABLES = {
    "runs": "case_index profile verdict case_hash",
    "verdicts": "class profile verdict n",
    "findings": "case_index ordinal class verdict clause signature op type storage permitted got"
                " operands text instruction",
    "kept": "case_index testcase observation disassembly",
    "buckets": "class signature verdict n",
    "features": "feature outcome n",
    "coverage": "op type storage outcome n n_sharp n_anything n_bounded n_divergent",
}
KEPT = {"findings", "kept"}
COUNTERS = ("n_runs n_skipped n_judged n_sharp n_anything n_inconclusive n_bounded n_contended n_interleaved n_ordered"
            " n_reductions n_reductions_bounded n_partial").split()


def open_journal(folder):
    return sqlite3.connect("file:%s/journal.sqlite?mode=ro" % folder, uri=True)


def read(journal, sql, *values):
    return sorted(journal.execute(sql, values).fetchall(), key=repr)


def indices(journal, name):
    return [row[0] for row in read(journal, "SELECT case_index FROM runs r JOIN targets t ON t.id = r.target_id"
                                   " WHERE t.name = ? AND is_done", name)]


def main(merged, whole, n_cases):
    is_bad = False
    names = [row[0] for row in read(whole, "SELECT name FROM targets")]
    for name in names:
        got, want = indices(merged, name), indices(whole, name)
        n_twice = len(got) - len(set(got))
        n_lost, n_more = len(set(want) - set(got)), len(set(got) - set(want))
        n_outside = sum(1 for i in got if not 0 <= i < n_cases)
        print("%s: %d cases, %d lost, %d doubled, %d that the whole one has not, %d outside"
              % (name, len(got), n_lost, n_twice, n_more, n_outside))
        is_bad |= bool(n_lost or n_twice or n_more or n_outside or not got)
    for table, columns in TABLES.items():
        sql = ("SELECT t.name, %s FROM %s x JOIN targets t ON t.id = x.target_id WHERE t.name LIKE 'sim-%%'"
               % (", ".join("x." + c for c in columns.split()), table))
        got, want = read(merged, sql), read(whole, sql)
        # Of a bucket each journal keeps its first findings alone, so that shards together have more of them.
        n_other = len(set(want) - set(got)) if table in KEPT else len(set(got) ^ set(want))
        print("%s: %d rows on simulated targets, %d differ%s" % (
            table, len(want), n_other, ", %d more" % (len(got) - len(want)) if table in KEPT else ""))
        is_bad |= n_other > 0 or len(got) != len(set(got)) or not (want or table == "features")
    sql = "SELECT name, %s FROM targets WHERE name LIKE 'sim-%%'" % ", ".join(COUNTERS)
    is_same = read(merged, sql) == read(whole, sql)
    print("counters of targets: %s" % ("equal" if is_same else "differ"))
    return is_bad or not is_same


sys.exit(main(open_journal(sys.argv[1]), open_journal(sys.argv[2]), int(sys.argv[3])))
