/* reports/model/figures.c -- counts, shares and times as people read them; no locale. */
#include "reports/model/figures.h"

#include <inttypes.h>

const char *figures_count(struct arena *a, uint64_t n)
{
    char buf[32]; /* 20 digits, 6 commas */
    char *p = buf + sizeof(buf);
    unsigned n_digits = 0;
    *--p = '\0';
    do {
        if (n_digits > 0 && n_digits % 3 == 0) {
            *--p = ',';
        }
        *--p = (char)('0' + n % 10);
        n /= 10;
        n_digits++;
    } while (n > 0);
    return arena_printf(a, "%s", p);
}

uint64_t figures_sum(uint64_t x, uint64_t y)
{
    return x > UINT64_MAX - y ? UINT64_MAX : x + y;
}

const char *figures_share(struct arena *a, uint64_t part, uint64_t whole)
{
    if (whole == 0) {
        return "-";
    }
    double const permille = 1000.0 * (double)part / (double)whole;
    if (!(permille < 1e9)) {
        return ">100%"; /* counts that make no sense together; still a line of text */
    }
    uint64_t const n = (uint64_t)(permille + 0.5);
    if (n == 0 && part > 0) {
        return "<0.1%";
    }
    if (n == 1000 && part < whole) {
        return ">99.9%";
    }
    return arena_printf(a, "%" PRIu64 ".%" PRIu64 "%%", n / 10, n % 10);
}

const char *figures_duration(struct arena *a, uint64_t ns)
{
    uint64_t const ms = ns / 1000000;
    uint64_t const s = ms / 1000;
    if (s >= 3600) {
        return arena_printf(a, "%" PRIu64 " h %02" PRIu64 " min %02" PRIu64 " s", s / 3600,
                            s / 60 % 60, s % 60);
    }
    if (s >= 120) {
        return arena_printf(a, "%" PRIu64 " min %02" PRIu64 " s", s / 60, s % 60);
    }
    if (s >= 1) {
        return arena_printf(a, "%" PRIu64 ".%" PRIu64 " s", s, ms % 1000 / 100);
    }
    return arena_printf(a, "%" PRIu64 " ms", ms);
}

const char *figures_tenths(struct arena *a, double value)
{
    if (!(value >= 0.0 && value < 1e15)) {
        return "-";
    }
    uint64_t const n = (uint64_t)(value * 10.0 + 0.5);
    return arena_printf(a, "%s.%" PRIu64, figures_count(a, n / 10), n % 10);
}
