// The AVX-512 (F, DQ, BW, VL) level: 64-byte registers.
#include "kernels_levels.h"

#ifdef CT_WIDE_LEVELS
#if defined(CT_PLAIN_LEVELS)
#elif defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl")
#endif

#define CT_WIDE_BYTES 64
#define CT_LEVEL_NAME "avx512"
#define CT_LEVEL_TABLE ct_kernels_avx512
#include "kernels.inc"

#if defined(CT_PLAIN_LEVELS)
#elif defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
