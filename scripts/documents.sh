#!/bin/sh
# scripts/documents.sh PROGRAM -- do README and man page say what the program says? Each option of a command stands in
# the man page, each option and command that they name is one, and each profile is told of.
set -u
cd "$(dirname "$0")/.." || exit 3
export LC_ALL=C
program=$1
bad=0

complain() {
    echo "documents: $1"
    bad=1
}

options_of() {
    grep -o -- '--[a-z][a-z-]*[a-z]' | sort -u
}

commands=$("$program" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 10 ] || { echo "documents: $program --help lists no commands"; exit 1; }
man=$(sed 's/\\-/-/g' man/halfulp.1)
real=$(for c in $commands; do "$program" "$c" --help; done | options_of)

for command in $commands; do
    echo "$man" | grep -q "^\.SS $command\( .*\)*$" || complain "man/halfulp.1 has no section for $command"
    for option in $("$program" "$command" --help | options_of); do
        echo "$man" | grep -qF -e "$option" || complain "man/halfulp.1 does not name $option of halfulp $command"
    done
done

for profile in $("$program" gen --profile none 2>&1 | sed 's/.*there are: //'); do
    for command in run fuzz; do
        "$program" "$command" --help | grep -e '--profile NAME' | grep -qw "$profile" ||
            complain "halfulp $command --help does not name profile $profile"
    done
done

# Of AFL++, make and the shell: not ours.
for option in $(echo "$man" | options_of) $(options_of <README.md); do
    case $option in --api | --gres) continue ;; esac
    echo "$real" | grep -qxF -e "$option" || complain "$option is named in README.md or man/halfulp.1 and no command has it"
done
grep -oh '`halfulp [a-z][a-z]*\|^    [a-z/]*halfulp [a-z][a-z]*' README.md CONTRIBUTING.md | sed 's/.* //' | sort -u >build/documents.commands
while read -r command; do
    echo "$commands" | grep -qx "$command" || complain "README.md or CONTRIBUTING.md names halfulp $command, which is no command"
done <build/documents.commands
exit $bad
