# tests/Dir.mk -- drivers that misbehave on request: tests/icd_X.c and tests/layer_X.c become
# $B/libX.so with the parts of the name turned round: icd_ocl_bad.c is libbadocl.so.
tests-libs := $(patsubst tests/icd_%_bad.c,$B/libbad%.so,$(wildcard tests/icd_*_bad.c)) \
              $(patsubst tests/layer_%_bad.c,$B/libbad%.so,$(wildcard tests/layer_*_bad.c))
tests-objs := $(patsubst %.c,$B/%.o,$(wildcard tests/*.c))

$B/libbad%.so: tests/icd_%_bad.c tests/bad_mode.h
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fPIC -shared -MMD -MP -o $@ $<
$B/libbad%.so: tests/layer_%_bad.c tests/bad_mode.h
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fPIC -shared -MMD -MP -o $@ $<
