/* fuzz/wire/wire.c -- framing of the messages between the scheduler and a worker. */
#include "fuzz/wire/wire.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/testcase.h"

enum {
    WIRE_SMALL_BYTES = 1024, /* a verdict on a module that is only built */
    WIRE_MAX_SIGNAL = 64
};

void wire_put_header(unsigned char header[WIRE_HEADER_BYTES], enum wire_kind kind, size_t n)
{
    store_le(header, n, 4);
    store_le(header + 4, (uint64_t)kind, 4);
}

enum res wire_get_header(const unsigned char header[WIRE_HEADER_BYTES], enum wire_kind *kind,
                         size_t *n, struct err *e)
{
    uint64_t const n_bytes = load_le(header, 4);
    uint64_t const number = load_le(header + 4, 4);
    if (n_bytes > WIRE_MAX_BYTES) {
        return err_set(e, RES_FORMAT, "message of %llu bytes, at most %d",
                       (unsigned long long)n_bytes, WIRE_MAX_BYTES);
    }
    if (number < WIRE_HELLO || number > WIRE_EXECUTE) {
        return err_set(e, RES_FORMAT, "message of unknown kind %llu", (unsigned long long)number);
    }
    *kind = (enum wire_kind)number;
    *n = (size_t)n_bytes;
    return RES_OK;
}

static enum res write_all(int fd, const unsigned char *p, size_t n, struct err *e)
{
    while (n > 0) {
        ssize_t const done = write(fd, p, n);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done < 0) {
            return err_set(e, RES_IO, "message not sent, %zu bytes left: %s", n, strerror(errno));
        }
        p += done;
        n -= (size_t)done;
    }
    return RES_OK;
}

enum res wire_write(int fd, enum wire_kind kind, const void *p, size_t n, struct err *e)
{
    unsigned char message[WIRE_HEADER_BYTES + WIRE_SMALL_BYTES];
    if (n > WIRE_MAX_BYTES) {
        return err_set(e, RES_LIMIT, "message of %zu bytes, at most %d", n, WIRE_MAX_BYTES);
    }
    wire_put_header(message, kind, n);
    if (n > 0 && n <= WIRE_SMALL_BYTES) { /* in one piece, which wakes the reader once */
        memcpy(message + WIRE_HEADER_BYTES, p, n);
        return write_all(fd, message, WIRE_HEADER_BYTES + n, e);
    }
    TRY(write_all(fd, message, WIRE_HEADER_BYTES, e));
    return write_all(fd, p, n, e);
}

/* Up to n bytes; less only at the end of input. */
static enum res read_all(int fd, unsigned char *p, size_t n, size_t *n_read, struct err *e)
{
    *n_read = 0;
    while (*n_read < n) {
        ssize_t const done = read(fd, p + *n_read, n - *n_read);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done < 0) {
            return err_set(e, RES_IO, "message not read: %s", strerror(errno));
        }
        if (done == 0) {
            break;
        }
        *n_read += (size_t)done;
    }
    return RES_OK;
}

/* Read the next message, waiting for it. At the end of input *payload is NULL and the result is RES_OK; if the
 * input ends inside a message the result is RES_IO. The *payload of an empty message is not NULL. */
enum res wire_read(int fd, struct arena *a, enum wire_kind *kind, const unsigned char **payload,
                   size_t *n, struct err *e)
{
    unsigned char header[WIRE_HEADER_BYTES];
    size_t n_read = 0;
    *payload = NULL;
    *n = 0;
    enum res r = read_all(fd, header, sizeof header, &n_read, e);
    if (r != RES_OK || n_read == 0) {
        return r;
    }
    if (n_read < sizeof header) {
        return err_set(e, RES_IO, "input ends after %zu of %zu header bytes", n_read,
                       sizeof header);
    }
    size_t n_bytes = 0;
    r = wire_get_header(header, kind, &n_bytes, e);
    if (r != RES_OK) {
        return r;
    }
    unsigned char *const buf = arena_take(a, n_bytes + 1); /* + 1: not NULL where it is empty */
    if (!buf) {
        return err_set(e, RES_NOMEM, "no room for a message of %zu bytes", n_bytes);
    }
    r = read_all(fd, buf, n_bytes, &n_read, e);
    if (r == RES_OK && n_read < n_bytes) {
        r = err_set(e, RES_IO, "input ends after %zu of %zu bytes of a message", n_read, n_bytes);
    }
    if (r == RES_OK) {
        *payload = buf;
        *n = n_bytes;
    }
    return r;
}

const unsigned char *wire_encode_end(const struct wire_end *end, struct arena *a, size_t *n)
{
    struct bytes b;
    bytes_init(&b, a);
    bytes_put_u32(&b, (uint32_t)end->signal);
    bytes_put_u32(&b, (uint32_t)end->exit_status);
    bytes_put_u32(&b, end->n_taken);
    bytes_put_str(&b, end->crash_line);
    bytes_put_u32(&b, end->phase);
    *n = b.n;
    return b.ok ? b.p : NULL;
}

enum res wire_decode_end(struct wire_end *end, struct arena *a, const void *p, size_t n,
                         struct err *e)
{
    struct reader r = {.p = p, .n = n, .ok = 1};
    uint32_t const number = reader_u32(&r);
    uint32_t const status = reader_u32(&r);
    end->n_taken = reader_u32(&r);
    end->crash_line = reader_str(&r, a);
    end->phase = r.ok && r.pos < n ? reader_u32(&r) : 0;
    if (!r.ok || end->phase > RUN_PHASE_N || r.pos != n || number > WIRE_MAX_SIGNAL ||
        status > UINT8_MAX) {
        return err_set(e, RES_FORMAT, "a worker's end of %zu bytes is none", n);
    }
    end->signal = (int)number;
    end->exit_status = (int)status;
    return RES_OK;
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("@+=:,./_-", c));
}

const char *wire_quote_word(const char *word, struct arena *a)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t const n = strlen(word);
    char *const out = arena_take(a, 3 * n + 1);
    char *to = out;
    for (size_t i = 0; out && i < n; i++) {
        unsigned char const c = (unsigned char)word[i];
        if (is_plain(word[i])) {
            *to++ = word[i];
        } else {
            *to++ = '%';
            *to++ = digits[c >> 4];
            *to++ = digits[c & 15];
        }
    }
    return out ? out : "";
}

static int read_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

void wire_unquote_word(char *word)
{
    char *to = word;
    for (const char *at = word; *at; at++) {
        int const high = at[0] == '%' ? read_digit(at[1]) : -1;
        int const low = high >= 0 ? read_digit(at[2]) : -1;
        *to++ = low >= 0 ? (char)(high << 4 | low) : at[0];
        at += low >= 0 ? 2 : 0;
    }
    *to = '\0';
}
