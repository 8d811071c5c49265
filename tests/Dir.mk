# tests/Dir.mk -- drivers and libraries that misbehave on request: tests/rig/icd_X.c, layer_X.c and math_X.c become
# $B/libX.so with the parts of the name turned round: icd_ocl_bad.c is libbadocl.so, math_lib_bad.c libbadlib.so.
tests-libs := $(patsubst tests/rig/icd_%_bad.c,$B/libbad%.so,$(wildcard tests/rig/icd_*_bad.c)) \
              $(patsubst tests/rig/layer_%_bad.c,$B/libbad%.so,$(wildcard tests/rig/layer_*_bad.c)) \
              $(patsubst tests/rig/math_%_bad.c,$B/libbad%.so,$(wildcard tests/rig/math_*_bad.c))

$B/libbad%.so: tests/rig/icd_%_bad.c tests/rig/bad_mode.h
	@mkdir -p $(@D)
	$(call tell,$@)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fPIC -shared -MMD -MP -o $@ $<
$B/libbad%.so: tests/rig/layer_%_bad.c tests/rig/bad_mode.h
	@mkdir -p $(@D)
	$(call tell,$@)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fPIC -shared -MMD -MP -o $@ $<
$B/libbad%.so: tests/rig/math_%_bad.c
	@mkdir -p $(@D)
	$(call tell,$@)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fPIC -shared -MMD -MP -o $@ $< -lm

# Stand-ins for the hardware under vendors' math libraries: scripts/vendor_math.sh compiles them too.
standin-objs := $B/tests/standin/standin.o $B/tests/standin/standin_mpfr.o
$B/tests/test_standin $B/tests/prove/prove_standin: $(standin-objs)
# MPFR alone: nothing of the oracle is in it.
$B/recheck: $B/tests/standin/recheck.o
	$(call tell,$@)$(CC) $(SAN) -pie $(HARDEN_LINK) $(LDFLAGS) -o $@ $^ -lmpfr -lgmp -ldl -lm
