// Work of a fixed size for counting instructions, always at the baseline level so that machines agree.
//
//   bench_core         lists "case function", a line each: what to run, and the function whose instructions are counted
//   bench_core CASE    does it once
#include <string.h>

#include "check.h"

enum { STRIDE = 80 }; // 65 joints, padded

static void nlerp_row(const ct_kernels *kernels)
{
    static float a[7 * STRIDE], b[7 * STRIDE], out[7 * STRIDE];
    for (int i = 0; i < 7 * STRIDE; ++i) {
        a[i] = (float)(i % 7) + 1;
        b[i] = (float)(i % 5) + 1;
    }
    kernels->clip.nlerp(a, b, 0.25f, STRIDE, 3, out);
}

static const struct {
    const char *name, *function;
    void (*run)(const ct_kernels *kernels);
} cases[] = {
    {"nlerp_row", "nlerp_rows", nlerp_row},
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

int main(int argc, char **argv)
{
    for (int i = 0; i < CASE_COUNT; ++i) {
        if (argc < 2)
            printf("%s %s\n", cases[i].name, cases[i].function);
        else if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].run(ct_kernels_of(CT_LEVEL_BASELINE));
    }
    return 0;
}
