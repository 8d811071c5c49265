#!/bin/sh
# scripts/prove.sh PART PROGRAM... -- run the proof prove_PART; it resumes, and writes its result
# with the versions it was made with to corpora/certify.
set -u
part=$1
shift
if [ "$part" = sentences ]; then # it changes the source, and builds again
    exec scripts/prove_sentences.sh "${B:-build/opt}" corpora/certify
fi
for program in "$@"; do
    if [ "prove_$part" = "$(basename "$program")" ]; then
        mkdir -p corpora/certify
        build=${program%/*/*/*}
        HALFULP_WORKER=${HALFULP_WORKER:-$build/halfulp-worker} # of those that run drivers
        export HALFULP_WORKER
        exec "$program" corpora/certify
    fi
done
echo "prove: PART is one of:" >&2
for program in "$@"; do
    basename "$program" | sed 's/^prove_/  /' >&2
done
echo "  sentences" >&2
exit 2
