# reports/Dir.mk -- a campaign as a page and as files for people and programs.
reports-srcs := $(filter-out $(wildcard reports/*/test_*.c),$(wildcard reports/*/*.c))
# Texts that the program writes out: their lines become a table of C.
reports-texts := $(wildcard reports/*/*.c.in reports/*/*.css reports/*/*.js)
