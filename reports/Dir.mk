# reports/Dir.mk -- a campaign as a page and as files for people and programs.
reports-srcs := $(filter-out $(wildcard reports/*/test_*.c),$(wildcard reports/*/*.c))
reports-pkgs := jansson
