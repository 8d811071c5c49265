#!/bin/sh
# scripts/check_bundle.sh ARCHIVE [DURATION] -- unpack the archive of `make bundle` in a bare root of Debian 12 and of sid, as an
# ordinary user without network, and do there what such a user does: a campaign of DURATION (60s) and its report. Each root is
# tried with the machine's own loaders and without any. Prints the size and the times; status 77: there are no roots.
set -u
cd "$(dirname "$0")/.." || exit 3
archive=$1
duration=${2:-60s}
MOST_SECONDS=180 # for 60s
bad=0
n_roots=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

complain() {
    echo "check_bundle: $1"
    bad=1
    [ ! -s "$dir/said" ] || tail -n 5 "$dir/said"
}

# inside ROOT COMMAND...: as scripts/bare.sh has it, in the folder of the archive.
inside() {
    where=$1
    shift
    scripts/bare.sh "$where" "$dir/home" sh -c 'cd /home/halfulp-* && exec "$@"' sh "$@" </dev/null
}

# Each library of a program but the C library's is the archive's.
check_libraries() {
    for program in halfulp halfulp-executor; do
        inside "$1" /lib64/ld-linux-x86-64.so.2 --list "bin/$program" >"$dir/said" ||
            complain "$1: bin/$program does not start"
        foreign=$(awk '$2 == "=>" && $3 !~ /lib\/halfulp\// && $1 !~ /^lib[cm]\.so\.6$/ { print $1 }' "$dir/said")
        [ -z "$foreign" ] || complain "$1: bin/$program uses $foreign of the machine"
    done
    inside "$1" /lib64/ld-linux-x86-64.so.2 --list bin/halfulp-worker | awk '$2 == "=>" { print $1 }' >"$dir/said"
    ! grep -qv '^lib[cm]\.so\.6$' "$dir/said" || complain "$1: the worker needs more than the C library, which a driver then gets"
}

# A machine without loaders has the archive's.
check_loaders() {
    BARE_NO_LOADERS=1 inside "$1" bin/halfulp devices >"$dir/said" 2>&1
    for api in vulkan opencl; do
        grep -q "^[a-z].* ($api, found)" "$dir/said" || complain "$1: no $api device without the machine's own loader"
    done
    ! grep -q 'does not start' "$dir/said" || complain "$1: a device does not start without the machine's own loader"
    inside "$1" mv lib/halfulp/loaders lib/halfulp/loaders.away
    BARE_NO_LOADERS=1 inside "$1" bin/halfulp devices >"$dir/said" 2>&1
    ! grep -q '(vulkan, found)$' "$dir/said" || grep -q 'does not start' "$dir/said" ||
        complain "$1: a device without any loader: the test hides nothing"
    inside "$1" mv lib/halfulp/loaders.away lib/halfulp/loaders
}

# The sandbox of the archive, on this machine with a PATH that has no bwrap: within a root a sandbox in a sandbox is refused.
check_sandbox() {
    mkdir "$dir/path"
    for word in sh true dirname; do
        ln -s "/bin/$word" "$dir/path/$word" # command -v names no file of a built-in command
    done
    for word in yes no; do
        PATH="$dir/path" "$dir/home/halfulp-$version/halfulp" run --targets sim-ieee --cases 1 --seed 1 --sandbox $word -q \
            -o "$dir/sandbox-$word" >"$dir/said" 2>&1 || complain "--sandbox $word does not work with the programs of the archive"
    done
    mv "$dir/home/halfulp-$version/lib/halfulp/tools/bwrap" "$dir/"
    PATH="$dir/path" "$dir/home/halfulp-$version/halfulp" run --targets sim-ieee --cases 1 --seed 1 --sandbox yes -q \
        -o "$dir/sandbox-none" >"$dir/said" 2>&1 && complain "a sandbox without bwrap: the test hides nothing"
}

check_root() {
    [ -d "drivers/roots/$1/usr" ] || { echo "check_bundle: there is no root $1 (make drivers)"; return; }
    n_roots=$((n_roots + 1))
    rm -rf "${dir:?}/home"
    mkdir -p "$dir/home"
    begun=$(date +%s)
    xz -dc "$archive" | scripts/bare.sh "$1" "$dir/home" tar x
    [ ! -d "$dir/home/lib" ] || complain "the archive does not lie in one folder"
    inside "$1" ./halfulp run --for "$duration" --known share/halfulp/corpora/known.tsv -o /home/first >"$dir/said" 2>&1
    [ $? -le 1 ] || complain "$1: the campaign failed"
    [ -s "$dir/home/first/report.html" ] || complain "$1: the campaign made no report"
    taken=$(($(date +%s) - begun))
    echo "check_bundle: $1: $taken s from the archive to the report"
    sed -n '/^target/,/^bugs/p' "$dir/said" | grep -v '^bugs'
    [ "$duration" != 60s ] || [ $taken -lt $MOST_SECONDS ] || complain "$1: more than $MOST_SECONDS s"
    check_libraries "$1"
    check_loaders "$1"
    inside "$1" ./halfulp report -q --triage-time 20s --reduce-time 5s /home/first >"$dir/said" 2>&1
    [ $? -le 1 ] || complain "$1: no triage"
    inside "$1" ./halfulp --version >"$dir/said"
    grep -q "^halfulp ${version%-x86_64*}" "$dir/said" || complain "$1: --version is not that of the archive"
    for file in share/man/man1/halfulp.1 share/doc/halfulp/LICENCES.md share/doc/halfulp/licences/libmpfr6 share/halfulp/corpora/seeds/all; do
        [ -e "$dir/home/halfulp-$version/$file" ] || complain "no $file in the archive"
    done
}

# The version of a tree: by its tag, by its tag and the commits behind it, by CHANGELOG.md.
version_of() {
    make -s -C "$dir/tree" -pn help 2>/dev/null | sed -n 's/^VERSION := //p' | tail -n 1
}
check_version() {
    git clone -q --depth 1 "file://$PWD" "$dir/tree" 2>"$dir/said" || { complain "no copy of the git tree"; return; }
    first=$(sed -n 's/^## \([0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)
    [ "$(version_of)" = "$first" ] || complain "without a tag: version $(version_of), not $first of CHANGELOG.md"
    git -C "$dir/tree" -c user.name=x -c user.email=x tag v9.8
    [ "$(version_of)" = 9.8 ] || complain "tag v9.8: version $(version_of)"
    git -C "$dir/tree" -c user.name=x -c user.email=x commit -q --allow-empty -m x
    [ "$(version_of)" = 9.8+1 ] || complain "a commit behind tag v9.8: version $(version_of)"
}

version=$(basename "$archive" .tar.xz)
version=${version#halfulp-}
echo "check_bundle: $archive has $(wc -c <"$archive") bytes"
! xz -dc "$archive" | tar t | grep -E 'libvulkan_|pocl|icd\.d|intel-cpu|swiftshader' || complain "a driver is in the archive"
check_root bookworm
check_root sid
check_version
[ $n_roots -gt 0 ] || exit 77
check_sandbox
exit $bad
