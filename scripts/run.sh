#!/bin/sh
# scripts/run.sh [DURATION] -- a campaign of float atomics and group operations on every driver found, with its reports.
# Findings are what a campaign is for: status 1 of the program is a sentence here, and success.
set -u
cd "$(dirname "$0")/.." || exit 3
out=build/campaign-$(date +%Y%m%d-%H%M%S)
build/opt/halfulp run --for "${1:-60s}" --profile all --known corpora/known.tsv -o "$out"
status=$?
[ "$status" -le 1 ] || { echo "run: the campaign failed (status $status)" >&2; exit "$status"; }
[ "$status" -eq 0 ] || echo "There are new bugs: the report names the rule of each and the command that replays it."
echo "Report: $PWD/$out/report.html"
