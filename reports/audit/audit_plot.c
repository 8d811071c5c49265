/* reports/audit/audit_plot.c -- plots of an audit as SVG, by gnuplot in a process of its own. */
#include "reports/audit/audit_plot.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/format.h"
#include "base/func_row.h"

/*
 * One process draws all plots: the script is its standard input and the plots are its standard
 * output, both files without a name. Before each plot it prints a line with its number. Nothing
 * foreign gets into the script but names cut down to letters, digits and " .+-".
 */
enum {
    PLOT_SECONDS = 120,
    PLOT_POLL_MS = 20,
    PLOT_OUTPUT_BYTES = 256 << 20,
    PLOT_NOT_STARTED = 127,
    SLICE_BITS = 9,
    SLICE_HALF = SWEEP_PLOT / 2,
    MAX_LEGEND = 34,
    PLOT_SAME_SHARE = 10000 /* one result of so many may be in the bin beside */
};
static const char plot_mark[] = "halfulp-plot ";
static const double same_ulps = 1e-5;
static const double linear_ulps = 16; /* larger errors: a logarithmic axis */

/* Not bit for bit: errors outside a bound are worked out anew, the others are the filter's. */
static int is_same_curve(const struct sweep_result *r, const struct sweep_result *other)
{
    for (uint32_t i = 0; i < SWEEP_PLOT; i++) {
        double const x = fabs(r->plot[i].error);
        double const y = fabs(other->plot[i].error);
        if (!(fabs(x - y) <= same_ulps * (1 + x))) {
            return 0;
        }
    }
    for (uint32_t i = 0; i < SWEEP_BINS; i++) {
        uint64_t const n = r->histogram[i], m = other->histogram[i];
        if ((n > m ? n - m : m - n) > r->n / PLOT_SAME_SHARE) {
            return 0;
        }
    }
    return 1;
}

struct audit_curves audit_get_curves(const struct audit_row *row)
{
    struct audit_curves c = {.n = 0};
    for (uint32_t i = 0; i < row->n_forms; i++) {
        const struct sweep_result *const r = &row->result[i];
        uint32_t k = 0;
        c.of_form[i] = PLOT_CURVES;
        if (row->form[i].is_refused || r->n == 0) {
            continue;
        }
        for (; k < c.n; k++) {
            const struct sweep_result *const other = &row->result[c.first[k]];
            if (is_same_curve(r, other)) {
                break;
            }
        }
        if (k == PLOT_CURVES) {
            c.n_left_out++;
            continue;
        }
        if (k == c.n) {
            c.first[c.n++] = i;
        }
        c.of_form[i] = k;
    }
    return c;
}

/* --- the script --- */

/* Dark enough on white and light enough on black; the dashes differ as well. */
static const struct {
    const char *colour;
    int dash;
} looks[PLOT_CURVES] = {
    {"#2f7ed8", 1},
    {"#d0671b", 2},
    {"#2a9a57", 4},
    {"#a65fd0", 3},
    {"#d64550", 5},
    {"#1d95a5", 1}
};

/* Names of the forms of curve k, in no more than MAX_LEGEND characters, without markup. */
static void put_legend(const struct audit_row *row, const struct audit_curves *c, uint32_t k,
                       FILE *f)
{
    char text[MAX_LEGEND + 1] = "";
    size_t n = 0;
    for (uint32_t i = 0; i < row->n_forms; i++) {
        const char *const name = row->form[i].name ? row->form[i].name : "";
        if (c->of_form[i] != k) {
            continue;
        }
        if (n + strlen(name) + 2 > MAX_LEGEND - 3 && n > 0) {
            (void)snprintf(text + n, sizeof text - n, ", ..");
            break;
        }
        int const added = snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "", name);
        n = added < 0 ? n : n + (size_t)added;
        n = n > MAX_LEGEND ? MAX_LEGEND : n;
    }
    for (char *p = text; *p; p++) {
        int const is_plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
                             (*p >= '0' && *p <= '9') || strchr(" .,+-", *p);
        *p = is_plain ? *p : '?';
    }
    (void)fprintf(f, "'%s'", text);
}

static void put_curves(const struct audit_row *row, const struct audit_curves *c, FILE *f)
{
    for (uint32_t k = 0; k < c->n; k++) {
        (void)fprintf(f, "%s $d%" PRIu32 " using 1:2 with lines lw %s lc rgb '%s' dt %d title ",
                      k ? ", \\\n" : "plot", k, k ? "1.3" : "1.8", looks[k].colour, looks[k].dash);
        put_legend(row, c, k, f);
    }
}

/* Errors by slice in the order of the inputs: negative ones from far to near, then the others. */
static void get_slices(const struct audit_row *row, const struct sweep_result *r,
                       double y[SWEEP_PLOT])
{
    memset(y, 0, sizeof(double) * SWEEP_PLOT);
    for (uint32_t i = 0; i < SWEEP_PLOT; i++) {
        double const error = fabs(r->plot[i].error);
        uint64_t const slice = r->plot[i].arg[0] >> (float_formats[row->fmt].n_bits - SLICE_BITS);
        uint64_t const at = (slice < SLICE_HALF ? SLICE_HALF + slice : SWEEP_PLOT - 1 - slice);
        if (slice < SWEEP_PLOT && isfinite(error) && error > y[at]) {
            y[at] = error;
        }
    }
}

/* Slices without an error are left out: what they hold is special, or exact. */
static void put_slices(const double y[SWEEP_PLOT], FILE *f)
{
    for (int i = 0; i < SWEEP_PLOT; i++) {
        if (y[i] > 0) {
            (void)fprintf(f, "%d %.5g\n%d %.5g\n", i - SLICE_HALF, y[i], i - SLICE_HALF + 1, y[i]);
        } else {
            (void)fputc('\n', f);
        }
    }
}

/* Powers of two as marks: their place in the order of encodings, in slices. */
static void put_input_marks(const struct float_format *fmt, FILE *f)
{
    int const far = fmt->emax >= 1000 ? 512 : fmt->emax >= 100 ? 64 : 8;
    double const per_slice = (double)(UINT64_C(1) << (fmt->n_bits - SLICE_BITS));
    (void)fputs("set xtics ('0' 0", f);
    for (int e = -far; e <= far; e += far) {
        uint64_t const enc = (uint64_t)(e - fmt->emin + 1) << (fmt->prec_bits - 1);
        double const x = (double)enc / per_slice;
        char text[16];
        (void)snprintf(text, sizeof text, e == 0 ? "1" : "2^%d", e);
        (void)fprintf(f, ", '%s' %.6g, '-%s' -%.6g", text, x, text, x);
    }
    (void)fputs(")\n", f);
}

static void put_error_plot(const struct audit_row *row, const struct audit_curves *c, FILE *f)
{
    double y[SWEEP_PLOT];
    double largest = 0;
    double const half = (double)float_formats[row->fmt].exp /
                        (double)(UINT64_C(1) << (float_formats[row->fmt].n_bits - SLICE_BITS));
    for (uint32_t k = 0; k < c->n; k++) {
        get_slices(row, &row->result[c->first[k]], y);
        for (int i = 0; i < SWEEP_PLOT; i++) {
            largest = y[i] > largest ? y[i] : largest;
        }
        (void)fprintf(f, "$d%" PRIu32 " << EOD\n", k);
        put_slices(y, f);
        (void)fputs("EOD\n", f);
    }
    put_input_marks(&float_formats[row->fmt], f);
    (void)fprintf(f, "set xrange [-%.6g:%.6g]\nset ylabel 'ulp'\n", half, half);
    (void)fputs(func_rows[row->func].n_args > 1 || func_rows[row->func].has_int
                    ? "set xlabel 'first argument'\n"
                    : "set xlabel 'input'\n",
                f);
    if (largest > linear_ulps) {
        (void)fputs("set logscale y\nset yrange [0.1:*]\nset format y '%g'\n", f);
    } else {
        (void)fputs("set yrange [0:*]\n", f);
    }
    put_curves(row, c, f);
    if (largest <= 0) {
        (void)fputs(", \\\n0 with lines lc rgb '#7a828c' notitle", f);
    }
    (void)fputc('\n', f);
}

/* Bin 0 is drawn as one octave. */
static double get_edge(uint32_t i)
{
    return i == 0 ? sweep_bin_edge(1) / 2 : sweep_bin_edge(i);
}

static void put_histogram(const struct audit_row *row, const struct audit_curves *c, FILE *f)
{
    uint32_t last = 24; /* at least to 2 ulps */
    double lowest = 100;
    for (uint32_t k = 0; k < c->n; k++) {
        const struct sweep_result *const r = &row->result[c->first[k]];
        double const n = r->n_numbers > 0 ? (double)r->n_numbers : 1;
        (void)fprintf(f, "$d%" PRIu32 " << EOD\n", k);
        for (uint32_t i = 0; i < SWEEP_BINS; i++) {
            double const share = 100 * (double)r->histogram[i] / n;
            if (r->histogram[i] == 0) {
                (void)fputc('\n', f);
                continue;
            }
            last = i > last ? i : last;
            lowest = share < lowest ? share : lowest;
            (void)fprintf(f, "%.6g %.5g\n%.6g %.5g\n", get_edge(i), share,
                          i + 1 < SWEEP_BINS ? get_edge(i + 1) : 2 * get_edge(i), share);
        }
        (void)fputs("EOD\n", f);
    }
    (void)fprintf(f, "set logscale xy\nset xrange [%.6g:%.6g]\nset yrange [%.3g:200]\n",
                  get_edge(0), last + 1 < SWEEP_BINS ? get_edge(last + 1) : 2 * get_edge(last),
                  lowest / 3);
    (void)fputs("set format y '%g'\nset xtics ('1/32' 0.03125, '1/8' 0.125, '1/2' 0.5, '2' 2, "
                "'8' 8, '32' 32, '128' 128, '512' 512, '2048' 2048)\n"
                "set xlabel 'error, ulp'\nset ylabel '% of results'\n",
                f);
    put_curves(row, c, f);
    (void)fputc('\n', f);
}

/* A mark in the output, then paper with room for a line per curve above the plot. */
static void put_frame(uint32_t row, int kind, uint32_t n_curves, FILE *f)
{
    (void)fprintf(f,
                  "reset\nprint '%s%" PRIu32 " %d'\n"
                  "set terminal svg noenhanced size 420,%" PRIu32 " font 'sans-serif,13'\n",
                  plot_mark, row, kind, 225 + 18 * n_curves);
    (void)fputs("set border 3 lc rgb '#7a828c'\nset tics nomirror scale 0.5\n"
                "set key above left Left reverse samplen 2.5\n"
                "set grid lc rgb '#7a828c' lw 0.3 dt 3\n",
                f);
}

static void put_script(const struct audit *x, FILE *f)
{
    (void)fputs("set print '-'\n", f);
    for (uint32_t i = 0; i < x->n_rows; i++) {
        struct audit_curves const c = audit_get_curves(&x->rows[i]);
        for (int kind = 0; c.n > 0 && kind < PLOT_KIND_N; kind++) {
            put_frame(i, kind, c.n, f);
            if (kind == PLOT_ERROR) {
                put_error_plot(&x->rows[i], &c, f);
            } else {
                put_histogram(&x->rows[i], &c, f);
            }
        }
    }
    (void)fputs("exit\n", f);
}

/* --- the process --- */

/* In the new process: never returns. */
static void become_gnuplot(int in, int out)
{
    char name[] = "gnuplot", option[] = "-d";
    char *const argv[] = {name, option, NULL};
    struct rlimit const cpu = {PLOT_SECONDS, PLOT_SECONDS};
    struct rlimit const size = {PLOT_OUTPUT_BYTES, PLOT_OUTPUT_BYTES};
    (void)setpgid(0, 0);
    (void)setrlimit(RLIMIT_CPU, &cpu);
    (void)setrlimit(RLIMIT_FSIZE, &size);
    (void)setenv("LC_ALL", "C", 1);
    int const nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); /* for its complaints */
    if (nowhere >= 0 && lseek(in, 0, SEEK_SET) == 0 && dup2(in, 0) >= 0 && dup2(out, 1) >= 0 &&
        dup2(nowhere, 2) >= 0) {
        (void)execvp(argv[0], argv);
    }
    _exit(PLOT_NOT_STARTED);
}

/* Why there may be fewer plots than asked for; "" when it ended well. */
static const char *wait_for(pid_t pid)
{
    int status = 0;
    struct timespec const pause = {0, PLOT_POLL_MS * 1000000L};
    for (int ms = 0; ms < PLOT_SECONDS * 1000; ms += PLOT_POLL_MS) {
        pid_t const got = waitpid(pid, &status, WNOHANG);
        if (got < 0 && errno != EINTR) {
            return "waiting for gnuplot failed";
        }
        if (got == pid) {
            if (WIFEXITED(status) && WEXITSTATUS(status) == PLOT_NOT_STARTED) {
                return "gnuplot is not installed";
            }
            return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "" : "gnuplot stopped early";
        }
        (void)nanosleep(&pause, NULL);
    }
    (void)kill(-pid, SIGKILL);
    (void)kill(pid, SIGKILL);
    (void)waitpid(pid, &status, 0);
    return "gnuplot took too long";
}

/* --- the plots --- */

/* Drop `what` from `from` to the end of the first `to` after it, wherever it stands. */
static void drop_all(char *text, const char *from, const char *to)
{
    char *out = text;
    for (const char *p = text; *p;) {
        const char *const end =
            strncmp(p, from, strlen(from)) == 0 ? strstr(p + strlen(from), to) : NULL;
        if (end) {
            p = end + strlen(to);
        } else {
            *out++ = *p++;
        }
    }
    *out = '\0';
}

/* One picture out of gnuplot's: names that would occur twice on the page and marks that are not
 * drawn are left out. */
static const char *take_picture(const char *p, const char *limit, struct arena *a)
{
    const char *const start = strstr(p, "viewBox=");
    const char *const end = start ? strstr(start, "</svg>") : NULL;
    if (!end || end > limit) {
        return NULL;
    }
    char *const text = arena_copy(a, start, (size_t)(end - start) + strlen("</svg>"));
    if (text) {
        drop_all(text, "<title>", "</title>");
        drop_all(text, "<desc>", "</desc>");
        drop_all(text, "<defs>", "</defs>");
        drop_all(text, " id=\"", "\"");
        drop_all(text, " xmlns:xlink=\"", "\"");
        drop_all(text, " font-family=\"", "\"");
    }
    /* Ours, and drawings only: neither is to be expected. */
    return text && !strstr(text, "<script") && !strstr(text, "href") ? text : NULL;
}

static void take_pictures(const char *text, const struct audit *x, struct arena *a,
                          struct audit_plots *out)
{
    for (const char *p = strstr(text, plot_mark); p;) {
        const char *const next = strstr(p + 1, plot_mark);
        const char *const limit = next ? next : p + strlen(p);
        unsigned long row = 0, kind = 0;
        char *end = NULL;
        row = strtoul(p + strlen(plot_mark), &end, 10);
        kind = strtoul(end, NULL, 10);
        if (row < x->n_rows && kind < PLOT_KIND_N) {
            out->svg[row][kind] = take_picture(p, limit, a);
        }
        p = next;
    }
}

static enum res read_back(FILE *f, const struct audit *x, struct arena *a, struct audit_plots *out,
                          struct err *e)
{
    long const n = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    if (n < 0 || n > PLOT_OUTPUT_BYTES || fseek(f, 0, SEEK_SET) != 0) {
        return err_set(e, RES_IO, "plots: %ld bytes cannot be read back", n);
    }
    char *const text = arena_take(a, (size_t)n + 1);
    if (!text) {
        return err_set(e, RES_NOMEM, "plots: arena full at %ld bytes", n);
    }
    size_t const n_read = fread(text, 1, (size_t)n, f);
    text[n_read] = '\0';
    take_pictures(text, x, a, out);
    return RES_OK;
}

enum res audit_make_plots(const struct audit *x, struct arena *a, struct audit_plots *out,
                          struct err *e)
{
    enum res r = RES_OK;
    FILE *const script = tmpfile();
    FILE *const pictures = tmpfile();
    *out = (struct audit_plots){.problem = ""};
    out->svg = arena_take(a, sizeof(*out->svg) * x->n_rows);
    if (!script || !pictures || !out->svg) {
        r = err_set(e, RES_IO, "plots: no temporary file: %s", strerror(errno));
        goto out;
    }
    put_script(x, script);
    if (fflush(script) != 0) {
        r = err_set(e, RES_IO, "plots: writing the script: %s", strerror(errno));
        goto out;
    }
    pid_t const pid = fork();
    if (pid == 0) {
        become_gnuplot(fileno(script), fileno(pictures));
    }
    out->problem = pid < 0 ? "no process for gnuplot" : wait_for(pid);
    r = read_back(pictures, x, a, out, e);
out:
    if (script) {
        (void)fclose(script);
    }
    if (pictures) {
        (void)fclose(pictures);
    }
    return r;
}
