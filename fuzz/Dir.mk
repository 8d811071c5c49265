# fuzz/Dir.mk -- worker-srcs link libc and libm alone: the worker must run in roots that have nothing else.
fuzz-main   := fuzz/cli/main.c
worker-only := $(wildcard fuzz/worker/worker*.c fuzz/worker/crash.c fuzz/worker/drv_*.c)
worker-srcs := $(worker-only) $(filter-out fuzz/wire/test_%,$(wildcard fuzz/wire/*.c)) $(base-srcs)
fuzz-srcs   := $(filter-out $(fuzz-main) fuzz/execute/execute_main.c $(worker-only) $(wildcard fuzz/*/test_*.c fuzz/guided/afl_*.c), \
                            $(wildcard fuzz/*/*.c))
fuzz-pkgs   := SPIRV-Tools sqlite3 jansson inih
fuzz-libs   := -lstdc++
