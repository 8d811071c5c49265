/* gen/tape/tape.c -- reading decisions, random tapes, tapes on disk. */
#include "gen/tape/tape.h"

#include <assert.h>
#include <string.h>

#include "base/file.h"
#include "gen/tape/profile.h"

static const char tape_magic[8] = {'h', 'u', 'l', 'p', 't', 'a', 'p', 'e'};
enum {
    /* magic, u32 version, u32 length of the profile's name, the name padded to whole records */
    TAPE_FIXED_BYTES = 16,
    TAPE_MAX_PROFILE_BYTES = 32,
    TAPE_MAX_BYTES =
        TAPE_FIXED_BYTES + TAPE_MAX_PROFILE_BYTES + TAPE_RECORD_BYTES * TAPE_MAX_RECORDS
};

/* The mark of the node whose sub-stream t is: that of its length record, as data starts after it. */
static struct tape_mark *own_mark(const struct tape *t)
{
    return &t->trace->mark[(size_t)(t->data - t->trace->data) / TAPE_RECORD_BYTES];
}

static void note_missing(const struct tape *t)
{
    if (t->trace && own_mark(t)->n_missing < UINT8_MAX) {
        own_mark(t)->n_missing++;
    }
}

uint64_t tape_take_u64(struct tape *t, enum tape_role role)
{
    if (t->next >= TAPE_HEAD_RECORDS) {
        return 0;
    }
    if (t->next >= t->n_records) {
        note_missing(t);
        return 0; /* past the end: the smallest legal choice */
    }
    if (t->trace) {
        own_mark(t)[1 + t->next].role = (uint8_t)role;
    }
    return load_le(t->data + TAPE_RECORD_BYTES * t->next++, TAPE_RECORD_BYTES);
}

uint64_t tape_take_below(struct tape *t, uint64_t n, enum tape_role role)
{
    assert(n > 0);
    return tape_take_u64(t, role) % n;
}

bool tape_take_chance(struct tape *t, unsigned percent, enum tape_role role)
{
    return tape_take_below(t, 100, role) + percent >= 100 && percent > 0;
}

void tape_skip(struct tape *t, unsigned n)
{
    t->next = t->next + n < t->n_records ? t->next + n : t->n_records;
}

bool tape_has_child(const struct tape *t)
{
    return (t->child ? t->child : TAPE_HEAD_RECORDS) < t->n_records;
}

struct tape tape_fork(struct tape *t)
{
    struct tape sub = {.data = NULL};
    size_t const at = t->child ? t->child : TAPE_HEAD_RECORDS;
    if (at >= t->n_records) {
        note_missing(t);
        return sub;
    }
    size_t const left = t->n_records - at - 1;
    size_t const want =
        load_le(t->data + TAPE_RECORD_BYTES * at, TAPE_RECORD_BYTES) % TAPE_MAX_RECORDS;
    sub.data = t->data + TAPE_RECORD_BYTES * (at + 1);
    sub.n_records = want < left ? want : left;
    sub.trace = t->trace;
    t->child = at + 1 + sub.n_records;
    return sub;
}

void tape_name_node(const struct tape *t, enum tape_node node)
{
    if (t->trace) {
        own_mark(t)->node = (uint8_t)node;
    }
}

void tape_name_decision(const struct tape *t, unsigned at, enum tape_role role)
{
    if (t->trace && at < t->n_records) {
        own_mark(t)[1 + at].role = (uint8_t)role;
    }
}

void tape_note_seed(const struct tape *t, unsigned at, unsigned type, uint64_t bits)
{
    if (t->trace && at < t->n_records) {
        struct tape_mark *const m = &own_mark(t)[1 + at];
        m->type = (uint8_t)type;
        m->bits = bits;
    }
}

/* Reads a tape as it is on disk, the n bytes at p (`name` is for errors): magic, generator version, profile
 * padded to a multiple of 8 bytes, then records. *t gets a copy of the records in the arena. Returns
 * RES_FORMAT where the bytes are no such file, or one of another generator version. */
enum res tape_parse(struct tape *t, const char *name, const void *p, size_t n, const char **profile,
                    struct arena *a, struct err *e)
{
    enum { /* offsets in bytes */
        AT_VERSION = 8,
        AT_NAME_BYTES = 12
    };
    const unsigned char *const b = p;
    if (n < TAPE_FIXED_BYTES || memcmp(b, tape_magic, sizeof tape_magic) != 0) {
        return err_set(e, RES_FORMAT, "%s: byte 0: not a tape of halfulp", name);
    }
    uint64_t const version = load_le(b + AT_VERSION, 4);
    if (version != GEN_VERSION) {
        return err_set(e, RES_FORMAT, "%s: byte 8: made by generator version %u, this is %d", name,
                       (unsigned)version, GEN_VERSION);
    }
    uint64_t const n_name = load_le(b + AT_NAME_BYTES, 4);
    size_t const start = TAPE_FIXED_BYTES + (size_t)(n_name + 7) / 8 * 8;
    if (n_name == 0 || n_name > TAPE_MAX_PROFILE_BYTES || start > n) {
        return err_set(e, RES_FORMAT, "%s: byte 12: name of %u bytes for a profile", name,
                       (unsigned)n_name);
    }
    char *const text = arena_copy(a, b + TAPE_FIXED_BYTES, (size_t)n_name);
    if (!text) {
        return err_set(e, RES_NOMEM, "%s: arena full at %zu bytes", name, a->used_bytes);
    }
    if (profile_find(text) < 0) {
        return err_set(e, RES_FORMAT, "%s: byte 16: no such profile", name);
    }
    if ((n - start) % TAPE_RECORD_BYTES != 0 ||
        (n - start) / TAPE_RECORD_BYTES > TAPE_MAX_RECORDS) {
        return err_set(e, RES_FORMAT, "%s: %zu bytes: too long or a partial record", name, n);
    }
    const unsigned char *const data = arena_copy(a, b + start, n - start);
    if (!data) {
        return err_set(e, RES_NOMEM, "%s: arena full at %zu bytes", name, a->used_bytes);
    }
    *profile = profile_names[profile_find(text)];
    *t = (struct tape){.data = data, .n_records = (n - start) / TAPE_RECORD_BYTES};
    return RES_OK;
}

enum res tape_load_file(struct tape *t, const char *path, const char **profile, struct arena *a,
                        struct err *e)
{
    const unsigned char *p = NULL;
    size_t n = 0;
    TRY(file_read(path, TAPE_MAX_BYTES, a, &p, &n, e));
    return tape_parse(t, path, p, n, profile, a, e);
}

const unsigned char *tape_encode(const struct tape *t, const char *profile, struct arena *a,
                                 size_t *n)
{
    struct bytes b;
    bytes_init(&b, a);
    bytes_put(&b, tape_magic, sizeof tape_magic);
    bytes_put_u32(&b, GEN_VERSION);
    size_t const n_name = strlen(profile);
    bytes_put_u32(&b, (uint32_t)n_name);
    bytes_put(&b, profile, n_name);
    static const char zeros[TAPE_RECORD_BYTES] = {0};
    bytes_put(&b, zeros, (8 - n_name % 8) % 8);
    bytes_put(&b, t->data ? t->data : (const unsigned char *)zeros,
              TAPE_RECORD_BYTES * t->n_records);
    *n = b.n;
    return b.ok ? b.p : NULL;
}

enum res tape_save_file(const struct tape *t, const char *path, const char *profile, struct err *e)
{
    struct arena a;
    size_t n = 0;
    arena_init(&a, 4 * (size_t)TAPE_MAX_BYTES);
    const unsigned char *const p = tape_encode(t, profile, &a, &n);
    enum res const r =
        p ? file_write(path, p, n, e) : err_set(e, RES_NOMEM, "%s: arena full", path);
    arena_free(&a);
    return r;
}
