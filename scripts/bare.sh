#!/bin/sh
# scripts/bare.sh ROOT FOLDER COMMAND [ARGUMENT]... -- run a command as on a bare machine: the driver root ROOT as the file system,
# an ordinary user without any privilege, no network, FOLDER as /home, which can be written. BARE_NO_LOADERS=1: the machine
# has no Vulkan and no OpenCL loader. Status 77: there is no such root.
set -eu
root=$(dirname "$0")/../drivers/roots/$1
[ -d "$root/usr" ] || exit 77
root=$(realpath "$root")
home=$(realpath "$2")
shift 2
first=$#
if [ -n "${BARE_NO_LOADERS:-}" ]; then
    for file in "$root"/usr/lib/x86_64-linux-gnu/libvulkan.so* "$root"/usr/lib/x86_64-linux-gnu/libOpenCL.so*; do
        # a link cannot be bound over: its file stands in the list, too
        [ -L "$file" ] || set -- "$@" --ro-bind /dev/null "${file#"$root"}"
    done
fi
# bwrap's own words stand before the command, which is moved behind them.
while [ "$first" -gt 0 ]; do
    set -- "$@" "$1"
    shift
    first=$((first - 1))
done
exec bwrap --ro-bind "$root" / --dev /dev --proc /proc --ro-bind /sys /sys --tmpfs /tmp --bind "$home" /home --chdir /home \
    --unshare-user --uid 1000 --gid 1000 --unshare-net --unshare-pid --unshare-ipc --die-with-parent --clearenv \
    --setenv PATH /usr/bin:/bin --setenv HOME /home "$@"
