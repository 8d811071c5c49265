/* tests/rig/attack.h -- what a hostile worker tries, for test_confine.c: each prints what came of it. Included
 * once, after cmocka.h and with _GNU_SOURCE, by a program whose first word "attack" names one of them. */
#pragma once

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ATTACK_PROCESSES = 10000,
    ATTACK_WAIT_S = 10
};
#define ATTACK_MEMORY_BYTES (UINT64_C(30) << 30)
#define ATTACK_FILE_BYTES   (UINT64_C(10) << 30)

extern char **environ;

static int attack_tell(int is_done)
{
    (void)printf(is_done ? "done\n" : "refused: %s\n", strerror(errno));
    return 0;
}

/* The words are the pid of the program, and an address of it. */
static int attack_ptrace(char **words)
{
    return attack_tell(ptrace(PTRACE_SEIZE, (pid_t)strtol(words[0], NULL, 10), NULL, NULL) == 0);
}

static int attack_memory_of_program(char **words)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%.20s/mem", words[0]);
    int const fd = open(path, O_RDWR);
    off_t const at = (off_t)strtoll(words[1], NULL, 16);
    return attack_tell(fd >= 0 && pwrite(fd, "owned", 5, at) == 5);
}

static int attack_signal(char **words)
{
    return attack_tell(kill((pid_t)strtol(words[0], NULL, 10), 0) == 0);
}

/* The word is a port on which the program listens, or the name of its abstract socket. */
static int attack_inet(char **words)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)strtoul(words[0], NULL, 10))};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int const fd = socket(AF_INET, SOCK_STREAM, 0);
    return attack_tell(fd >= 0 && connect(fd, (const struct sockaddr *)&a, sizeof a) == 0);
}

static int attack_abstract(char **words)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    size_t const n = strlen(words[0]);
    memcpy(a.sun_path + 1, words[0], n);
    int const fd = socket(AF_UNIX, SOCK_STREAM, 0);
    socklen_t const n_bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n);
    return attack_tell(fd >= 0 && connect(fd, (const struct sockaddr *)&a, n_bytes) == 0);
}

static int attack_file(char **words)
{
    return attack_tell(open(words[0], O_WRONLY | O_CREAT, 0600) >= 0);
}

/* Its own folder, which it must be able to use. */
static int attack_own_file(char **words)
{
    (void)words;
    return attack_tell(open("mine", O_WRONLY | O_CREAT, 0600) >= 0 && access("mine", F_OK) == 0);
}

/* Mapped, not touched: a limit refuses it before that. */
static int attack_memory(char **words)
{
    uint64_t const n = strtoull(words[0], NULL, 10);
    void *const p = mmap(NULL, (size_t)n, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return attack_tell(p != MAP_FAILED);
}

static int attack_big_file(char **words)
{
    (void)words;
    int const fd = open("big", O_WRONLY | O_CREAT, 0600);
    return attack_tell(fd >= 0 && pwrite(fd, "x", 1, (off_t)ATTACK_FILE_BYTES) == 1);
}

/* A confined worker's processes are counted now and then: this one waits until that has been done. */
static int attack_processes(char **words)
{
    (void)words;
    for (int i = 0; i < ATTACK_PROCESSES; i++) {
        pid_t const pid = fork();
        if (pid < 0) {
            return attack_tell(0);
        }
        if (pid == 0) {
            for (;;) {
                (void)pause();
            }
        }
    }
    (void)sleep(ATTACK_WAIT_S);
    return attack_tell(1);
}

/* A grandchild in a session and a folder of its own, whose parent is gone, without descriptors. */
static int attack_stay(char **words)
{
    (void)words;
    int ready[2];
    char byte = 0;
    if (pipe(ready) != 0) {
        return attack_tell(0);
    }
    pid_t const pid = fork();
    if (pid == 0) {
        (void)setsid();
        if (fork() != 0) {
            _exit(0);
        }
        (void)!chdir("/");
        (void)!write(ready[1], "x", 1);
        for (int fd = 0; fd < 256; fd++) {
            (void)close(fd);
        }
        for (;;) {
            (void)pause();
        }
    }
    (void)waitpid(pid, NULL, 0);
    return attack_tell(read(ready[0], &byte, 1) == 1);
}

/* What the program held once by a path: a pipe at the name of the crash file. Then a flood in the file. */
static int attack_crash_file(char **words)
{
    char flood[4096];
    (void)words;
    memset(flood, 'x', sizeof flood);
    int const ok = mkfifo("crash", 0600) == 0;
    for (int i = 0; i < 2048; i++) {
        (void)!write(201, flood, sizeof flood);
    }
    return attack_tell(ok);
}

/* The word is the descriptor of shared memory. */
static int attack_truncate(char **words)
{
    return attack_tell(ftruncate((int)strtol(words[0], NULL, 10), 0) == 0);
}

static int attack_list(char **words)
{
    char folder[4096] = "", line[256];
    (void)words;
    (void)printf("cwd=%s\n", getcwd(folder, sizeof folder));
    for (char **v = environ; *v; v++) {
        (void)printf("env:%s\n", *v);
    }
    FILE *const f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f)) {
        if (strncmp(line, "NoNewPrivs", 10) == 0) {
            (void)fputs(line, stdout);
        }
    }
    for (int fd = 0; fd < 1024; fd++) {
        if ((!f || fd != fileno(f)) && fcntl(fd, F_GETFD) >= 0) {
            (void)printf("fd:%d\n", fd);
        }
    }
    (void)printf("tty:%s\n", open("/dev/tty", O_RDWR) >= 0 ? "yes" : "no");
    return 0;
}

struct attack {
    const char *name;
    int (*run)(char **words);
};
static const struct attack attacks[] = {
    {"ptrace",     attack_ptrace           },
    {"mem",        attack_memory_of_program},
    {"signal",     attack_signal           },
    {"inet",       attack_inet             },
    {"abstract",   attack_abstract         },
    {"file",       attack_file             },
    {"own-file",   attack_own_file         },
    {"memory",     attack_memory           },
    {"big-file",   attack_big_file         },
    {"processes",  attack_processes        },
    {"stay",       attack_stay             },
    {"crash-file", attack_crash_file       },
    {"truncate",   attack_truncate         },
    {"list",       attack_list             },
};

/* Processes whose command line has the tag, on the machine. */
static inline unsigned attack_count_tagged(const char *tag)
{
    unsigned n = 0;
    DIR *dir = opendir("/proc");
    struct dirent *entry = NULL;
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        char path[300], text[4096];
        (void)snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        FILE *f = entry->d_name[0] >= '0' && entry->d_name[0] <= '9' ? fopen(path, "r") : NULL;
        size_t const n_text = f ? fread(text, 1, sizeof text, f) : 0;
        if (f) {
            (void)fclose(f);
        }
        n += n_text > 0 && memmem(text, n_text, tag, strlen(tag)) != NULL;
    }
    (void)closedir(dir);
    return n;
}

/* argv: program, "attack", a tag by which its processes are known, name, words. */
static int attack_main(char **argv)
{
    for (size_t i = 0; i < sizeof attacks / sizeof attacks[0]; i++) {
        if (strcmp(argv[3], attacks[i].name) == 0) {
            return attacks[i].run(argv + 4);
        }
    }
    return 99;
}
