# fuzz/Dir.mk -- worker-srcs link libc and libm alone: the worker must run in roots that have nothing else.
fuzz-main   := fuzz/main.c
worker-only := $(wildcard fuzz/worker.c fuzz/worker_*.c fuzz/crash.c fuzz/drv_*.c)
worker-srcs := $(worker-only) $(wildcard fuzz/wire.c fuzz/stream.c) $(base-srcs)
fuzz-srcs   := $(filter-out $(fuzz-main) $(worker-only) fuzz/replay.c fuzz/afl_%.c fuzz/test_%.c \
                            fuzz/bench_%.c fuzz/target_%.c,$(wildcard fuzz/*.c))
fuzz-pkgs   := SPIRV-Tools sqlite3 jansson inih
fuzz-libs   := -lstdc++
