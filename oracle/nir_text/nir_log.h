/* oracle/nir_text/nir_log.h -- finds the final NIR in what Honeykrisp prints with AGX_MESA_DEBUG=shaders.
 *
 * The log has, for each shader that is compiled, its NIR, its program in AGX IR twice, and machine code; then the same again
 * for the preamble but its NIR, which stands behind that of the shader as a second function, `@preamble`. Anything else may
 * stand between. The last shader of the log whose first function is the entry point of the case is the one that is meant. */
#pragma once

#include "base/base.h"

/* Parts of a log, borrowed from it. */
struct nir_log {
    const char
        *main; /* header and function of the entry point; NULL: it is not there, or has no end */
    size_t n_main;
    const char *preamble; /* its preamble; NULL: it has none */
    size_t n_preamble;
};
struct nir_log nir_log_find(const char *text, size_t n, const char *entry);
