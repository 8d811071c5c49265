/* fuzz/audit_write/audit_report.h -- the table of an audit for a terminal. */
#pragma once

#include <stdio.h>

#include "fuzz/audit/audit.h"

void audit_print(const struct audit *x, FILE *f);
