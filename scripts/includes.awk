# scripts/includes.awk -- input: "file:line:#include ..." lines; prints the includes that break the
# table of ARCHITECTURE.md and fails if there are any. tests/ and test_*.c may use any system header.
BEGIN {
    FS = ":"
    may["base"] = "^base/"
    may["gen"] = "^(base|gen)/"
    may["oracle"] = "^(base|oracle)/"
    may["fuzz"] = "^(base|gen|oracle|fuzz)/"
    may["reports"] = "^(base|reports)/|^fuzz/journal\\.h$|^oracle/tables\\.h$"
    libc = "^(assert|ctype|errno|fcntl|inttypes|limits|locale|poll|setjmp|signal|stdarg|stdatomic|stdbool|stddef|" \
           "getopt|stdint|stdio|stdlib|string|strings|time|unistd|dirent|glob|getopt|dlfcn|ucontext|execinfo|link|elf|" \
           "sys/[a-z]+)\\.h$"
    foreign["base"] = "^spirv/unified1/spirv\\.h$"
    foreign["gen"] = "^$"
    foreign["oracle"] = "^(mpfr|gmp|math|fenv|float)\\.h$"
    foreign["fuzz"] = "^(CL/|vulkan/|sqlite3\\.h$|spirv-tools/libspirv\\.h$|jansson\\.h$|ini\\.h$|mpfr\\.h$)"
    foreign["reports"] = "^(jansson|math)\\.h$"
}
function complain(why)
{
    print $1 ":" $2 ": " why ": " what
    bad = 1
}
{
    file = $1
    folder = file
    sub("/.*", "", folder)
    is_test = folder == "tests" || file ~ "/(test|bench|prove|target)_[^/]*$"
    what = $0
    sub("^[^:]*:[^:]*:[^<\"]*", "", what)
    name = substr(what, 2)
    sub("[>\"].*", "", name)
    if (folder == "tests" || (file ~ "/target_" && what ~ "reports/(report|bug|support).h")) {
        next
    }
    if (what ~ "^\"") {
        if (name ~ "^reports/" && file ~ "^fuzz/cmd_report") {
            if (name != "reports/write/report.h" && name != "reports/bug/bug.h") {
                complain("of reports, fuzz/cmd_report*.c may include report.h and bug.h")
            }
        } else if (name !~ may[folder] && !(is_test && folder == "reports")) {
            complain(folder " may not include")
        }
        next
    }
    if (name ~ libc || is_test) {
        next
    }
    if (name !~ foreign[folder]) {
        complain(folder " may not include")
        next
    }
    # In fuzz and reports a foreign library is known to one file.
    library = name
    sub("/.*", "", library)
    key = folder " " library
    if ((folder == "fuzz" || folder == "reports") && library != "math.h" && (key in owner) && owner[key] != file) {
        complain("a second file with this library, after " owner[key])
    }
    owner[key] = file
}
END { exit bad }
