#!/bin/sh
# scripts/drivers.sh -- more drivers to test, under drivers/: root file systems of Debian's
# releases with their drivers, compilers for GPUs that need none, and SwiftShader. Each is optional: a failure is told,
# the rest goes on.
set -u
cd "$(dirname "$0")/.." || exit 3
failed=""

say() { printf 'drivers: %s\n' "$*" >&2; }

# The mirror that this machine's own apt uses for bookworm.
find_mirror() {
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(SITE) $(RELEASE) $(CREATED_BY)' 2>/dev/null |
        awk '$2 == "bookworm" && $3 == "Packages" { print $1; exit }'
}

# A root of suite $1 with the packages that follow.
make_root() {
    suite=$1 root=drivers/roots/$1
    shift
    packages=$(echo "$*" | tr ' ' ',')
    [ "$(cat "$root.packages" 2>/dev/null)" != "$packages" ] || { say "$suite: there already"; return 0; }
    mode=unshare
    [ "$(id -u)" -ne 0 ] || mode=root
    say "$suite: making $root"
    rm -rf "$root.new"
    if mmdebstrap --quiet --mode=$mode --variant=apt --include="$packages" \
        --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='APT::Install-Recommends "false"' \
        "$suite" "$root.new" "$mirror" 2>"$root.log"; then
        rm -rf "$root" "$root.new/var/cache/apt" "$root.new/var/lib/apt/lists"
        mv "$root.new" "$root"
        echo "$packages" >"$root.packages"
    else
        say "$suite: failed, see $root.log"
        rm -rf "$root.new"
        return 1
    fi
}

# The file by which the Vulkan loader finds SwiftShader: it holds a full path, so it is written anew
# each time, as the folder may have moved.
write_swiftshader_icd() {
    printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}\n' \
        "$1/libvk_swiftshader.so" >"$1/icd.json"
}

# The one library of SwiftShader, out of a browser's package that is not installed.
get_swiftshader() {
    home=$PWD/drivers/swiftshader
    if [ -s "$home/libvk_swiftshader.so" ]; then
        say "swiftshader: there already"
        write_swiftshader_icd "$home"
        return 0
    fi
    rm -rf "$home.new"
    mkdir -p "$home.new/x"
    chmod 777 "$home.new/x"
    say "swiftshader: downloading"
    if (cd "$home.new/x" && apt-get -q download chromium-common >&2) &&
        basename "$home.new"/x/chromium-common_*.deb .deb | sed 's/^/Debian package /; s/%3a/:/' >"$home.new/package" &&
        dpkg-deb --fsys-tarfile "$home.new"/x/chromium-common_*.deb |
        tar -xO ./usr/lib/chromium/libvk_swiftshader.so >"$home.new/libvk_swiftshader.so" &&
        [ -s "$home.new/libvk_swiftshader.so" ]; then
        rm -rf "$home.new/x" "$home"
        mv "$home.new" "$home"
        write_swiftshader_icd "$home"
    else
        say "swiftshader: failed"
        rm -rf "$home.new"
        return 1
    fi
}

common="pocl-opencl-icd mesa-opencl-icd mesa-vulkan-drivers ocl-icd-libopencl1 libvulkan1 spirv-tools"
gpus="mesa-drm-shim" # a stand-in for the kernel's devices: RADV, Turnip, NVK, Honeykrisp, rusticl's drivers for GPUs
glsl="glslang-tools" # the front end of GLSL: the target glslang
igc="intel-ocloc libigc2 libigdfcl2" # Intel's compiler for GPUs, and its front end for OpenCL C
mkdir -p drivers/roots
mirror=$(find_mirror)
if [ -z "$mirror" ]; then
    say "no Debian mirror in this machine's apt sources: no driver roots"
    failed="roots"
else
    # shellcheck disable=SC2086
    make_root bookworm $common || failed="$failed bookworm"
    # shellcheck disable=SC2086
    make_root trixie $common $gpus || make_root trixie $common || failed="$failed trixie"
    # shellcheck disable=SC2086
    make_root sid $common $glsl $gpus $igc || make_root sid $common $glsl $gpus || make_root sid $common || failed="$failed sid"
fi
get_swiftshader || failed="$failed swiftshader"
[ -z "$failed" ] || say "not available: $failed; everything else is ready"
exit 0
