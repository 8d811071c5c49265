/* reports/audit/audit_style.h -- the style sheet of the audit's page. */
#pragma once

#include "base/base.h"

/* Pieces of the style sheet. */
extern const char *const page_style[];
extern const uint32_t page_style_n;
