# oracle/Dir.mk -- verdicts.
oracle-srcs := $(filter-out oracle/test_%.c oracle/bench_%.c oracle/prove_%.c,$(wildcard oracle/*.c))
oracle-pkgs := mpfr gmp
oracle-libs := -lm
