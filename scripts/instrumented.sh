#!/bin/sh
# scripts/instrumented.sh -- lavapipe of Debian 12's Mesa, built with AFL++'s instrumentation, so that a
# guided campaign sees which of the driver's code a case reaches. Counted is only what reads SPIR-V,
# works on NIR and makes LLVM IR of it. SANITIZE=address also has its memory errors caught.
# Written to drivers/instrumented (HALFULP_DRIVERS), used as the target lavapipe-afl. Run again, it goes
# on where it stopped; nothing is done when the driver is there. Needs some minutes and 2 GB.
set -u
cd "$(dirname "$0")/.." || exit 3

PACKAGES="afl++ clang libclang-rt-14-dev llvm-15-dev meson ninja-build python3-mako bison flex
glslang-tools zlib1g-dev libexpat1-dev libdrm-dev dpkg-dev patch pkg-config"
SUITE=bookworm
# Of the driver's sources, those that are counted.
COUNTED="src/compiler/spirv src/compiler/nir src/gallium/auxiliary/gallivm src/gallium/frontends/lavapipe"
OPTIONS="-Dvulkan-drivers=swrast -Dgallium-drivers=swrast -Dplatforms= -Dglx=disabled -Degl=disabled
-Dgbm=disabled -Dgles1=disabled -Dgles2=disabled -Dopengl=false -Dllvm=enabled -Dshared-llvm=enabled
-Dzstd=disabled -Dvalgrind=disabled -Dlibunwind=disabled -Dlmsensors=disabled
-Dgallium-va=disabled -Dgallium-vdpau=disabled -Dvulkan-layers= -Dbuild-tests=false
-Dbuildtype=plain -Db_ndebug=true -Db_lundef=false"
FLAGS="-O2 -g1 -fno-omit-frame-pointer"
LIBRARY=src/gallium/targets/lavapipe/libvulkan_lvp.so
SANITIZER_FLAGS="-fsanitize=address -shared-libasan"

case ${HALFULP_DRIVERS:-drivers} in
/*) root=${HALFULP_DRIVERS:-}/instrumented ;;
*) root=$PWD/${HALFULP_DRIVERS:-drivers}/instrumented ;;
esac
kind=plain suffix=""
case ${SANITIZE:-} in
"") ;;
address) kind=address suffix=-address FLAGS="$FLAGS $SANITIZER_FLAGS" ;;
*) echo "instrumented: SANITIZE=$SANITIZE: only address is known" >&2; exit 2 ;;
esac
work=$root/work

say() { printf 'instrumented: %s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 3
}

# apt as it is set up on this machine, but with the sources' list and a state of its own.
own_apt() {
    apt-get -q -o Dir::Etc::SourceList="$work/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$work/apt/lists" -o Dir::Cache="$work/apt/cache" \
        -o APT::Sandbox::User=root "$@" >&2
}

list_missing() {
    for package in $PACKAGES; do
        [ "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)" = "install ok installed" ] ||
            printf '%s ' "$package"
    done
}

install_packages() {
    missing=$(list_missing)
    [ -n "$missing" ] || return 0
    say "installing $missing"
    sudo=""
    [ "$(id -u)" -eq 0 ] || sudo="sudo -n"
    # shellcheck disable=SC2086
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends $missing >&2 ||
        fail "these packages are needed: $missing"
}

# Where this machine's apt gets Debian from, as sources of SUITE; the machine's own list stays as it is.
list_sources() {
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(SITE) $(RELEASE) $(CREATED_BY)' 2>/dev/null |
        awk -v suite=$SUITE '$3 != "Packages" || seen[$1]++ { next }
            $2 ~ /-security$/ { print "deb-src " $1 " " suite "-security main"; next }
            { print "deb-src " $1 " " suite " main" }'
}

# The source as Debian patches it, in $work/mesa.
get_source() {
    [ ! -e "$work/mesa/debian/.patched" ] || return 0
    rm -rf "$work/apt" "$work/mesa" "$work/download"
    mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$work/download"
    list_sources >"$work/apt/sources.list"
    [ -s "$work/apt/sources.list" ] || fail "no Debian mirror in this machine's apt sources"
    say "getting the source of mesa in $SUITE"
    own_apt update || fail "the list of sources could not be had"
    (cd "$work/download" && own_apt --download-only source "mesa/$SUITE") ||
        (cd "$work/download" && own_apt --download-only source mesa) || fail "no source of mesa"
    dpkg-source --no-check -x "$work"/download/mesa_*.dsc "$work/mesa" >&2 || fail "mesa: not unpacked"
    while read -r patch _; do
        case $patch in '' | '#'*) continue ;; esac
        (cd "$work/mesa" && patch -s -p1 <"debian/patches/$patch") || fail "mesa: $patch does not apply"
    done <"$work/mesa/debian/patches/series"
    touch "$work/mesa/debian/.patched"
}

# What a build depends on: when it is the same, nothing is to be done.
describe() {
    printf 'lavapipe %s\nkind %s\nflags %s\ncounted %s\n' "$1" "$kind" "$FLAGS" "$COUNTED"
    printf 'options %s\n' "$(echo "$OPTIONS" | tr '\n' ' ')"
    printf 'afl %s\n' "$(afl-clang-fast --version 2>/dev/null | sed -n '1s/ by .*//p')"
}

configure() {
    [ ! -e "$build/build.ninja" ] || return 0
    printf '[binaries]\n%s\n%s\n%s\n' "c = 'afl-clang-fast'" "cpp = 'afl-clang-fast++'" \
        "llvm-config = 'llvm-config-15'" >"$work/native.ini"
    # shellcheck disable=SC2086
    meson setup --native-file "$work/native.ini" $OPTIONS -Dc_args="$FLAGS" -Dcpp_args="$FLAGS" \
        -Dc_link_args="$FLAGS" -Dcpp_link_args="$FLAGS" "$build" "$work/mesa" >"$build.log" 2>&1 ||
        { rm -rf "$build"; tail -n 20 "$build.log" >&2; fail "meson failed, see $build.log"; }
}

# Edges are the words of the sections in which the compiler keeps their numbers.
count_edges() {
    size -A "$@" 2>/dev/null | awk '$1 == "__sancov_guards" { n += $2 } END { print int(n / 4) }'
}

# The objects of a folder's sources; meson builds some with another folder's.
find_objects() {
    case $1 in
    src/compiler/spirv) find "$build" -name '*_spirv_*.o' ;;
    src/compiler/nir) find "$build" -path '*/src/compiler/nir/*.o' ! -name '*_spirv_*' ;;
    src/gallium/auxiliary/gallivm) find "$build" -name 'gallivm_*.o' ;;
    *) find "$build" -path "*/$1/*.o" ;;
    esac
}

list_edges() {
    printf 'folder\tfiles\tedges\n'
    for folder in $COUNTED; do
        objects=$(find_objects "$folder")
        # shellcheck disable=SC2086
        printf '%s\t%s\t%s\n' "$folder" "$(echo "$objects" | wc -w)" "$(count_edges $objects)"
    done
    printf 'the driver\t1\t%s\n' "$(count_edges "$1")"
}

# The folder as a whole, or not at all: a campaign may be about to start.
put_driver() {
    library=$build/$LIBRARY
    rm -rf "$home.new"
    mkdir -p "$home.new"
    cp "$library" "$home.new/" || fail "no room in $root"
    [ "$kind" = plain ] || cp "$runtime" "$home.new/libasan.so" || fail "no $runtime"
    # The path is taken from the file's folder, so that this one may be moved.
    printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}\n' \
        ./libvulkan_lvp.so >"$home.new/icd.json"
    list_edges "$library" >"$home.new/edges.tsv"
    describe "$version" >"$home.new/build.txt"
    rm -rf "$home"
    mv "$home.new" "$home"
}

install_packages
mkdir -p "$work" || fail "$work cannot be made"
PATH=/usr/bin:/bin:$PATH # the system's python3 has mako
version=$(sed 's/^lavapipe //;q' "$root"/lavapipe-[0-9.]*[0-9]"$suffix"/build.txt 2>/dev/null)
if [ -n "$version" ] && describe "$version" | cmp -s - "$root/lavapipe-$version$suffix/build.txt"; then
    say "lavapipe-$version$suffix: there already"
    exit 0
fi

get_source
version=$(cat "$work/mesa/VERSION")
home=$root/lavapipe-$version$suffix build=$work/build-$kind
runtime=$(clang-14 -print-file-name=libclang_rt.asan-x86_64.so 2>/dev/null)
for folder in $COUNTED; do echo "$folder/*"; done >"$work/allowlist"
export AFL_LLVM_INSTRUMENT=PCGUARD AFL_LLVM_ALLOWLIST="$work/allowlist" AFL_QUIET=1
if [ "$kind" = address ]; then # for the programs that the build itself runs
    export ASAN_OPTIONS=detect_leaks=0 LD_LIBRARY_PATH="${runtime%/*}"
fi

say "building lavapipe-$version$suffix, about 7 minutes of one processor; $build.log"
configure
ninja -C "$build" "$LIBRARY" >>"$build.log" 2>&1 || { tail -n 20 "$build.log" >&2; fail "the build failed, see $build.log"; }
put_driver
rm -rf "$build" "$build.log" # the source stays for the other kind
say "$home is ready:"
cat "$home/edges.tsv" >&2
