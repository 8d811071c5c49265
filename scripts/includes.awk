# scripts/includes.awk -- input: "file:line:#include ..." lines; prints the includes that break the
# table of ARCHITECTURE.md and fails if there are any. tests/ and test_*.c may use any header.
BEGIN {
    FS = ":"
    may["base"] = "^base/"
    may["gen"] = "^(base|gen)/"
    may["oracle"] = "^(base|oracle)/"
    may["fuzz"] = "^(base|gen|oracle|fuzz)/"
    may["reports"] = "^(base|reports|fuzz/journal|oracle/tables)/|^fuzz/io/json\\.h"
    libc = "^(assert|ctype|errno|fcntl|inttypes|limits|locale|poll|setjmp|signal|stdarg|stdatomic|stdbool|stddef|" \
           "getopt|regex|stdint|stdio|stdlib|string|strings|time|unistd|dirent|glob|getopt|dlfcn|ucontext|execinfo|link|elf|" \
           "sys/[a-z]+)\\.h$"
    foreign["base"] = "^spirv/unified1/spirv\\.h$"
    foreign["gen"] = "^$"
    foreign["oracle"] = "^(mpfr|gmp|math|fenv|float)\\.h$"
    foreign["fuzz"] = "^(CL/|vulkan/|sqlite3\\.h$|spirv-tools/libspirv\\.h$|jansson\\.h$|ini\\.h$|mpfr\\.h$)"
    foreign["reports"] = "^math\\.h$"
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
    what = $0
    sub("^[^:]*:[^:]*:[^<\"]*", "", what)
    name = substr(what, 2)
    sub("[>\"].*", "", name)
    if (folder == "tests" || file ~ "/test_[^/]*$") {
        next
    }
    if (what ~ "^\"") {
        if (name !~ may[folder] && !(name ~ "^reports/" && file ~ "^fuzz/cli/")) {
            complain(folder " may not include")
        }
        next
    }
    if (name ~ libc) {
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
