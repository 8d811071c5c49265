#!/bin/sh
# scripts/documents.sh PROGRAM -- do README, man page and completion say what the program says? Each option of a command
# stands in the man page's section on it, each option that this section names is one of it, and so with the completion;
# each option and command that the README names is one; each profile is told of; exit statuses agree.
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
    grep -o -- '--[a-z][a-z_-]*[a-z]' | sort -u
}

commands=$("$program" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 10 ] || { echo "documents: $program --help lists no commands"; exit 1; }
man=$(sed 's/\\-/-/g' man/halfulp.1)
real=$({ "$program" --help; for c in $commands; do "$program" "$c" --help; done; } | options_of)

# The options of a command, by the rows of its help.
rows_of() {
    "$program" "$1" --help | sed -n 's/^  \(-., \|    \)\(--[a-z_-]*\).*/\2/p' | sort -u
}

# The man page's lines on a command; what all of them have is said above the first.
section_of() {
    echo "$man" | awk -v name="$1" '/^\.S[SH] /{ is_it = $2 == name } is_it'
}
common=$(echo "$man" | awk '/^\.SH COMMANDS/{ is_it = 1; next } /^\.SS /{ is_it = 0 } is_it' | options_of)

# What bash offers behind `halfulp COMMAND`, when the last word is typed so far; $2 may be the option before it.
complete_with() {
    bash -c '. scripts/halfulp.bash
        COMP_WORDS=("$1" "${@:2}")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _halfulp
        printf "%s\n" "${COMPREPLY[@]}"' bash "$program" "$@" | sed '/^$/d' | sort
}

for command in $commands; do
    options=$(rows_of "$command")
    section=$(section_of "$command" | options_of)
    [ -n "$(section_of "$command")" ] || complain "man/halfulp.1 has no section for $command"
    for option in $options; do
        [ "$option" = --help ] || printf '%s\n' "$section" "$common" | grep -qxF -e "$option" ||
            complain "man/halfulp.1 does not name $option of halfulp $command in its section"
    done
    for option in $section; do
        echo "$options" | grep -qxF -e "$option" || section_of "$command" | grep -q "halfulp [a-z]* *$option\|[a-z] \\\\*$option" ||
            complain "man/halfulp.1 names $option for halfulp $command, which has no such option"
    done
    [ "$(complete_with "$command" --)" = "$options" ] || complain "scripts/halfulp.bash: other options than halfulp $command --help"
    "$program" "$command" --help | grep -q '^Exit status: 0' || complain "halfulp $command --help does not tell its exit status"
done
[ "$(complete_with '' | grep -v '^-')" = "$(echo "$commands" | sort)" ] || complain "scripts/halfulp.bash: other commands than halfulp --help"

# Values that are completed are those that an option takes: `command option`, as its line of help or its complaint says.
for pair in 'gen profile' 'report format' 'audit forms' 'gen env' 'gen language' 'audit types'; do
    command=${pair% *}
    option=--${pair#* }
    told=$("$program" "$command" --help | grep -A1 -e "$option"; "$program" "$command" "$option" none 2>&1)
    values=$(complete_with "$command" "$option" '')
    [ -n "$values" ] || complain "scripts/halfulp.bash: no values of $option"
    for value in $values; do
        echo "$told" | grep -qw -e "$value" || complain "scripts/halfulp.bash: $option $value: halfulp $command has no such value"
    done
done

# Numbers at the beginning of a part of "0 nothing found, 1 findings, ...".
statuses_of() {
    tr '\n' ' ' | sed 's/.*[Ee]xit status[es]*: *//; s/\.[^0-9].*//' | grep -oE '(^|[,;:] )[0-9]+ ' | tr -dc '0-9\n' | sort -un | tr '\n' ' '
}
of_program=$("$program" --help | sed -n '/^Exit status/,$p' | statuses_of)
of_man=$(echo "$man" | awk '/^\.SH/{ is_it = $2 == "EXIT" } is_it && !/^\.SH/' | sed '1s/^/Exit status: /' | statuses_of)
of_readme=$(sed -n '/Exit status: 0/,/^$/p' README.md | statuses_of)
[ "$of_program" = "$of_man" ] || complain "exit statuses: $of_program in halfulp --help, $of_man in man/halfulp.1"
[ "$of_program" = "$of_readme" ] || complain "exit statuses: $of_program in halfulp --help, $of_readme in README.md"
for command in $commands; do
    for status in $("$program" "$command" --help | sed -n '/^Exit status/,$p' | statuses_of); do
        case " $of_program" in *" $status "*) ;; *) complain "halfulp $command --help tells status $status, halfulp --help does not" ;; esac
    done
done

for profile in $("$program" gen --profile none 2>&1 | sed 's/.*accepted names: //'); do
    for command in run fuzz; do
        "$program" "$command" --help | grep -e '--profile NAME' | grep -qw "$profile" ||
            complain "halfulp $command --help does not name profile $profile"
    done
done

# Of AFL++, make, deqp-runner, Slurm, systemd and the shell: not ours.
for option in $(echo "$man" | options_of) $(cat README.md docs/*.md | options_of); do
    case $option in --api | --gres | --account | --dry-run | --now | --qos | --shard-and-merge | --suite | --timeout | --type | --user) continue ;; esac
    echo "$real" | grep -qxF -e "$option" || complain "$option is named in README.md, docs or man/halfulp.1 and no command has it"
done
grep -oh '`halfulp [a-z][a-z]*\|^    [a-z/]*halfulp [a-z][a-z]*' README.md CONTRIBUTING.md docs/*.md | sed "s/.* //" | sort -u >build/documents.commands
while read -r command; do
    echo "$commands" | grep -qx "$command" || complain "README.md or CONTRIBUTING.md names halfulp $command, which is no command"
done <build/documents.commands

# `make` alone builds the program: the fragments that the Makefile includes begin with other targets.
env -u MAKEFLAGS -u MFLAGS make -pn 2>/dev/null | grep -qx '.DEFAULT_GOAL := all' || complain "make without a target does not make all"

# A README that one reads; pages that are there, each named by the index.
[ "$(wc -l <README.md)" -le 150 ] || complain "README.md has more than 150 lines"
for page in README.md ARCHITECTURE.md CONTRIBUTING.md docs/*.md; do
    grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^http' | sort -u >build/documents.links
    while read -r link; do
        [ -e "$(dirname "$page")/$link" ] || complain "$page: $link is not there"
    done <build/documents.links
done
for page in docs/*.md; do
    name=$(basename "$page")
    [ "$name" = README.md ] || grep -q "]($name)" docs/README.md || complain "docs/README.md does not name $name"
done
exit $bad
