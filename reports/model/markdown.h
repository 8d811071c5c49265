/* reports/model/markdown.h -- foreign text in Markdown: shown as it is, never taken as markup. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/*
 * One line of text, for a paragraph, a heading, a list item or a table's cell, never at the start of
 * a line: control characters and invalid UTF-8 are spelled out, everything that CommonMark or the
 * extensions of GitHub and GitLab (tables, links of themselves, mentions, references) would take as
 * markup is escaped. NULL is "".
 */
void markdown_put_text(const char *text, FILE *f);
/* Lines of text as a fenced block that no line of it can end; what is beyond max_bytes is left out,
 * and a last line says so. */
void markdown_put_block(const char *text, size_t max_bytes, FILE *f);
/* "- name: text" as an item of a list, and nothing where there is no text: NULL, "" or "-". */
void markdown_put_item(const char *name, const char *text, FILE *f);
