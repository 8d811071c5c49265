# gen/Dir.mk -- from a tape to a case; base alone.
gen-srcs := $(filter-out $(wildcard gen/*/test_*.c),$(wildcard gen/*/*.c))
gen-pkgs :=
