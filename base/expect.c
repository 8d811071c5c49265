/* base/expect.c -- names of the operations on a location. */
#include "base/expect.h"

const char *const rmw_names[RMW_N] = {[RMW_LOAD] = "LOAD",
                                      [RMW_EXCHANGE] = "EXCHANGE",
                                      [RMW_COMPARE_EXCHANGE] = "COMPARE_EXCHANGE",
                                      [RMW_ADD] = "ADD",
                                      [RMW_SUB] = "SUB",
                                      [RMW_SMIN] = "SMIN",
                                      [RMW_UMIN] = "UMIN",
                                      [RMW_SMAX] = "SMAX",
                                      [RMW_UMAX] = "UMAX",
                                      [RMW_AND] = "AND",
                                      [RMW_OR] = "OR",
                                      [RMW_XOR] = "XOR"};
