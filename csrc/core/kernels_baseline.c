// The level that every machine has: 16-byte registers (SSE2, NEON, or what the compiler makes of them).
#include "kernels_levels.h"

#define CT_WIDE_BYTES 16
#define CT_LEVEL_NAME "baseline"
#define CT_LEVEL_TABLE ct_kernels_baseline
#include "kernels.inc"
