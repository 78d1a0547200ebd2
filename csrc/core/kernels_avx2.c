// The AVX2 level: 32-byte registers.
#include "kernels_levels.h"

#ifdef CT_WIDE_LEVELS
#if defined(CT_PLAIN_LEVELS)
#elif defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define CT_WIDE_BYTES 32
#define CT_LEVEL_NAME "avx2"
#define CT_LEVEL_TABLE ct_kernels_avx2
#include "kernels.inc"

#if defined(CT_PLAIN_LEVELS)
#elif defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
