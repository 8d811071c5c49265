# scripts/guidance.awk -- input: "fault method seed found executions cpu-seconds" lines, one for each run, in
# the order in which they are to stand. Writes a table to the file `tsv` and as Markdown to `md`, and prints
# it. A run that found nothing (found 0) counts as one that found it at its limit of `limit` CPU seconds, and
# after as many executions as the longest run on that fault had: one that is slow gains nothing by it.
function add(key, is_found, n_executions, cpu) {
    if (!(key in n)) {
        order[++n_keys] = key
    }
    n[key]++
    executions[key, n[key]] = n_executions
    seconds[key, n[key]] = is_found && cpu < limit ? cpu : limit
    censored[key] += !is_found
}
# Value at share q of the n sorted values v[key, 1..n], between two of them by proportion.
function quantile(v, key, q,    i, k, x, at, sorted) {
    for (i = 1; i <= n[key]; i++) {
        x = v[key, i]
        for (k = i - 1; k >= 1 && sorted[k] > x; k--) {
            sorted[k + 1] = sorted[k]
        }
        sorted[k + 1] = x
    }
    at = 1 + q * (n[key] - 1)
    i = int(at)
    return i >= n[key] ? sorted[n[key]] : sorted[i] + (at - i) * (sorted[i + 1] - sorted[i])
}
function put(line) {
    print line >tsv
    gsub("\t", " | ", line)
    print "| " line " |" >md
    print line
}
# Of the medians, this method's to that of random tapes.
function ratio(v, key, random,    x) {
    x = key != random && random in n ? quantile(v, random, 0.5) : 0
    return x > 0 ? sprintf("%.3f", quantile(v, key, 0.5) / x) : "-"
}
function quartiles(v, key, form) {
    return sprintf("\t" form "\t" form "\t" form, quantile(v, key, 0.25), quantile(v, key, 0.5), quantile(v, key, 0.75))
}
function put_rows(which,    i, key, part, random) {
    for (i = 1; i <= n_keys; i++) {
        key = order[i]
        split(key, part, "\t")
        if ((part[1] == "all runs") == which) {
            random = part[1] "\trandom"
            put(key "\t" n[key] "\t" censored[key] quartiles(executions, key, "%.0f") quartiles(seconds, key, "%.1f") \
                "\t" ratio(executions, key, random) "\t" ratio(seconds, key, random))
        }
    }
}
# The faults' ratios: a fault that takes long counts no more than another.
function put_medians(    i, key, part, random, methods, n_methods, m) {
    for (i = 1; i <= n_keys; i++) {
        key = order[i]
        split(key, part, "\t")
        random = part[1] "\trandom"
        if (part[1] != "all runs" && part[2] != "random" && ratio(seconds, key, random) != "-") {
            m = "median ratio\t" part[2]
            if (!(m in n)) {
                methods[++n_methods] = m
            }
            n[m]++
            executions[m, n[m]] = ratio(executions, key, random)
            seconds[m, n[m]] = ratio(seconds, key, random)
        }
    }
    for (i = 1; i <= n_methods; i++) {
        m = methods[i]
        put(m "\t" n[m] "\t\t\t\t\t\t\t\t" sprintf("%.3f\t%.3f", quantile(executions, m, 0.5), quantile(seconds, m, 0.5)))
    }
}
{
    run[NR] = $0
    longest[$1] = $5 > longest[$1] ? $5 : longest[$1]
}
END {
    for (i = 1; i <= NR; i++) {
        split(run[i], f, " ")
        add(f[1] "\t" f[2], f[4], f[4] ? f[5] : longest[f[1]], f[6])
        add("all runs\t" f[2], f[4], f[4] ? f[5] : longest[f[1]], f[6])
    }
    put("fault\tmethod\truns\tcensored\texecutions q1\tmedian\tq3\tCPU s q1\tmedian\tq3\texecutions to random\tCPU s to random")
    print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |" >md
    put_rows(0)
    put_rows(1)
    put_medians()
}
