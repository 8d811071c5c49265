# oracle/Dir.mk -- verdicts.
oracle-srcs := $(filter-out $(wildcard oracle/*/test_*.c),$(wildcard oracle/*/*.c))
oracle-pkgs := mpfr gmp
oracle-libs := -lm
# The judge is the hot loop of a campaign: -O3 is 8 to 10% faster there (make bench).
$B/oracle/%.o: CFLAGS += -O3
# Loops without branches: the filter is as fast as they are vectorised. No result depends on these.
$B/oracle/sweep/%.o: CFLAGS += -fno-math-errno -fno-trapping-math
