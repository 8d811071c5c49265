/* base/test_file.c -- files and folders: what is planted in their place is neither followed nor waited
 * for, and what fails leaves what was there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

static const char old_text[] = "what was there";

/* A folder of the test's own, in which it stands. */
struct room {
    char path[64];
    struct arena a;
    struct err e;
};

static void put(const char *name, const char *text)
{
    FILE *const f = fopen(name, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static int holds(const char *name, const char *text)
{
    char got[256] = "";
    FILE *const f = fopen(name, "r");
    size_t const n = f ? fread(got, 1, sizeof got - 1, f) : 0;
    if (f) {
        (void)fclose(f);
    }
    got[n] = '\0';
    return f != NULL && strcmp(got, text) == 0;
}

static int count_names(const char *folder)
{
    int n = 0;
    DIR *const dir = opendir(folder);
    assert_non_null(dir);
    while (readdir(dir) != NULL) {
        n++;
    }
    (void)closedir(dir);
    return n - 2;
}

static mode_t get_kind(const char *name)
{
    struct stat s;
    return lstat(name, &s) == 0 ? s.st_mode & (mode_t)S_IFMT : 0;
}

static int set_up(void **state)
{
    struct room *const r = calloc(1, sizeof *r);
    assert_non_null(r);
    (void)snprintf(r->path, sizeof r->path, "/tmp/halfulp-test-XXXXXX");
    assert_non_null(mkdtemp(r->path));
    assert_int_equal(chdir(r->path), 0);
    arena_init(&r->a, 1 << 20);
    put("victim", old_text);
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct room *const r = *state;
    assert_true(holds("victim", old_text));
    assert_int_equal(chdir("/"), 0);
    enum res const left = file_remove(r->path, &r->e);
    arena_free(&r->a);
    free(r);
    return left == RES_OK ? 0 : -1;
}

/* A file that was written is read as the same; limits and errors are told; a file in /proc, whose size is
 * said to be 0, is read whole; nothing temporary stays behind. */
static void files_go_round(void **state)
{
    struct room *const r = *state;
    const unsigned char *p = NULL;
    size_t n = 0;
    char data[50000];
    memset(data, 'q', sizeof data);
    assert_int_equal(file_write("x", data, sizeof data, &r->e), RES_OK);
    assert_int_equal(file_read("x", sizeof data, &r->a, &p, &n, &r->e), RES_OK);
    assert_int_equal(n, sizeof data);
    assert_memory_equal(p, data, n);
    assert_int_equal(p[n], 0);
    assert_int_equal(file_read("x", sizeof data - 1, &r->a, &p, &n, &r->e), RES_LIMIT);
    assert_non_null(strstr(r->e.text, "x: longer"));
    assert_int_equal(file_write("x", "", 0, &r->e), RES_OK);
    assert_int_equal(file_read("x", 10, &r->a, &p, &n, &r->e), RES_OK);
    assert_int_equal(n, 0);
    assert_int_equal(file_read("/proc/self/stat", 4096, &r->a, &p, &n, &r->e), RES_OK);
    assert_true(n > 0); /* though its size is 0 */
    assert_int_equal(unlink("x"), 0);
    assert_int_equal(file_read("x", 10, &r->a, &p, &n, &r->e), RES_IO);
    assert_int_equal(file_write("none/x", "x", 1, &r->e), RES_IO);
    assert_int_equal(count_names("."), 1); /* no temporary file stays */
}

static void a_link_is_replaced(void **state)
{
    struct room *const r = *state;
    static const char *const links[] = {"victim", "nowhere"};
    for (size_t i = 0; i < ARRAY_N(links); i++) {
        assert_int_equal(symlink(links[i], "x"), 0);
        assert_int_equal(symlink("victim", "x.tmp"), 0);
        assert_int_equal(get_kind("x"), S_IFLNK);
        assert_int_equal(file_write("x", "new", 3, &r->e), RES_OK);
        assert_int_equal(get_kind("x"), S_IFREG);
        assert_true(holds("x", "new") && holds("victim", old_text));
        assert_int_equal(get_kind("nowhere"), 0);
        assert_int_equal(unlink("x") + unlink("x.tmp"), 0);
    }
}

static void make_socket(const char *name)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    (void)snprintf(to.sun_path, sizeof to.sun_path, "%s", name);
    int const fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&to, sizeof to), 0);
    (void)close(fd);
}

/* Each of these would be waited for, or read for ever, by who opens it plainly. */
static void what_is_no_file_is_refused(void **state)
{
    struct room *const r = *state;
    static const struct {
        const char *path, *is;
    } rows[] = {
        {"folder",    "is a folder"},
        {"fifo",      "is a FIFO"  },
        {"socket",    "is a socket"},
        {"to-fifo",   "is a FIFO"  },
        {"/dev/zero", "is a device"},
    };
    assert_int_equal(mkdir("folder", 0777) + mkfifo("fifo", 0666) + symlink("fifo", "to-fifo"), 0);
    make_socket("socket");
    int const n_names = count_names(".");
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const unsigned char *p = NULL;
        size_t n = 0;
        int fd = 0;
        mode_t const kind = get_kind(rows[i].path);
        enum res const read = file_read(rows[i].path, 1 << 16, &r->a, &p, &n, &r->e);
        if (read != RES_FORMAT || !strstr(r->e.text, rows[i].is) ||
            strncmp(r->e.text, rows[i].path, strlen(rows[i].path)) != 0) {
            fail_msg("%s: %d: %s", rows[i].path, (int)read, r->e.text);
        }
        assert_int_equal(file_open(rows[i].path, &fd, &r->e), RES_FORMAT);
        assert_int_equal(fd, -1);
        assert_int_equal(file_write(rows[i].path, "x", 1, &r->e), RES_USAGE);
        assert_int_equal(get_kind(rows[i].path), kind);
    }
    assert_int_equal(file_write("/dev/halfulp-test", "x", 1, &r->e), RES_USAGE);
    assert_int_equal(count_names("."), n_names);
}

static void a_file_that_is_kept_is_no_link(void **state)
{
    struct room *const r = *state;
    int fd = -1;
    assert_int_equal(file_open_kept("log", O_APPEND, &fd, &r->e), RES_OK);
    assert_int_equal(write(fd, "a", 1), 1);
    assert_int_equal(close(fd), 0);
    assert_int_equal(file_open_kept("log", O_APPEND, &fd, &r->e), RES_OK); /* the control */
    assert_int_equal(write(fd, "b", 1), 1);
    assert_int_equal(close(fd), 0);
    assert_true(holds("log", "ab"));
    assert_int_equal(symlink("victim", "link") + mkfifo("fifo", 0666), 0);
    assert_int_equal(file_open_kept("link", 0, &fd, &r->e), RES_FORMAT);
    assert_non_null(strstr(r->e.text, "link: is a link"));
    assert_int_equal(file_open_kept("fifo", 0, &fd, &r->e), RES_FORMAT);
    assert_int_equal(fd, -1);
}

/* file_read_below reads files of the folder and of those in it, and follows no link, no "..", and no absolute
 * path out of it. */
static void nothing_leaves_a_folder(void **state)
{
    struct room *const r = *state;
    const unsigned char *p = NULL;
    size_t n = 0;
    static const struct {
        const char *name;
        enum res want;
    } rows[] = {
        {"a",                RES_OK    },
        {"sub/b",            RES_OK    },
        {"link",             RES_FORMAT},
        {"away/victim",      RES_IO    }, /* ENOTDIR */
        {"../victim",        RES_IO    },
        {"sub/../../victim", RES_IO    },
        {"/etc/passwd",      RES_IO    },
        {"",                 RES_IO    },
        {"fifo",             RES_FORMAT},
    };
    assert_int_equal(mkdir("f", 0777) + mkdir("f/sub", 0777) + symlink("../victim", "f/link") +
                         symlink("..", "f/away") + mkfifo("f/fifo", 0666) + symlink("f", "to-f"),
                     0);
    put("f/a", "aa");
    put("f/sub/b", "bb");
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        enum res const got = file_read_below("to-f", rows[i].name, 100, &r->a, &p, &n, &r->e);
        if (got != rows[i].want || (got == RES_OK && n != 2)) {
            fail_msg("%s: %d: %s", rows[i].name, (int)got, r->e.text);
        }
    }
}

static void take_signal(int number)
{
    (void)number;
}

/* A file that cannot be written whole stays as it was. It is tried in a process of its own, where no file may
 * be longer than 4096 bytes, as on a disk that is full. */
static void a_full_disk_leaves_the_old_file(void **state)
{
    struct room *const r = *state;
    put("x", old_text);
    pid_t const pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        static char data[100000];
        struct rlimit const limit = {4096, 4096};
        struct sigaction const act = {.sa_handler = take_signal};
        struct file_writer w;
        int ok = setrlimit(RLIMIT_FSIZE, &limit) == 0 && sigaction(SIGXFSZ, &act, NULL) == 0;
        ok = ok && file_write("y", data, 4096, &r->e) == RES_OK; /* the control */
        ok = ok && file_write("x", data, sizeof data, &r->e) == RES_IO &&
             strstr(r->e.text, "x: ") == r->e.text && strstr(r->e.text, "File too large");
        ok = ok && file_begin(&w, "x", &r->e) == RES_OK;
        if (ok) {
            (void)fwrite(data, 1, sizeof data, w.f); /* who forgets to look is told at the end */
            ok = file_end(&w, RES_OK, &r->e) == RES_IO && strstr(r->e.text, "x: ") == r->e.text;
        }
        _exit(ok ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(holds("x", old_text));
    assert_int_equal(count_names("."), 3);
}

static void what_failed_before_leaves_the_old_file(void **state)
{
    struct room *const r = *state;
    struct file_writer w;
    put("x", old_text);
    assert_int_equal(file_begin(&w, "x", &r->e), RES_OK);
    assert_true(fputs("half", w.f) >= 0);
    assert_true(holds("x", old_text));
    r->e.text[0] = '\0';
    assert_int_equal(file_end(&w, RES_LIMIT, &r->e), RES_LIMIT);
    assert_string_equal(r->e.text, "");
    assert_true(holds("x", old_text));
    assert_int_equal(count_names("."), 2);
}

/* Whatever somebody put into the place of a folder, or into it (`plants`), is gone once the folder is
 * written, and what links there pointed to is untouched. */
static void a_folder_is_written_new(void **state)
{
    struct room *const r = *state;
    struct file_folder w;
    char name[FILE_MAX_PATH + 8];
    static const char *const plants[] = {
        "true",    /* nothing is there */
        "mkdir x", /* an empty folder */
        "mkdir x && echo 'all: ; touch ran' >x/GNUmakefile",
        "mkdir -p x/d/e && ln -s ../victim x/host.c && ln -s /etc x/d/e/l && mkfifo x/d/f",
        "mkdir other && echo o >other/file && ln -s other x", /* a link to a folder */
        "ln -s nowhere x",
        "echo file >x",
        "mkfifo x",
    };
    for (size_t i = 0; i < ARRAY_N(plants); i++) {
        assert_int_equal(system(plants[i]), 0);
        int const n_before = count_names(".") + (get_kind("x") == 0);
        assert_int_equal(file_begin_folder(&w, "x", &r->e), RES_OK);
        (void)snprintf(name, sizeof name, "%s/host.c", w.fresh);
        assert_int_equal(file_write(name, "new", 3, &r->e), RES_OK);
        if (file_end_folder(&w, RES_OK, &r->e) != RES_OK) {
            fail_msg("%s: %s", plants[i], r->e.text);
        }
        assert_int_equal(get_kind("x"), S_IFDIR);
        assert_int_equal(count_names("x"), 1);
        assert_true(holds("x/host.c", "new") && holds("victim", old_text));
        assert_int_equal(count_names("."), n_before);
        assert_int_equal(file_remove("x", &r->e), RES_OK);
    }
    assert_true(holds("other/file", "o\n"));
}

static void a_folder_that_failed_leaves_the_old_one(void **state)
{
    struct room *const r = *state;
    struct file_folder w;
    assert_int_equal(mkdir("x", 0777), 0);
    put("x/report.md", old_text);
    assert_int_equal(file_begin_folder(&w, "x", &r->e), RES_OK);
    (void)err_set(&r->e, RES_IO, "%s/report.md: No space left on device", w.fresh);
    assert_int_equal(file_end_folder(&w, RES_IO, &r->e), RES_IO);
    assert_string_equal(r->e.text, "x/report.md: No space left on device");
    assert_true(holds("x/report.md", old_text));
    assert_int_equal(count_names("."), 2);
    assert_int_equal(file_make_folder("x", &r->e), RES_OK); /* it is there */
    assert_int_equal(file_make_folder("y", &r->e), RES_OK);
    assert_int_equal(symlink("y", "to-y"), 0);
    assert_int_equal(file_make_folder("to-y", &r->e), RES_FORMAT);
    assert_int_equal(file_make_folder("victim", &r->e), RES_FORMAT);
}

/* A tree that is deeper than there are descriptors is told, not a crash. */
static void a_deep_tree_is_told(void **state)
{
    struct room *const r = *state;
    assert_int_equal(mkdir("deep", 0777) + chdir("deep"), 0);
    for (int i = 0; i < 300; i++) {
        assert_int_equal(mkdir("d", 0777) + chdir("d"), 0);
    }
    assert_int_equal(chdir(r->path), 0);
    assert_int_equal(file_remove("deep", &r->e), RES_IO);
    assert_non_null(strstr(r->e.text, "deep: cannot be removed"));
    assert_int_equal(system("rm -r deep"), 0);
    assert_int_equal(file_remove("deep", &r->e), RES_OK); /* it is not there */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_go_round, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_link_is_replaced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_file_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_is_kept_is_no_link, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_leaves_a_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_disk_leaves_the_old_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_failed_before_leaves_the_old_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_is_written_new, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_that_failed_leaves_the_old_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_deep_tree_is_told, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
