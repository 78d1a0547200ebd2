// elementary_kernels.h: the elementary functions over blocks, in both precisions; see elementary.inc for what they promise.
#ifndef CT_ELEMENTARY_KERNELS_H
#define CT_ELEMENTARY_KERNELS_H

#include "elementwise.h"

// X(name, arguments, results)
#define CT_ELEMENTARY_FUNCTIONS(X)                                                                                                         \
    X(sincos, 1, 2)                                                                                                                        \
    X(exp, 1, 1)                                                                                                                           \
    X(log, 1, 1)                                                                                                                           \
    X(atan2, 2, 1)                                                                                                                         \
    X(asin, 1, 1)                                                                                                                          \
    X(acos, 1, 1)

#define CT_ELEMENTARY_INDEX(name, arguments, results) CT_ELEMENTARY_##name,
typedef enum ct_elementary_function { CT_ELEMENTARY_FUNCTIONS(CT_ELEMENTARY_INDEX) CT_ELEMENTARY_FUNCTION_COUNT } ct_elementary_function;
#undef CT_ELEMENTARY_INDEX

typedef struct ct_elementary_kernels {
    ct_elementwise_f32 f32[CT_ELEMENTARY_FUNCTION_COUNT];
    ct_elementwise_f64 f64[CT_ELEMENTARY_FUNCTION_COUNT];
} ct_elementary_kernels;

#endif
