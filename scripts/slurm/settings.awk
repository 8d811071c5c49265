# scripts/slurm/settings.awk -- read settings (lines `name = value`), check each, print them as assignments of sh.
# A mistake is told with file, line and what would be right; then the exit status is 2.

function row(name, kind, value, hint) {
    kinds[name] = kind
    values[name] = value
    hints[name] = hint
    order[++n_rows] = name
}

function complain(line, text) {
    print FILENAME ":" line ": " text >"/dev/stderr"
    is_bad = 1
}

# kind: a regular expression that a whole value must fit.
BEGIN {
    any = "[^']+"
    number = "[1-9][0-9]*"
    span = "([0-9]+h)?([0-9]+m)?([0-9]+s)?"
    path = "/[^'\"\\\\*?\\[]*"
    row("folder", path, "", "a path from the root, on a file system of all nodes, without quotes, *, ? and [")
    row("halfulp", path, "", "the program's path from the root, the same on all nodes")
    row("targets", "[A-Za-z0-9_.,:*+-]+", "", "names with commas between, as \"halfulp devices\" lists them")
    row("targets_file", path, "", "a path from the root")
    row("seed", "[0-9]+", "", "a number: shards of one campaign have one seed")
    row("shards", number, "", "a number from 1 to 100000")
    row("cases", number, "", "a number from 1: cases of the whole campaign, on each target")
    row("hours", span, "", "a time such as 90m or 24h: of each shard")
    row("profile", "[a-z]+", "all", "a profile of \"halfulp run --help\"")
    row("mutate", "[0-9]|[1-9][0-9]|100", "", "a number from 0 to 100")
    row("known", path, "", "a path from the root")
    row("disk_cap", "[1-9][0-9]*[KMG]?", "256M", "a size such as 256M")
    row("options", any, "", "further words for \"halfulp run\"")
    row("partition", any, "", "a partition of sinfo")
    row("constraint", any, "", "as sbatch --constraint")
    row("gres", any, "", "as sbatch --gres: gpu:1")
    row("cpus", number, "1", "a number from 1")
    row("memory", "[1-9][0-9]*[KMGT]?", "4G", "as sbatch --mem: 4G")
    row("time", "[1-9][0-9]*|[0-9]+(:[0-9]+)+|[0-9]+-[0-9]+(:[0-9]+)*", "4:00:00", "as sbatch --time: 4:00:00, 1-0")
    row("at_once", number, "", "a number from 1: shards that run at the same time")
    row("sbatch", any, "", "further words for sbatch")
    row("local", path, "", "a path from the root, of a disk of the node")
    row("local_mib", "[0-9]+", "1024", "a number of MiB")
    row("interval", number, "600", "a number of seconds")
    row("pause", "[0-9]+", "300", "a number of seconds")
    row("tries", number, "5", "a number from 1")
    row("triage_shards", "[0-9]+", "4", "a number from 0 to 9999; 0: no triage")
    row("triage_time", span, "30m", "a time such as 30m")
    most["shards"] = 100000
    most["triage_shards"] = 9999
    most["cpus"] = 9999
    most["interval"] = most["pause"] = 86400
    row("suppress", path, "", "a path from the root")
}

/^[ \t]*(#|$)/ { next }

!/^[ \t]*[a-z_]+(\.[A-Za-z0-9_-]+)?[ \t]*=/ {
    complain(FNR, "\"" $0 "\": a line is name = value, or begins with #")
    next
}

{
    name = value = $0
    sub(/=.*/, "", name)
    gsub(/[ \t]/, "", name)
    sub(/^[^=]*=[ \t]*/, "", value)
    sub(/[ \t]+#.*$/, "", value)
    sub(/[ \t]+$/, "", value)
    if (value ~ /^#/) value = ""
    base = target = name
    sub(/\..*/, "", base)
    if (!(base in kinds) || (name != base && base !~ /^(gres|constraint|partition)$/)) {
        complain(FNR, name ": no such setting; settings.example has all")
        next
    }
    if (seen[name]) {
        complain(FNR, name ": is set in line " seen[name] " already")
        next
    }
    seen[name] = FNR
    is_long = value ~ /^[0-9]+$/ && (length(value) > 18 || (base in most && value + 0 > most[base]))
    if (value != "" && (value !~ ("^(" kinds[base] ")$") || is_long)) {
        complain(FNR, name " = " value ": needed is " hints[base])
    } else if (name != base) {
        sub(/^[^.]*\./, "", target)
        special[base, target] = value
        specials[++n_specials] = base SUBSEP target SUBSEP FNR
    } else if (value != "") {
        values[name] = value
    }
}

# Targets that need the same node are a group: lines "group 'TARGETS' 'GRES' 'CONSTRAINT' 'PARTITION'".
function of(what, target) {
    return (what, target) in special ? special[what, target] : values[what]
}

END {
    n = split("folder halfulp targets seed shards", needed, " ")
    for (i = 1; i <= n; i++)
        if (values[needed[i]] == "" && !seen[needed[i]]) complain(FNR, needed[i] ": is missing: " hints[needed[i]])
        else if (values[needed[i]] == "" && !is_bad) complain(seen[needed[i]], needed[i] ": needed is " hints[needed[i]])
    if (values["cases"] == "" && values["hours"] == "") complain(FNR, "cases or hours: one of them is needed, or it never ends")
    n_targets = split(values["targets"], targets, ",")
    for (i = 1; i <= n_targets; i++) is_target[targets[i]] = 1
    for (i = 1; i <= n_specials; i++) {
        split(specials[i], part, SUBSEP)
        if (!(part[2] in is_target)) complain(part[3], part[1] "." part[2] ": targets has no " part[2])
    }
    if (is_bad) exit 2
    for (i = 1; i <= n_rows; i++) print "set_" order[i] "='" values[order[i]] "'"
    for (i = 1; i <= n_targets; i++) {
        need = "'" of("gres", targets[i]) "' '" of("constraint", targets[i]) "' '" of("partition", targets[i]) "'"
        if (!(need in group)) needs[++n_groups] = need
        group[need] = group[need] (group[need] == "" ? "" : ",") targets[i]
    }
    for (i = 1; i <= n_groups; i++) print "# group '" group[needs[i]] "' " needs[i]
}
