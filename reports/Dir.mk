# reports/Dir.mk -- a campaign as a page, as text and as JSON.
reports-srcs := $(filter-out reports/test_%.c,$(wildcard reports/*.c))
reports-pkgs := jansson
