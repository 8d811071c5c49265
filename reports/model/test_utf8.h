/* reports/model/test_utf8.h -- an independent reader of UTF-8, the C library's iconv, for tests. */
#pragma once

#include <iconv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

/* Is it well-formed UTF-8, and free of controls but for the newline? */
static inline void assert_printable(const char *text, const char *what)
{
    static uint32_t wide[1 << 21];
    iconv_t const cd = iconv_open("UTF-32LE", "UTF-8");
    size_t n_in = strlen(text), n_out = sizeof wide;
    char *in = (char *)(uintptr_t)text; /* iconv does not write there */
    char *out = (char *)wide;
    assert_true(cd != (iconv_t)-1);
    if (iconv(cd, &in, &n_in, &out, &n_out) == (size_t)-1) {
        fail_msg("%s: not UTF-8 at byte %zu", what, strlen(text) - n_in);
    }
    (void)iconv_close(cd);
    for (size_t i = 0; i < ARRAY_N(wide) - n_out / 4; i++) {
        uint32_t const c = wide[i];
        if ((c < 0x20 && c != '\n') || (c >= 0x7f && c < 0xa0) || c == 0x202e || c == 0xfeff) {
            fail_msg("%s: character %#x at %zu", what, (unsigned)c, i);
        }
    }
}
