#!/bin/sh
# scripts/install.sh PREFIX DESTDIR PROGRAM... -- the programs, and what they and their users look for, below PREFIX, which
# begins with DESTDIR. Drivers are large and hold paths, so they stay where the set-up put them: PREFIX/share/halfulp/drivers
# is a link there, unless this is for a package or somebody has put other drivers in that place.
set -eu
prefix=$1
destdir=$2
shift 2
cd "$(dirname "$0")/.."
share=$prefix/share/halfulp
install -d "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" "$share/corpora"
install -m 755 "$@" "$prefix/bin"
install -m 755 scripts/nightly/nightly.sh "$prefix/bin/halfulp-nightly"
install -m 644 man/halfulp.1 "$prefix/share/man/man1"
install -m 644 scripts/halfulp.bash "$prefix/share/bash-completion/completions/halfulp"
install -m 644 corpora/known.tsv "$share/corpora"
rm -rf "$share/corpora/seeds" "$share/corpora/worst"
cp -R corpora/seeds corpora/worst "$share/corpora"
if [ -z "$destdir" ] && [ -d drivers ] && { [ -L "$share/drivers" ] || [ ! -e "$share/drivers" ]; }; then
    ln -sfn "$(cd drivers && pwd -P)" "$share/drivers"
fi
echo "installed: $prefix/bin/halfulp"
[ -n "$destdir" ] || [ -e "$share/drivers" ] ||
    echo "no drivers were set up (make setup): $prefix/bin/halfulp devices says what it finds"
