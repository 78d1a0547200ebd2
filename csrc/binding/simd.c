#include "simd.h"

#include "binding.h"

#include <stdlib.h>
#include <string.h>

static const ct_kernels *chosen;

const ct_kernels *active_kernels(void) { return chosen; }

int choose_kernels(void)
{
    if (chosen) return 0;
    static const char *const names[CT_LEVEL_COUNT] = {"baseline", "avx2", "avx512"};
    const char *wanted = getenv("CANTER_SIMD");
    if (!wanted || !*wanted) {
        chosen = ct_kernels_best();
        return 0;
    }
    for (int level = 0; level < CT_LEVEL_COUNT; ++level) {
        if (strcmp(wanted, names[level]) != 0) continue;
        if ((chosen = ct_kernels_of((ct_level)level))) return 0;
        PyErr_Format(PyExc_ImportError, "CANTER_SIMD is '%s', which this machine can't run; the best here is '%s'", wanted,
                     ct_kernels_best()->level);
        return -1;
    }
    PyErr_Format(PyExc_ImportError, "CANTER_SIMD is '%.40s', expected baseline, avx2 or avx512", wanted);
    return -1;
}
