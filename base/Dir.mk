# base/Dir.mk -- what two stages share; libc alone.
base-srcs := $(filter-out base/test_%.c,$(wildcard base/*.c))
base-pkgs :=
