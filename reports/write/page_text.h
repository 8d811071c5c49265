/* reports/write/page_text.h -- the lines of page.css and page.js, NULL after the last; the build makes C of them. */
#pragma once

extern const char *const page_css[], *const page_js[];
/* SHA-256 of the script, a newline after each line, in base 64: the page lets no other script run. */
#define PAGE_JS_HASH "07ZhW8mA5IJiozJGYMOpy62id9HqZHpox6MVEW8ckc8="
