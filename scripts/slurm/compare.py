"""compare.py CAMPAIGN WHOLE CASES -- is the campaign of these shards that of one undisturbed run?

Each index below CASES was run once on each target, by one of the shards, as in WHOLE, which is its shard 1/1. Of
simulated targets, which answer the same each time, all tables of the merged journal are equal but for times and the
numbers of rows. Prints what was compared; exit status 1: something differs.
"""
import glob
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
KEPT = {"runs", "findings", "kept"}
COUNTERS = ("n_runs n_skipped n_judged n_sharp n_anything n_inconclusive n_bounded n_contended n_interleaved n_ordered"
            " n_reductions n_reductions_bounded n_partial").split()


def open_journal(folder):
    return sqlite3.connect("file:%s/journal.sqlite?mode=ro" % folder, uri=True)


def read(journal, sql, *values):
    return sorted(journal.execute(sql, values).fetchall(), key=repr)


def indices(journal, name):
    return [row[0] for row in read(journal, "SELECT case_index FROM runs r JOIN targets t ON t.id = r.target_id"
                                   " WHERE t.name = ? AND is_done", name)]


def main(campaign, whole, n_cases):
    is_bad = False
    shards = [open_journal(folder) for folder in glob.glob(campaign + "/shards/*")]
    merged = open_journal(campaign + "/merged")
    for (name,) in read(whole, "SELECT name FROM targets"):
        got, want = sum((indices(s, name) for s in shards), []), indices(whole, name)
        counted, skipped = merged.execute("SELECT n_runs, n_skipped FROM targets WHERE name = ?", (name,)).fetchone()
        n_twice = len(got) - len(set(got))
        n_lost, n_more = len(set(want) - set(got)), len(set(got) - set(want))
        print("%s: %d cases in %d shards, %d in the merged journal and %d that need what the device has not;"
              " %d lost, %d doubled, %d too many" % (name, len(got), len(shards), counted, skipped, n_lost, n_twice, n_more))
        is_bad |= bool(n_lost or n_twice or n_more) or not len(got) == counted + skipped == n_cases
    for table, columns in TABLES.items():
        sql = ("SELECT t.name, %s FROM %s x JOIN targets t ON t.id = x.target_id WHERE t.name LIKE 'sim-%%'"
               % (", ".join("x." + c for c in columns.split()), table))
        # A merged journal has the runs with findings alone.
        found = (" AND EXISTS (SELECT 1 FROM findings f WHERE f.target_id = x.target_id AND f.case_index = x.case_index)"
                 if table == "runs" else "")
        got, want = read(merged, sql), read(whole, sql + found)
        # Of a bucket each journal keeps its first cases, a merged one the smallest of them: those that both have are equal.
        if table == "kept":
            both = {row[:2] for row in got} & {row[:2] for row in want}
            got, want = ([row for row in rows if row[:2] in both] for rows in (got, want))
        n_other = len(set(want) - set(got)) if table in KEPT else len(set(got) ^ set(want))
        print("%s: %d rows on simulated targets, %d differ%s" % (
            table, len(want), n_other, ", %d more" % (len(got) - len(want)) if table in KEPT else ""))
        is_bad |= n_other > 0 or len(got) != len(set(got)) or not (want or table == "features")
    sql = "SELECT name, %s FROM targets WHERE name LIKE 'sim-%%'" % ", ".join(COUNTERS)
    is_same = read(merged, sql) == read(whole, sql)
    print("counters of targets: %s" % ("equal" if is_same else "differ"))
    return is_bad or not is_same


sys.exit(main(sys.argv[1], open_journal(sys.argv[2]), int(sys.argv[3])))
