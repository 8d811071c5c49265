# scripts/vendor_math/operations.awk operation.def symbols.tsv functions.tsv LIBRARY.ll -- functions.tsv of a library: one line
# per loop of symbols.tsv (loops.awk part=symbols) that LIBRARY.ll defines. -v vendor=amd or intel, for the bounds.

function add(caller, name) { calls[caller] = calls[caller] " " name }

# Operations that function f reaches, into the array found.
function reach(f,    list, n, i) {
    if (f in seen) {
        return
    }
    seen[f] = 1
    n = split(calls[f], list, " ")
    for (i = 1; i <= n; i++) {
        if (list[i] in operation) {
            found[list[i]] = 1
        } else {
            reach(list[i])
        }
    }
}

FNR == 1 { file++ }
file == 1 && /^OPERATION\(/ {
    name = $1
    sub(/OPERATION\(/, "", name)
    sub(/,.*/, "", name)
    operation[name] = ++n_operations
    order[n_operations] = name
}
file == 2 { line[++n_lines] = $0 }
file == 3 && !/^#/ {
    split($0, column, "\t")
    split(column[vendor == "amd" ? 6 : 7], of_type, ",")
    bound[column[1] " f16"] = of_type[1]
    bound[column[1] " f32"] = of_type[2]
    bound[column[1] " f64"] = of_type[3]
}
file == 4 && /^define/ {
    caller = $0
    sub(/^[^@]*@/, "", caller)
    sub(/\(.*/, "", caller)
    defined[caller] = 1
}
file == 4 && !/^(define|declare)/ {
    rest = $0
    while (match(rest, /@[A-Za-z0-9_.]+\(/)) {
        add(caller, substr(rest, RSTART + 1, RLENGTH - 2))
        rest = substr(rest, RSTART + RLENGTH)
    }
}
END {
    for (i = 1; i <= n_lines; i++) {
        split(line[i], column, "\t")
        if (!(column[1] in defined)) {
            continue
        }
        split("", seen)
        split("", found)
        reach(column[1])
        list = ""
        for (k = 1; k <= n_operations; k++) {
            if (order[k] in found) {
                list = list (list == "" ? "" : ",") order[k]
            }
        }
        documented = bound[column[2] " " column[3]]
        printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", column[2], column[3], column[4], column[5], list == "" ? "-" : list, \
            vendor == "amd" ? column[6] : column[7], documented == "" ? "-" : documented
    }
}
