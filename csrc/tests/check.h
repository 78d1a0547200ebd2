// check.h: the little that a C test needs. A test file has one main that calls its tests and returns check_report().
#ifndef CT_CHECK_H
#define CT_CHECK_H

#include <math.h>
#include <stdio.h>

#include "kernels.h"

static int check_count, check_failures;

#define CHECK(condition)                                                                                                                   \
    do {                                                                                                                                   \
        ++check_count;                                                                                                                     \
        if (!(condition)) {                                                                                                                \
            ++check_failures;                                                                                                              \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                                                 \
        }                                                                                                                                  \
    } while (0)

#define CHECK_NEAR(got, want, tolerance)                                                                                                   \
    do {                                                                                                                                   \
        double got_ = (double)(got), want_ = (double)(want);                                                                               \
        ++check_count;                                                                                                                     \
        if (!(fabs(got_ - want_) <= (double)(tolerance))) {                                                                                \
            ++check_failures;                                                                                                              \
            printf("%s:%d: %s is %.17g, not %.17g\n", __FILE__, __LINE__, #got, got_, want_);                                              \
        }                                                                                                                                  \
    } while (0)

// Runs the block once for every level of this machine, as `kernels`.
#define FOR_EACH_LEVEL(kernels)                                                                                                            \
    for (int level_ = 0; level_ < CT_LEVEL_COUNT; ++level_)                                                                                \
        for (const ct_kernels *kernels = ct_kernels_of((ct_level)level_); kernels; kernels = NULL)

static inline int check_report(void)
{
    printf("%d passed, %d failed\n", check_count - check_failures, check_failures);
    return check_failures != 0;
}

#endif
