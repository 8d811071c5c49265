# halfulp: everything is built under build/, see `make help`.
# Settings of one machine go into config.mk, which is not kept: CC, PREFIX, B.
DIRS     := base gen oracle fuzz reports
B        ?= build/opt
PREFIX   ?= /usr/local
DURATION ?= 60s
PROFILES := atomics groups maxerror programs all
ifeq ($(origin CC),default)
CC := gcc
endif
-include config.mk
.DEFAULT_GOAL := all
include $(DIRS:%=%/Dir.mk) tests/Dir.mk

PKGS      = $(sort $(foreach d,$(DIRS),$($d-pkgs)))
PKG_FLAGS := $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
PKG_LIBS  := $(shell pkg-config --libs $(PKGS) 2>/dev/null) $(foreach d,$(DIRS),$($d-libs))

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion \
            -Wfloat-equal -Wswitch-enum -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef \
            -Wformat=2 -Wcast-qual -Wwrite-strings -Wimplicit-fallthrough -Werror=implicit-function-declaration
CPPFLAGS_ALL = -D_POSIX_C_SOURCE=200809L -I. $(PKG_FLAGS) $(CPPFLAGS)
CFLAGS_ALL   = -std=c11 -ffp-contract=off -O2 -g $(WARNINGS) $(HARDEN) $(CFLAGS)
# What makes a mistake of ours harder to use. A sanitizer sees more itself, and clashes with the first.
HARDEN       = $(if $(findstring -fsanitize,$(SAN) $(CFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3) $(PROTECT) $(POSITION)
PROTECT      = -fstack-protector-strong
POSITION     = -fPIE
HARDEN_LINK  = -Wl,-z,relro,-z,now

LIB_OBJS    := $(patsubst %.c,$B/%.o,$(foreach d,$(DIRS),$($d-srcs))) $(reports-texts:%=$B/%.o)
WORKER_OBJS := $(worker-srcs:%.c=$B/%.o)
TEST_SRCS   := $(wildcard base/test_*.c $(foreach d,$(DIRS) tests,$d/*/test_*.c))
# Tests lie in the rooms and their programs together.
test_of      = $(addprefix $B/tests/,$(basename $(notdir $1)))
# Those that take or wait the longest come first, so that none is left alone at the end.
LONG_TESTS  := $(addprefix $B/tests/test_,campaign refusals sim reproducer kill foreign nightly sweep worker audit variant \
                           journal_mutants trial_bad reduce func hostile_journal shrink)
TESTS       := $(LONG_TESTS) $(filter-out $(LONG_TESTS),$(call test_of,$(TEST_SRCS)))
ORACLE_TESTS := $(call test_of,$(filter oracle/% tests/oracle/%,$(TEST_SRCS)))
# What these do is done by other processes: a sanitizer has little to see, and takes long.
PROCESS_TESTS := $(addprefix $B/tests/test_,hostile_journal hostile_text journal_mutants kill kill_any \
                              nightly owner program_values reproducer surroundings)
CODE_TESTS    := $(filter-out $(PROCESS_TESTS),$(TESTS))
BENCHES     := $(patsubst %.c,$B/%,$(wildcard tests/bench/*.c))
PROOFS      := $(patsubst %.c,$B/%,$(wildcard tests/prove/*.c))
FUZZERS     := $(patsubst tests/fuzzers/%.c,%,$(wildcard tests/fuzzers/target_*.c))
# What --version says: the tag v1.1 as 1.1, 7 commits behind it as 1.1+7; without a tag the first version of CHANGELOG.md.
VERSION     := $(if $(wildcard .git),$(shell git describe --tags --match 'v[0-9]*' 2>/dev/null | \
                   sed -E 's/^v//; s/-([0-9]+)-g[0-9a-f]+$$/+\1/'))
VERSION     := $(or $(VERSION),$(shell sed -n 's/^## *\([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1))
# Behind it the commit, where there is a git tree, and "+" behind that for what is not committed.
COMMIT      := $(if $(wildcard .git),$(shell git describe --always --abbrev=12 --dirty=+ --exclude='*' 2>/dev/null))
# AFL++'s runtime, of Debian or of an own build; without it there is no worker for instrumented drivers.
AFL_RUNTIME := $(firstword $(wildcard /usr/local/lib/afl/afl-compiler-rt.o /usr/lib/afl/afl-compiler-rt.o))
AFL_WORKER  := $(if $(AFL_RUNTIME),$B/halfulp-worker-afl)
AFL_TARGET  := $(if $(AFL_RUNTIME),$B/halfulp-afl)
MUTATOR     := $B/libhalfulp-mutator.so

# One line for each file that is made; V=1 shows the commands. As many at once as there are cores.
tell = $(if $V,,@$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,echo '  $1' && ))
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif

# A word of sh, whatever is in it: folders may have blanks.
quote = '$(subst ','\'',$(1))'

.PHONY: all run setup test test-oracle test-code check check-built check-slow prove bench bench-guidance selftest drivers vendor-math \
        instrumented asan ubsan sanitizers paranoid fuzz seeds replay golden docs format lint flags objects programs \
        install bundle clean help always
.DELETE_ON_ERROR:
.SECONDARY:

all: $B/halfulp $B/halfulp-worker $B/halfulp-executor $(AFL_WORKER) $(AFL_TARGET) $(MUTATOR) $(tests-libs) $B/recheck  ## the program, its worker and the misbehaving drivers
run: setup                         ## set up, build, a campaign of DURATION (60s) on every driver found
	@$(MAKE) --no-print-directory all
	@scripts/run.sh $(DURATION)
setup:                             ## install packages and the default drivers
	@scripts/setup.sh
drivers: setup                     ## more drivers: roots of newer releases, SwiftShader; each optional
	@scripts/drivers.sh
instrumented:                      ## lavapipe built for guided campaigns; SANITIZE=address; DRIVER=pocl
	@scripts/instrumented.sh
test: all $(TESTS)                 ## every fast test; needs no device
	@scripts/test.sh $B $(TESTS)
test-oracle: all $(ORACLE_TESTS)    ## of these, those of verdicts
	@scripts/test.sh $B $(ORACLE_TESTS)
check: setup                       ## set up, lint, test, a fixed campaign on the default drivers
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory check-built B=build/check-$(notdir $(lastword $(CC)))
# With gcc these are the objects that lint made: nothing is compiled twice. The campaigns run beside the tests.
check-built: all $(TESTS) $(FUZZERS:%=$B/tests/fuzzers/%)
	@B=$B scripts/check_drivers.sh >$B/drivers.log 2>&1 & \
	(set -e; scripts/test.sh $B $(TESTS); scripts/replay.sh $B $(FUZZERS); scripts/documents.sh $B/halfulp; \
	scripts/check_install.sh $B; \
	for p in $(PROFILES); do $B/halfulp gen --validate 500 --profile $$p; done); \
	status=$$?; wait $$! || status=1; cat $B/drivers.log; exit $$status
check-slow: setup                  ## the long tests, at most an hour; prints each part with its time
	@$(MAKE) --no-print-directory all programs
	@scripts/check_slow.sh
prove: all $(PROOFS)                 ## long proofs, PART=name: resumable, results in corpora/certify
	@scripts/prove.sh "$(PART)" $(PROOFS)
bench: all $(BENCHES)              ## one line per stage: name, value, unit
	@scripts/bench.sh $B $(BENCHES)
bench-guidance: all                ## guided campaigns against random tapes, on hard faults: FAULTS, SEEDS, CPU_SECONDS
	@scripts/guidance.sh $B
selftest: all                      ## planted faults and the controls without a fault, as a table
	$B/halfulp selftest
asan:       KIND := address
ubsan:      KIND := undefined,float-cast-overflow
sanitizers: KIND := address,undefined,float-cast-overflow
test-code: all $(CODE_TESTS)        ## of these, those whose own process does the work
	@scripts/test.sh $B $(CODE_TESTS)
asan ubsan sanitizers:             ## test again under that sanitizer, or both, in build/NAME
	$(MAKE) --no-print-directory test-code replay B=build/$@ \
	    SAN='-fsanitize=$(KIND) -fno-sanitize-recover=all -fno-omit-frame-pointer'
paranoid:                          ## the oracle's tests with each fast verdict derived twice
	$(MAKE) --no-print-directory test-oracle B=build/$@ CPPFLAGS='$(CPPFLAGS) -DHALFULP_PARANOID'
fuzz:                              ## AFL++ on each parser of ours, FUZZ_SECONDS (60) each
	@scripts/fuzz.sh $(FUZZERS)
seeds: all                         ## make corpora/seeds anew, with AFL++; a quarter of an hour
	@scripts/seeds.sh $B
replay: $(FUZZERS:%=$B/tests/fuzzers/%)     ## run the parsers on the seeds that are kept for them
	@scripts/replay.sh $B $(FUZZERS)
golden: all $(TESTS)               ## write the expected outputs anew; read the diff
	GOLDEN=1 scripts/test.sh $B $(TESTS)
docs:                              ## make docs/clauses.md anew
	scripts/clauses.sh >docs/clauses.md
format:                            ## lay out the source
	clang-format -i $(wildcard base/*.[ch] $(foreach d,$(DIRS) tests,$d/*/*.[ch]))
lint:                              ## both compilers, style, includes, rooms, static checks
	@scripts/lint.sh
install: all                       ## all that is used, under PREFIX; the drivers by a link, without DESTDIR
	@B=$B scripts/install.sh $(call quote,$(DESTDIR)$(PREFIX)) $(call quote,$(DESTDIR)) \
	    $B/halfulp $B/halfulp-worker $B/halfulp-executor $(AFL_WORKER) $(AFL_TARGET) $(MUTATOR)
bundle: all $B/bundle/halfulp $B/bundle/halfulp-executor    ## one archive for any x86-64 Linux: build/halfulp-VERSION-x86_64.tar.xz
	@scripts/bundle.sh $B '$(VERSION)'
clean:                             ## remove build/ (the drivers stay)
	rm -rf build
vendor-math: setup                 ## GPU vendors' math functions as CPU libraries: OCML, IGC; needs make drivers
	@CC=$(call quote,$(CC)) scripts/vendor_math.sh
help:                              ## this list
	@awk -F ':.*## *' '/^[a-z].*## /{printf "  %-12s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

# For lint: how a file is compiled, and every object, linked to nothing.
flags:
	@echo $(call quote,$(CPPFLAGS_ALL) $(CFLAGS_ALL))
objects: $(patsubst %.c,$B/%.o,$(wildcard base/*.c $(foreach d,$(DIRS) tests,$d/*/*.c)))
programs: $(TESTS) $(BENCHES)

# In the judge's inner loops the strong form is 1.8 % more instructions (bench_judge), this one 0.2 %.
$B/oracle/%.o: PROTECT = -fstack-protector
$B/%.o: %.c
	@mkdir -p $(@D)
	$(call tell,$@)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(SAN) -MMD -MP -c -o $@ $<
# Made anew with each commit, and then alone.
$B/fuzz/cli/main.o: CPPFLAGS_ALL += -DHALFULP_VERSION='"$(VERSION)"' -DHALFULP_COMMIT='"$(COMMIT)"'
$B/fuzz/cli/main.o: $B/commit
$B/commit: always
	@mkdir -p $(@D)
	@echo '$(VERSION) $(COMMIT)' | cmp -s - $@ || echo '$(VERSION) $(COMMIT)' >$@
# What AFL++ loads has parts of base and gen in it; its hooks alone are to be seen.
$B/base/%.o $B/gen/%.o $B/fuzz/guided/afl_mutator.o: POSITION = -fPIC -fno-semantic-interposition
$(MUTATOR): $B/fuzz/guided/afl_mutator.o $B/libhalfulp.a
	$(call tell,$@)$(CC) $(SAN) $(HARDEN_LINK) $(LDFLAGS) -shared -Wl,--exclude-libs,ALL -o $@ $^
# The lines of a text behind its first one, which names the file, and NULL: page_css of page.css.
$(reports-texts:%=$B/%.c): $B/%.c: %
	@mkdir -p $(@D)
	@awk -v name="$$(basename $< .in | tr . _)" \
	    'BEGIN { print "extern const char *const " name "[];\nconst char *const " name "[] = {" } \
	     is_text { gsub(/[\\"]/, "\\\\&"); print "    \"" $$0 "\"," } \
	     /\*\// { is_text = 1 } \
	     END { print "    0};" }' $< >$@
$(reports-texts:%=$B/%.o): $B/%.o: $B/%.c
	$(call tell,$@)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(SAN) -c -o $@ $<
$B/libhalfulp.a: $(LIB_OBJS)
	@rm -f $@
	$(call tell,$@)ar rcs $@ $^
$B/halfulp: $(fuzz-main:%.c=$B/%.o) $B/libhalfulp.a
	$(call tell,$@)$(CC) $(SAN) -pie $(HARDEN_LINK) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)
$B/halfulp-executor: $B/fuzz/execute/execute_main.o $B/libhalfulp.a
	$(call tell,$@)$(CC) $(SAN) -pie $(HARDEN_LINK) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)
# The same for an archive, without symbols: their libraries lie beside them, and theirs too (RPATH and not RUNPATH).
$B/bundle/halfulp: $(fuzz-main:%.c=$B/%.o) $B/libhalfulp.a
$B/bundle/halfulp-executor: $B/fuzz/execute/execute_main.o $B/libhalfulp.a
$B/bundle/halfulp $B/bundle/halfulp-executor:
	@mkdir -p $(@D)
	$(call tell,$@)$(CC) $(SAN) -pie $(HARDEN_LINK) $(LDFLAGS) -s -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib/halfulp' \
	    -o $@ $^ $(PKG_LIBS)
# libm is there although the worker does not need it: a driver's JIT compiler looks such functions up
# in the process, which in any ordinary program has them.
$B/halfulp-worker: $(WORKER_OBJS)
	$(call tell,$@)$(CC) $(SAN) -pie $(HARDEN_LINK) $(LDFLAGS) -rdynamic -o $@ $^ -ldl -Wl,--no-as-needed -lm
$B/halfulp-afl: $B/fuzz/guided/afl_target.o $B/libhalfulp.a $(AFL_RUNTIME)
	$(call tell,$@)$(CC) $(SAN) -pie $(HARDEN_LINK) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) -ldl
$B/halfulp-worker-afl: $(WORKER_OBJS) $(AFL_RUNTIME)
	$(call tell,$@)$(CC) $(SAN) -pie $(HARDEN_LINK) $(LDFLAGS) -rdynamic -o $@ $^ -ldl -Wl,--no-as-needed -lm
$(foreach s,$(TEST_SRCS),$(eval $(call test_of,$s): $(s:%.c=$B/%.o)))
$(TESTS): $B/libhalfulp.a
	@mkdir -p $(@D)
	$(call tell,$@)$(CC) $(SAN) -pie $(HARDEN_LINK) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka $(PKG_LIBS) -ldl
$(BENCHES) $(PROOFS): $B/%: $B/%.o $B/libhalfulp.a
	$(call tell,$@)$(CC) $(SAN) -pie $(HARDEN_LINK) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)
# A fuzz target is LLVMFuzzerTestOneInput; AFL++'s compiler brings its own main, tests/fuzzers/replay.c ours.
$B/tests/fuzzers/target_%: $B/tests/fuzzers/target_%.o $B/tests/fuzzers/replay.o $B/libhalfulp.a
	$(call tell,$@)$(CC) $(SAN) -pie $(HARDEN_LINK) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)
$B/afl/target_%: $B/tests/fuzzers/target_%.o $B/libhalfulp.a
	@mkdir -p $(@D)
	$(call tell,$@)$(CC) $(SAN) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(PKG_LIBS)

-include $(wildcard $B/*.d $B/*/*.d $B/*/*/*.d)
