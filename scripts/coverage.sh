#!/bin/sh
# scripts/coverage.sh GUIDED RANDOM -- edges of an instrumented driver that two campaigns reached, over the
# same processor time: a table, and build/coverage.svg (COVERAGE_SVG names another file). A campaign is a
# folder with coverage.tsv and edges.map; the second is usually one with HALFULP_MUTATOR=random.
set -u
[ $# -eq 2 ] || { echo "usage: scripts/coverage.sh GUIDED RANDOM" >&2; exit 2; }
for folder in "$1" "$2"; do
    if [ ! -s "$folder/coverage.tsv" ] || [ ! -s "$folder/edges.map" ]; then
        echo "coverage: $folder has no coverage.tsv and edges.map" >&2
        exit 2
    fi
done
svg=${COVERAGE_SVG:-build/coverage.svg}

# Ten moments until the shorter campaign's end; of each campaign the last row up to then.
awk -F '\t' '
    FNR == 1 { file++; next }
    { n[file]++; cpu[file, n[file]] = $2; executions[file, n[file]] = $3; edges[file, n[file]] = $4 }
    function find(f, t,    i, best) {
        for (i = 1; i <= n[f]; i++) if (cpu[f, i] <= t + 1e-9) best = i
        return best
    }
    END {
        if (!n[1] || !n[2]) { print "coverage: a campaign without a row"; exit 1 }
        end = cpu[1, n[1]] < cpu[2, n[2]] ? cpu[1, n[1]] : cpu[2, n[2]]
        printf "%8s  %10s %10s %7s  %10s %10s\n", "cpu s", "guided", "random", "ratio",
               "executions", "executions"
        for (k = 1; k <= 10; k++) {
            a = find(1, end * k / 10); b = find(2, end * k / 10)
            ratio = b && edges[2, b] > 0 ? sprintf("%.3f", edges[1, a] / edges[2, b]) : "-"
            printf "%8.0f  %10d %10d %7s  %10d %10d\n", end * k / 10, edges[1, a], edges[2, b], ratio,
                   executions[1, a], executions[2, b]
        }
    }' "$1/coverage.tsv" "$2/coverage.tsv" || exit 1

# The map's head holds the number of edges at byte 16; the edges, a byte each, are its end.
n_edges=$(od -An -tu4 -j16 -N4 "$1/edges.map" | tr -d ' ')
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
tail -c "$n_edges" "$1/edges.map" >"$work/a"
tail -c "$n_edges" "$2/edges.map" >"$work/b"
cmp -l "$work/a" "$work/b" | awk -v n="$n_edges" '
    $2 > 0 { a++ } $3 > 0 { b++ }
    END { printf "of %d edges, at the end: %d reached by the guided campaign alone, %d by the random one alone\n",
                 n, a, b }'

command -v gnuplot >/dev/null || { echo "coverage: no gnuplot (Debian: gnuplot-nox), no picture" >&2; exit 0; }
mkdir -p "$(dirname "$svg")"
sed 1d "$1/coverage.tsv" >"$work/guided"
sed 1d "$2/coverage.tsv" >"$work/random"
gnuplot <<END || exit 3
set terminal svg size 720,420 enhanced font "sans-serif,13"
set output "$work/picture"
set title "Edges of the driver's SPIR-V reader, passes and code generation"
set xlabel "processor time in seconds"
set ylabel "edges reached"
set key bottom right
set grid
set xrange [0:*]
plot "$work/guided" using 2:4 with steps lw 2 lc rgb "#1b6ca8" title "guided", \
     "$work/random" using 2:4 with steps lw 2 lc rgb "#c2571a" title "random"
END
mv "$work/picture" "$svg" && echo "$svg"
