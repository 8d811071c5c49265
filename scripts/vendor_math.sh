#!/bin/sh
# scripts/vendor_math.sh [NAME]... -- make CPU libraries of GPU vendors' math functions, drivers/vendor-math/NAME, for each NAME
# of scripts/vendor_math/targets.tsv: AMD's of ROCm and Intel's of IGC. docs/vendor-math.md explains how.
# Nothing of a vendor's is kept in the repository; packages come by apt-get. What is missing is told, the rest goes on.
# KEEP=1 keeps the intermediate files, drivers/vendor-math/.cache/work.PID.
set -u
cd "$(dirname "$0")/.." || exit 3
parts=$PWD/scripts/vendor_math
home=$PWD/drivers/vendor-math
root=$PWD/drivers/roots/sid
cache=$home/.cache
work=$cache/work.$$ # of this run alone
bitcode=
cc=${CC:-cc}
failed=""

say() { printf 'vendor-math: %s\n' "$*" >&2; }

# Column $2 of the line of table $1 whose first column is $3.
look_up() {
    awk -F '\t' -v column="$2" -v name="$3" '$1 == name { print $column; exit }' "$parts/$1"
}

# ---- packages ----

# apt's configuration for the three suites, beside the machine's own.
write_apt_conf() {
    # shellcheck disable=SC2016
    mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(CREATED_BY)' 2>/dev/null |
        awk '$2 == "bookworm" && $3 == "Packages" { print $1; exit }')
    [ -n "$mirror" ] || { say "no Debian mirror in this machine's apt sources"; return 1; }
    mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial"
    for suite in bookworm trixie sid; do
        echo "deb $mirror $suite main"
    done >"$cache/apt/sources.list"
    cat >"$cache/apt/apt.conf" <<END
Dir::State::Lists "$cache/apt/lists";
Dir::Cache "$cache/apt";
Dir::Etc::sourcelist "$cache/apt/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::status "/dev/null";
Acquire::Check-Valid-Until "false";
APT::Sandbox::User "root";
END
}

update_lists() {
    [ ! -e "$cache/apt/updated" ] || return 0
    say "downloading lists of packages"
    write_apt_conf && APT_CONFIG=$cache/apt/apt.conf apt-get -q update >"$cache/apt/log" 2>&1 &&
        ! grep -q '^[WE]: .*[Ff]ailed to fetch' "$cache/apt/log" && touch "$cache/apt/updated"
}

# Download package $1 into $2: the version of packages.tsv, or, if the archive has it no more, the present one.
download() {
    item=$1
    version=$(look_up packages.tsv 2 "$item")
    wanted=$(look_up packages.tsv 4 "$item")
    update_lists || { say "$item: not downloaded; is there a network? (see $cache/apt/log)"; return 1; }
    say "$item: downloading, licence $(look_up packages.tsv 5 "$item")"
    mkdir -p "$2"
    if (cd "$2" && APT_CONFIG=$cache/apt/apt.conf apt-get -q download "$item=$version") >"$cache/apt/log" 2>&1; then
        [ "$(sha256sum <"$(ls "$2/${item}"_*.deb)" | cut -d ' ' -f 1)" = "$wanted" ] ||
            { say "$item: its sha256 is not the one of packages.tsv: not used"; return 1; }
    elif (cd "$2" && APT_CONFIG=$cache/apt/apt.conf apt-get -q download "$item/$(look_up packages.tsv 3 "$item")") >"$cache/apt/log" 2>&1; then
        say "$item: version $version has gone from the archive, took $(ls "$2")"
    else
        say "$item: not downloaded; is there a network? (see $cache/apt/log)"
        return 1
    fi
}

# Package $1, unpacked in $cache/packages/$1.
get_package() {
    folder=$cache/packages/$1
    [ ! -e "$folder/package" ] || return 0
    rm -rf "$folder"
    download "$1" "$folder/deb" && dpkg-deb -x "$folder"/deb/*.deb "$folder" || return 1
    sha256sum "$folder"/deb/*.deb | sed 's|  .*/| |; s/%3a/:/g' >"$folder/package"
    rm -rf "$folder/deb"
}

# ---- tools ----

# A program of LLVM 21 or of the root sid, which has its shared library: inside the root, in the working folder.
inside() {
    bwrap --ro-bind "$root" / --dev /dev --proc /proc --tmpfs /tmp --bind "$work" /tmp/build --ro-bind "$parts" /tmp/parts \
        --ro-bind "$cache/packages" /tmp/packages --chdir /tmp/build --unsetenv LD_LIBRARY_PATH "$@"
}
llvm() {
    tool=$1
    shift
    inside "/tmp/packages/llvm-21/usr/lib/llvm-21/bin/$tool" "$@"
}

find_tools() {
    command -v bwrap >/dev/null || { say "bubblewrap is missing; make setup installs it"; return 1; }
    [ -x "$root/usr/bin/spirv-val" ] || { say "there is no root sid; make drivers makes it"; return 1; }
    get_package llvm-21 || return 1
    mkdir -p "$work"
    llvm opt --version >/dev/null 2>&1 || { say "llvm-21 does not run in $root; make drivers renews the root"; return 1; }
}

# ---- libraries ----

# Loops, what they call, and stand-ins: library.so, functions.tsv and facts.txt of target $1 from $work/vendor.ll.
make_library() {
    contract=off
    [ "$vendor" != intel ] || contract=fast
    cat "$work/vendor.ll" "$parts/${vendor}_backend.ll" >"$work/whole.ll"
    cut -f 1 "$work/symbols.tsv" >"$work/exports"
    llvm opt -passes='internalize,globaldce,default<O2>' -internalize-public-api-file=exports whole.ll -o library.bc &&
        llvm llvm-dis library.bc -o library.ll &&
        llvm llc -O2 -mcpu=x86-64-v3 -fp-contract=$contract -filetype=obj -relocation-model=pic library.bc -o library.o ||
        return 1
    "$cc" -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -march=x86-64-v3 -ffp-contract=off -fPIC -fvisibility=hidden -I. -shared \
        -Wl,--no-undefined -o "$work/library.so" tests/standin/standin.c "$work/library.o" -lm || return 1
    awk -v vendor="$vendor" -f "$parts/operations.awk" tests/standin/operation.def "$work/symbols.tsv" "$parts/functions.tsv" \
        "$work/library.ll" >"$work/functions.tsv" && [ -s "$work/functions.tsv" ] && rm -rf "${home:?}/$1.new" &&
        mkdir -p "$home/$1.new" && cp "$work/library.so" "$work/functions.tsv" "$work/facts.txt" "$home/$1.new" || return 1
    rm -rf "${home:?}/$1"
    mv "$home/$1.new" "$home/$1" || return 1
    say "$1: $(grep -vc '^#' "$home/$1/functions.tsv") functions"
}

# The facts that all libraries have.
put_facts() {
    echo "licence=$1"
    echo "llvm=$(llvm llc --version | sed -n 's/.*LLVM version //p')"
    echo "chip=$chip"
    echo "standin=rounded"
    [ "$flush" != f32 ] || echo "flush=f32"
}

# The bitcode of ROCm's package, with the loops, for the chip; LLVM's pass for AMDGPU expands divisions and roots.
make_amd() {
    get_package "$package" || return 1
    bitcode=$(cd "$cache/packages" && find "$package" -name ocml.bc)
    bitcode=/tmp/packages/${bitcode%/ocml.bc}
    llvm llvm-dis "$bitcode/opencl.bc" -o - | grep '^define' | grep -o '@[A-Za-z0-9_]*(' | tr -d '@(' >"$work/defined"
    awk -v part=amd -v flush="$flush" -v types="$types" -v symbols="$work/defined" -f "$parts/loops.awk" "$parts/functions.tsv" \
        >"$work/loops.ll"
    awk -v part=symbols -v types="$types" -v symbols="$work/defined" -f "$parts/loops.awk" "$parts/functions.tsv" \
        >"$work/symbols.tsv"
    cut -f 1 "$work/symbols.tsv" >"$work/exports"
    mad="" div16=_mad
    case $chip in
    gfx1*) div16="" ;;
    gfx8*) mad=_mad ;;
    esac
    options=""
    for option in isa_version_"${chip#gfx}" unsafe_math_off finite_only_off correctly_rounded_sqrt_off daz_opt_off \
        wavefrontsize64_on abi_version_500 abi_version_400; do
        [ ! -e "$cache/packages/${bitcode#/tmp/packages/}/oclc_$option.bc" ] || options="$options $bitcode/oclc_$option.bc"
    done
    # shellcheck disable=SC2086
    llvm llvm-link loops.ll "$bitcode/opencl.bc" "$bitcode/ocml.bc" "$bitcode/ockl.bc" $options -o linked.bc 2>"$work/log" &&
        llvm opt -passes=internalize,globaldce -internalize-public-api-file=exports linked.bc -S -o linked.ll || return 1
    mode=ieee
    [ "$flush" != f32 ] || mode=preserve-sign
    sed "s/\"denormal-fp-math[a-z0-9-]*\"=\"[a-z,-]*\"//g; s/^\(attributes #.*\) }/\1 \"denormal-fp-math-f32\"=\"$mode,$mode\" }/" \
        "$work/linked.ll" >"$work/mode.ll"
    llvm opt -mtriple=amdgcn-amd-amdhsa -mcpu="$chip" -passes='function(amdgpu-codegenprepare)' \
        -amdgpu-codegenprepare-mul24=0 -S mode.ll -o expanded.ll || return 1
    awk -v mad="$mad" -v div16="$div16" -v flush="$flush" -f "$parts/amd.awk" "$work/expanded.ll" >"$work/vendor.ll" || return 1
    {
        echo "library=ROCm OCML $(sed 's/.*_\([0-9.]*\).*_.*/\1/' "$cache/packages/$package/package")"
        echo "package=$(cut -d ' ' -f 2 "$cache/packages/$package/package")"
        echo "sha256=$(cut -d ' ' -f 1 "$cache/packages/$package/package")"
        put_facts NCSA
    } >"$work/facts.txt"
}

# ocloc of the root sid, which has libigc2.
run_ocloc() {
    [ -L "$root/usr/bin/ocloc" ] || { say "the root sid has no ocloc; make drivers adds it"; return 1; }
    rm -rf "$work/dump"
    mkdir "$work/dump"
    inside --setenv IGC_ShaderDumpEnable 1 --setenv IGC_DumpToCustomDir /tmp/build/dump \
        ocloc compile -file all.cl -device "$chip" -output out -q -options "-cl-std=CL3.0" >"$work/log" 2>&1
}

# ocloc and IGC of bookworm, unpacked, in the root bookworm; LLVM 14 writes typed pointers, which LLVM 21 reads as bitcode.
run_old_ocloc() {
    old_root=$PWD/drivers/roots/bookworm
    [ -x "$old_root/usr/bin/spirv-val" ] || { say "there is no root bookworm; make drivers makes it"; return 1; }
    libraries=""
    for one in libigc1 libigdfcl1 intel-opencl-icd libigdgmm12 libopencl-clang14 libllvmspirvlib14 libllvm14 libclang-cpp14 \
        llvm-14; do
        get_package "$one" || return 1
        libraries=$libraries:/tmp/packages/$one/usr/lib/x86_64-linux-gnu
    done
    rm -rf "$work/dump"
    mkdir "$work/dump"
    old() {
        bwrap --ro-bind "$old_root" / --dev /dev --proc /proc --tmpfs /tmp --bind "$work" /tmp/build \
            --ro-bind "$cache/packages" /tmp/packages --chdir /tmp/build --setenv LD_LIBRARY_PATH "${libraries#:}" "$@"
    }
    old --setenv IGC_ShaderDumpEnable 1 --setenv IGC_DumpToCustomDir /tmp/build/dump \
        /tmp/packages/intel-opencl-icd/usr/bin/ocloc compile -file all.cl -device "$chip" -output out -q \
        -options "-cl-std=CL2.0" >"$work/log" 2>&1 &&
        mv "$work"/dump/*_optimized.ll "$work/old.ll" &&
        old /tmp/packages/llvm-14/usr/lib/llvm-14/bin/llvm-as old.ll -o old.bc >>"$work/log" 2>&1 &&
        llvm llvm-dis old.bc -o dump/new_optimized.ll
}

# What IGC makes of one kernel per function, before its own instruction selection.
make_intel() {
    awk -v part=kernels -v types="$types" -f "$parts/loops.awk" "$parts/functions.tsv" >"$work/all.cl"
    awk -v part=symbols -v types="$types" -f "$parts/loops.awk" "$parts/functions.tsv" >"$work/symbols.tsv"
    if [ "$package" = libigc1 ]; then
        run_old_ocloc
    else
        run_ocloc
    fi || { say "ocloc failed: $(tail -n 3 "$work/log" 2>/dev/null)"; return 1; }
    awk -f "$parts/intel.awk" "$work"/dump/*_optimized.ll >"$work/vendor.ll"
    awk -v part=intel -v types="$types" -f "$parts/loops.awk" "$parts/functions.tsv" >>"$work/vendor.ll"
    if [ "$package" = libigc1 ]; then
        version=$(look_up packages.tsv 2 "$package")
        echo "sha256=$(cut -d ' ' -f 1 "$cache/packages/$package/package")"
    else
        version=$(awk -v name="$package" '$1 == "Package:" { p = $2 } p == name && $1 == "Version:" { print $2 }' \
            "$root/var/lib/dpkg/status")
        echo "sha256=$(sha256sum <"$(realpath "$(find "$root/usr/lib" -name 'libigc.so.2')")" | cut -d ' ' -f 1) libigc.so.2"
    fi >"$work/facts.txt"
    {
        echo "library=Intel IGC ${version%-*}"
        echo "package=${package}_$version"
        put_facts MIT
    } >>"$work/facts.txt"
}

make_target() {
    vendor=$(look_up targets.tsv 2 "$1") package=$(look_up targets.tsv 3 "$1") chip=$(look_up targets.tsv 4 "$1")
    flush=$(look_up targets.tsv 5 "$1") types=$(look_up targets.tsv 6 "$1")
    [ -n "$vendor" ] || { say "$1: not in targets.tsv"; return 1; }
    make_"$vendor" && make_library "$1"
}

mkdir -p "$cache"
if find_tools; then
    # shellcheck disable=SC2046
    [ $# -gt 0 ] || set -- $(awk '!/^#/ { print $1 }' "$parts/targets.tsv")
    for name; do
        make_target "$name" || { say "$name: failed"; failed="$failed $name"; }
    done
    [ -n "${KEEP:-}" ] || rm -rf "$work"
else
    failed=" all"
fi
[ -z "$failed" ] || { say "not available:$failed"; exit 1; }
