#!/bin/sh
# scripts/setup.sh -- install what the build and the default drivers need; safe to run again.
# Needs no network when everything is there. Uses the machine's own apt and pip configuration.
# With the word "slow" also what only check-slow needs, with "slurm" what a cluster for tests needs.
set -u
cd "$(dirname "$0")/.." || exit 3

PACKAGES="gcc libc6-dev make pkg-config clang clang-format clang-tidy cppcheck shellcheck
libmpfr-dev libgmp-dev libstdc++-12-dev spirv-tools spirv-headers libsqlite3-dev libjansson-dev
libinih-dev libcmocka-dev afl++ libclang-rt-14-dev bubblewrap mmdebstrap opencl-c-headers
ocl-icd-libopencl1 ocl-icd-opencl-dev libvulkan-dev libvulkan1 mesa-vulkan-drivers gnuplot-nox
python3 python3-venv glslang-tools llvm-spirv-14
python3-jsonschema libxml2-utils"
case ${1:-} in
slow) PACKAGES="$PACKAGES chromium" ;;
slurm) PACKAGES="$PACKAGES slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge faketime" ;;
esac

say() { printf 'setup: %s\n' "$*" >&2; }

list_missing() {
    for package in $PACKAGES; do
        status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)
        [ "$status" = "install ok installed" ] || printf '%s ' "$package"
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    else
        sudo -n env DEBIAN_FRONTEND=noninteractive "$@"
    fi
}

install_packages() {
    command -v dpkg-query >/dev/null || { say "this is not Debian; going on without packages"; return; }
    missing=$(list_missing)
    [ -n "$missing" ] || return
    if [ "$(id -u)" -ne 0 ] && ! sudo -n true 2>/dev/null; then
        say "packages are missing; as root, run:"
        say "  apt-get install --no-install-recommends $missing"
        return
    fi
    say "installing $missing"
    as_root apt-get -q update >&2 || say "apt-get update failed; trying with the lists that are there"
    # shellcheck disable=SC2086
    as_root apt-get -qy install --no-install-recommends $missing >&2 && return
    for package in $missing; do
        as_root apt-get -qy install --no-install-recommends "$package" >&2 ||
            say "package $package could not be installed"
    done
}

# The wheels of scripts/intel-cpu.txt, unpacked in $1; by a pip of their own where venv works. They are the
# files that scripts/intel-cpu.sha256 names, whatever the index has.
unpack_wheels() {
    pip=python3
    if python3 -m venv "$1/venv" >/dev/null 2>&1; then
        pip=$1/venv/bin/python
    fi
    "$pip" -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: \
        -d "$1/wheels" -r scripts/intel-cpu.txt >&2 || return 1
    scripts/wheels.sh scripts/intel-cpu.sha256 "$1/wheels" || return 1
    for wheel in "$1"/wheels/*.whl; do
        python3 -m zipfile -e "$wheel" "$1/x" || return 1
    done
    for data in "$1"/x/*.data/data; do
        cp -R "$data/." "$1" || return 1
    done
    rm -rf "$1/venv" "$1/wheels" "$1/x"
    [ -e "$1/lib/libintelocl.so" ]
}

# The CPU OpenCL runtime of Intel, by its users' own download and licence.
install_intel_cpu() {
    want=scripts/intel-cpu.txt home=drivers/intel-cpu
    [ "$(uname -m)" = x86_64 ] || { say "intel-cpu: only for x86_64; not installed"; return; }
    if ! cmp -s "$want" "$home/installed.txt" || [ ! -e "$home/lib/libintelocl.so" ]; then
        say "intel-cpu: downloading"
        rm -rf "$home.new"
        mkdir -p "$home.new"
        if ! unpack_wheels "$home.new"; then
            say "intel-cpu: not installed, see above; the other drivers still run"
            rm -rf "$home.new"
            return
        fi
        cp "$want" "$home.new/installed.txt"
        rm -rf "$home"
        mv "$home.new" "$home"
    fi
    mkdir -p "$home/icd"
    printf '%s\n' "$PWD/$home/lib/libintelocl.so" >"$home/icd/intel.icd"
}

install_packages
install_intel_cpu
[ -e drivers/intel-cpu/icd/intel.icd ] || say "no OpenCL driver was set up (intel-cpu)"
[ -e /usr/share/vulkan/icd.d/lvp_icd.x86_64.json ] || say "no Vulkan driver was set up (lavapipe)"
exit 0
