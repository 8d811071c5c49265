/* fuzz/io/shard.c -- one of N parts of work that many machines share. */
#include "fuzz/io/shard.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A number of 1 to SHARD_MAX at *at, which moves after it; 0: there is none. */
static uint32_t take_number(const char **at)
{
    char *end = NULL;
    if (!isdigit((unsigned char)**at)) {
        return 0;
    }
    unsigned long long const n = strtoull(*at, &end, 10); /* ULLONG_MAX where it does not fit */
    *at = end;
    return n <= SHARD_MAX ? (uint32_t)n : 0;
}

bool shard_parse(struct shard *out, const char *text)
{
    uint32_t const number = take_number(&text);
    if (number == 0 || *text != '/') {
        return false;
    }
    text++;
    uint32_t const n = take_number(&text);
    *out = (struct shard){.index = number - 1, .n = n};
    return number <= n && *text == '\0';
}

const char *shard_print(struct shard s, char *text)
{
    text[0] = '\0';
    if (s.n > 0) {
        (void)snprintf(text, SHARD_TEXT_BYTES, "%" PRIu32 "/%" PRIu32, s.index + 1, s.n);
    }
    return text;
}

uint64_t shard_nth(struct shard s, uint64_t k)
{
    return s.n > 1 ? k * s.n + (s.index + k / 2) % s.n : k;
}

uint32_t shard_of(uint32_t n, uint64_t number)
{
    if (n <= 1) {
        return 0;
    }
    uint64_t const moved = number / n / 2 % n; /* by so many, see shard_nth */
    return (uint32_t)((number % n + n - moved) % n);
}

uint64_t shard_next(struct shard s, uint64_t from)
{
    return shard_nth(s, shard_count(s, from));
}

uint64_t shard_count(struct shard s, uint64_t end)
{
    if (s.n <= 1) {
        return end;
    }
    uint64_t const k = end / s.n; /* rounds before it are complete; of this one it may be over */
    return k + (shard_nth(s, k) < end);
}
