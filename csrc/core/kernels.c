#include "kernels.h"

#include "kernels_levels.h"

const ct_kernels *ct_kernels_of(ct_level level)
{
    switch (level) {
    case CT_LEVEL_BASELINE: return &ct_kernels_baseline;
#if defined(CT_PLAIN_LEVELS)
    case CT_LEVEL_AVX2: return &ct_kernels_avx2;
    case CT_LEVEL_AVX512: return &ct_kernels_avx512;
#elif defined(CT_WIDE_LEVELS)
    case CT_LEVEL_AVX2: return __builtin_cpu_supports("avx2") ? &ct_kernels_avx2 : NULL;
    case CT_LEVEL_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512vl")
                   ? &ct_kernels_avx512
                   : NULL;
#endif
    default: return NULL;
    }
}

const ct_kernels *ct_kernels_best(void)
{
    for (int level = CT_LEVEL_COUNT - 1; level > CT_LEVEL_BASELINE; --level) {
        const ct_kernels *kernels = ct_kernels_of((ct_level)level);
        if (kernels) return kernels;
    }
    return &ct_kernels_baseline;
}
