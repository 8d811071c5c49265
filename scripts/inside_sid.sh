#!/bin/sh
# scripts/inside_sid.sh FOLDER COMMAND [ARGUMENT]... -- run a command of the driver root sid, which has newer tools than this
# machine, with FOLDER at /tmp/given, read only. Status 77: there is no such root, or it has no such command.
set -u
root=$(dirname "$0")/../drivers/roots/sid
folder=$1
shift
[ -x "$root/usr/bin/$1" ] || exit 77
exec bwrap --ro-bind "$(realpath "$root")" / --dev /dev --proc /proc --tmpfs /tmp --ro-bind "$(realpath "$folder")" /tmp/given \
    --unsetenv LD_LIBRARY_PATH "$@"
