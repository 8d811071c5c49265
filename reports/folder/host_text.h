/* reports/folder/host_text.h -- the lines of host*.c.in, NULL after the last; the build makes C of them. */
#pragma once

extern const char *const host_c[], *const host_ocl_c[], *const host_vk_c[];
