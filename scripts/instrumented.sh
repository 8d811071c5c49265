#!/bin/sh
# scripts/instrumented.sh -- a driver built from Debian's source with AFL++'s instrumentation, so that a
# guided campaign sees which of its code a case reaches. DRIVER=lavapipe (Debian 12's Mesa, the target
# lavapipe-afl): counted is only what reads SPIR-V, works on NIR and makes LLVM IR of it. DRIVER=pocl
# (Debian 13's PoCL, pocl-afl): what reads SPIR-V and its passes over LLVM IR. SANITIZE=address also has
# the memory errors of lavapipe caught.
# Written to drivers/instrumented (HALFULP_DRIVERS). Run again, it goes on where it stopped; nothing is
# done when the driver is there. Needs some minutes and 2 GB.
set -u
cd "$(dirname "$0")/.." || exit 3

FLAGS="-O2 -g1 -fno-omit-frame-pointer"
SANITIZER_FLAGS="-fsanitize=address -shared-libasan"
driver=${DRIVER:-lavapipe}
# Of each driver: the source package and its suite, what its build needs, the file that holds its
# version, the library, what is built for it, and of its sources those that are counted: with $BEHIND the
# compiler's patterns of folders, or of files that begin so.
case $driver in
lavapipe)
    SOURCE=mesa SUITE=bookworm VERSION=VERSION LIBRARY=libvulkan_lvp.so
    BUILT=src/gallium/targets/lavapipe/$LIBRARY BEHIND="/*"
    PACKAGES="afl++ clang libclang-rt-14-dev llvm-15-dev meson ninja-build python3-mako bison flex
glslang-tools zlib1g-dev libexpat1-dev libdrm-dev dpkg-dev patch pkg-config"
    COUNTED="src/compiler/spirv src/compiler/nir src/gallium/auxiliary/gallivm src/gallium/frontends/lavapipe"
    OPTIONS="-Dvulkan-drivers=swrast -Dgallium-drivers=swrast -Dplatforms= -Dglx=disabled -Degl=disabled
-Dgbm=disabled -Dgles1=disabled -Dgles2=disabled -Dopengl=false -Dllvm=enabled -Dshared-llvm=enabled
-Dzstd=disabled -Dvalgrind=disabled -Dlibunwind=disabled -Dlmsensors=disabled
-Dgallium-va=disabled -Dgallium-vdpau=disabled -Dvulkan-layers= -Dbuild-tests=false
-Dbuildtype=plain -Db_ndebug=true -Db_lundef=false"
    ;;
pocl)
    SOURCE=pocl SUITE=trixie VERSION=debian/changelog LIBRARY=lib/libpocl.so BUILT=all BEHIND="*"
    PACKAGES="afl++ clang clang-15 libclang-15-dev libclang-cpp15-dev llvm-15-dev llvm-spirv-15 cmake
ninja-build libhwloc-dev ocl-icd-dev ocl-icd-opencl-dev opencl-c-headers dpkg-dev pkg-config"
    COUNTED="lib/CL/devices/spirv_parser lib/CL/pocl_llvm lib/llvmopencl"
    OPTIONS="-DWITH_LLVM_CONFIG=/usr/bin/llvm-config-15 -DLLVM_SPIRV=/usr/bin/llvm-spirv-15 -DENABLE_ICD=ON
-DENABLE_LOADABLE_DRIVERS=OFF -DENABLE_TESTS=OFF -DENABLE_EXAMPLES=OFF -DENABLE_POCLCC=OFF
-DENABLE_LEVEL0=OFF -DLLC_HOST_CPU=x86-64 -DKERNELLIB_HOST_CPU_VARIANTS=native -DSTATIC_LLVM=OFF
-DPOCL_ICD_ABSOLUTE_PATH=OFF -DCMAKE_BUILD_TYPE=None"
    ;;
*) echo "instrumented: DRIVER=$driver: lavapipe or pocl is needed" >&2; exit 2 ;;
esac

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
if [ "$driver$kind" = pocladdress ]; then
    echo "instrumented: SANITIZE=address: with DRIVER=lavapipe alone" >&2
    exit 2
fi
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

# The source as Debian patches it, in $source; dpkg-source does it itself where it is of its format 3.0.
get_source() {
    [ ! -e "$source/debian/.patched" ] || return 0
    rm -rf "$work/apt" "$source" "$work/download"
    mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$work/download"
    list_sources >"$work/apt/sources.list"
    [ -s "$work/apt/sources.list" ] || fail "no Debian mirror in this machine's apt sources"
    say "getting the source of $SOURCE in $SUITE"
    own_apt update || fail "the list of sources could not be had"
    (cd "$work/download" && own_apt --download-only source "$SOURCE/$SUITE") ||
        (cd "$work/download" && own_apt --download-only source $SOURCE) || fail "no source of $SOURCE"
    dpkg-source --no-check -x "$work/download/${SOURCE}"_*.dsc "$source" >&2 ||
        fail "$SOURCE: not unpacked"
    if ! grep -q '^3.0 (quilt)' "$source/debian/source/format" 2>/dev/null; then
        while read -r patch _; do
            case $patch in '' | '#'*) continue ;; esac
            (cd "$source" && patch -s -p1 <"debian/patches/$patch") ||
                fail "$SOURCE: $patch does not apply"
        done <"$source/debian/patches/series"
    fi
    touch "$source/debian/.patched"
}

# What a build depends on: when it is the same, nothing is to be done.
describe() {
    printf '%s %s\nkind %s\nflags %s\ncounted %s\n' "$driver" "$1" "$kind" "$FLAGS" "$COUNTED"
    printf 'options %s\n' "$(echo "$OPTIONS" | tr '\n' ' ')"
    printf 'afl %s\n' "$(afl-clang-fast --version 2>/dev/null | sed -n '1s/ by .*//p')"
}

configure_lavapipe() {
    printf '[binaries]\n%s\n%s\n%s\n' "c = 'afl-clang-fast'" "cpp = 'afl-clang-fast++'" \
        "llvm-config = 'llvm-config-15'" >"$work/native.ini"
    # shellcheck disable=SC2086
    meson setup --native-file "$work/native.ini" $OPTIONS -Dc_args="$FLAGS" -Dcpp_args="$FLAGS" \
        -Dc_link_args="$FLAGS" -Dcpp_link_args="$FLAGS" "$build" "$source"
}

configure_pocl() { # in a folder of its own: the tests of the compiler leave files
    # shellcheck disable=SC2086
    cd "$work" && cmake -G Ninja -S "$source" -B "$build" -DCMAKE_INSTALL_PREFIX="$build/home" \
        -DCMAKE_C_COMPILER=afl-clang-fast -DCMAKE_CXX_COMPILER=afl-clang-fast++ \
        -DCMAKE_C_FLAGS="$FLAGS" -DCMAKE_CXX_FLAGS="$FLAGS" $OPTIONS
}

configure() {
    [ ! -e "$build/build.ninja" ] || return 0
    if ! ("configure_$driver") >"$build.log" 2>&1; then
        rm -rf "$build"
        tail -n 20 "$build.log" >&2
        fail "not configured, see $build.log"
    fi
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
    lib/CL/*) find "$build/lib/CL" -name "${1##*/}*.o" ;;
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

# The paths are taken from the file's folder, so that this one may be moved.
copy_lavapipe() {
    cp "$build/$BUILT" "$home.new/" || return 1
    [ "$kind" = plain ] || cp "$runtime" "$home.new/libasan.so" || return 1
    printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}\n' \
        ./libvulkan_lvp.so >"$home.new/icd.json"
}

copy_pocl() {
    cmake --install "$build" >>"$build.log" 2>&1 && cp -r "$build/home/." "$home.new/" || return 1
    echo libpocl.so.2 >"$home.new/etc/OpenCL/vendors/pocl.icd"
}

# The folder as a whole, or not at all: a campaign may be about to start.
put_driver() {
    rm -rf "$home.new"
    mkdir -p "$home.new"
    "copy_$driver" || fail "no room in $root, or see $build.log"
    list_edges "$home.new/$LIBRARY" >"$home.new/edges.tsv"
    describe "$version" >"$home.new/build.txt"
    rm -rf "$home"
    mv "$home.new" "$home"
}

# Of the source: "22.3.6"; "pocl (6.0-6) ..." of Debian's changelog.
get_version() {
    sed -n '1s/^[a-z]* (\([0-9.]*\).*/\1/; 1p' "$source/$VERSION"
}

install_packages
mkdir -p "$work" || fail "$work cannot be made"
PATH=/usr/bin:/bin:$PATH # the system's python3 has mako
version=$(sed "s/^$driver //;q" "$root/$driver"-[0-9.]*[0-9]"$suffix"/build.txt 2>/dev/null)
if [ -n "$version" ] && describe "$version" | cmp -s - "$root/$driver-$version$suffix/build.txt"; then
    say "$driver-$version$suffix: there already"
    exit 0
fi

source=$work/$SOURCE
get_source
version=$(get_version)
home=$root/$driver-$version$suffix build=$work/build-$driver$suffix
runtime=$(clang-14 -print-file-name=libclang_rt.asan-x86_64.so 2>/dev/null)
for folder in $COUNTED; do echo "$folder$BEHIND"; done >"$work/allowlist"
export AFL_LLVM_INSTRUMENT=PCGUARD AFL_LLVM_ALLOWLIST="$work/allowlist" AFL_QUIET=1
if [ "$kind" = address ]; then # for the programs that the build itself runs
    export ASAN_OPTIONS=detect_leaks=0 LD_LIBRARY_PATH="${runtime%/*}"
fi

say "building $driver-$version$suffix, about 7 minutes of one processor; $build.log"
configure
ninja -C "$build" "$BUILT" >>"$build.log" 2>&1 ||
    { tail -n 20 "$build.log" >&2; fail "the build failed, see $build.log"; }
put_driver
rm -rf "$build" "$build.log" # the source stays for the other kind
say "$home is ready:"
cat "$home/edges.tsv" >&2
