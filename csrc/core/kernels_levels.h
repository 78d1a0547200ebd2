// kernels_levels.h: the tables that kernels.c chooses from; for the kernels_*.c files and kernels.c alone.
#ifndef CT_KERNELS_LEVELS_H
#define CT_KERNELS_LEVELS_H

#include "half_pi.h"
#include "kernels.h"

// CT_PLAIN_LEVELS is for tests: every level on any machine, without targets and wide intrinsics, cut by the compiler to registers it has.
#if defined(CT_PLAIN_LEVELS)
#define CT_WIDE_LEVELS 1
#elif defined(__x86_64__) && defined(__GNUC__)
#define CT_WIDE_LEVELS 1
#define CT_X86_INTRINSICS 1
#endif

#if defined(CT_WIDE_LEVELS)
extern const ct_kernels ct_kernels_avx2;
extern const ct_kernels ct_kernels_avx512;
#endif
extern const ct_kernels ct_kernels_baseline;

// What the kernels include, included here: a system header must never be compiled for a level.
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#endif
