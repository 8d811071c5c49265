# reports/Dir.mk -- a campaign as a page, as text and as JSON.
reports-srcs := reports/report.c reports/report_view.c reports/report_tables.c \
                reports/report_html.c reports/report_style.c reports/report_text.c \
                reports/report_json.c reports/report_coverage.c reports/report_groups.c \
                reports/report_cross.c reports/table.c reports/figures.c reports/max_error.c \
                reports/support.c reports/support_group.c
reports-pkgs := jansson
