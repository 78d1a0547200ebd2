// The elementary functions are right to 2 ulp, at the edges too, and have the same bits at every level and on every machine.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "half_pi.h"
#include "layout.h"

enum { BLOCK = 4096 };

// A fixed sequence of numbers that look random.
static uint64_t next_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static void hash_bytes(uint64_t *hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; ++i) *hash = (*hash ^ bytes[i]) * 0x100000001b3;
}

// The distance of `got` from `want`, in units of the last place that a number with `mantissa` bits has there.
static double ulps(long double got, long double want, int mantissa, int lowest)
{
    if (isnan(want)) return isnan(got) ? 0 : INFINITY;
    // Infinity stands for the number after the largest.
    long double overflow = ldexpl(1, mantissa == 24 ? 128 : 1024);
    if (isinf(got)) got = copysignl(overflow, got);
    if (fabsl(want) > overflow) want = copysignl(overflow, want);
    if (got == want) return signbit(got) == signbit(want) || want != 0 ? 0 : INFINITY;
    int exponent;
    frexpl(want, &exponent);
    if (exponent < lowest) exponent = lowest;
    return (double)(fabsl(got - want) / ldexpl(1, exponent - mantissa));
}

typedef long double (*reference)(long double, long double);
static long double ref_sin(long double x, long double y) { return (void)y, sinl(x); }
static long double ref_cos(long double x, long double y) { return (void)y, cosl(x); }
static long double ref_exp(long double x, long double y) { return (void)y, expl(x); }
static long double ref_log(long double x, long double y) { return (void)y, logl(x); }
static long double ref_atan2(long double x, long double y) { return atan2l(x, y); }
static long double ref_asin(long double x, long double y) { return (void)y, asinl(x); }
static long double ref_acos(long double x, long double y) { return (void)y, acosl(x); }

static const struct {
    const char *name;
    ct_elementary_function function;
    int result;
    reference right;
    double scale; // random arguments are up to about this
} functions[] = {
    {"sin", CT_ELEMENTARY_sincos, 0, ref_sin, 20},   {"cos", CT_ELEMENTARY_sincos, 1, ref_cos, 20},
    {"exp", CT_ELEMENTARY_exp, 0, ref_exp, 90},      {"log", CT_ELEMENTARY_log, 0, ref_log, 4},
    {"atan2", CT_ELEMENTARY_atan2, 0, ref_atan2, 3}, {"asin", CT_ELEMENTARY_asin, 0, ref_asin, 1},
    {"acos", CT_ELEMENTARY_acos, 0, ref_acos, 1},
};
enum { FUNCTION_COUNT = sizeof functions / sizeof functions[0] };

static const double edges[] = {0.0,       -0.0,      1.0,         -1.0,       0.5,        -0.5,       2.0,         1e-45,    -1e-45,
                               1e-40,     1e-310,    5e-324,      1e30,       -1e30,      3e38,       1e300,       -1e300,   1e22,
                               INFINITY,  -INFINITY, (double)NAN, 0.70710678, 0.41421356, 88.7,       -103.9,      709.7,    -745.1,
                               1570.7963, 1571.5,    1570796.3,   1570797.5,  0.99999994, 1.00000012, -0.99999994, 2.4142135};
enum { EDGE_COUNT = sizeof edges / sizeof edges[0] };

// Arguments of block `block`: the edges in pairs, then bit patterns at random, then ordinary numbers.
#define MAKE_ARGUMENTS(REAL, UINT, suffix)                                                                                                 \
    static void arguments_##suffix(int block, double scale, REAL *x, REAL *y)                                                              \
    {                                                                                                                                      \
        uint64_t state = (uint64_t)block * 77 + 1;                                                                                         \
        for (int i = 0; i < BLOCK; ++i) {                                                                                                  \
            UINT bits[2] = {(UINT)next_random(&state), (UINT)next_random(&state)};                                                         \
            if (block == 0) {                                                                                                              \
                x[i] = (REAL)edges[i % EDGE_COUNT];                                                                                        \
                y[i] = (REAL)edges[i / EDGE_COUNT % EDGE_COUNT];                                                                           \
            } else if (block % 4 == 1) {                                                                                                   \
                memcpy(&x[i], &bits[0], sizeof(REAL));                                                                                     \
                memcpy(&y[i], &bits[1], sizeof(REAL));                                                                                     \
            } else {                                                                                                                       \
                x[i] = (REAL)(scale * ((double)next_random(&state) * 0x1p-63 - 1));                                                        \
                y[i] = (REAL)(scale * ((double)next_random(&state) * 0x1p-63 - 1));                                                        \
            }                                                                                                                              \
        }                                                                                                                                  \
    }
MAKE_ARGUMENTS(float, uint32_t, f32)
MAKE_ARGUMENTS(double, uint64_t, f64)

#define MAKE_TEST(REAL, suffix, mantissa, lowest, limit)                                                                                   \
    static uint64_t test_functions_##suffix(void)                                                                                          \
    {                                                                                                                                      \
        enum { BLOCKS = 20 };                                                                                                              \
        static REAL x[BLOCK], y[BLOCK], first[2][BLOCK], got[2][BLOCK];                                                                    \
        uint64_t hash = 0xcbf29ce484222325;                                                                                                \
        for (int f = 0; f < FUNCTION_COUNT; ++f) {                                                                                         \
            double worst = 0, worst_x = 0, worst_y = 0;                                                                                    \
            int different = 0;                                                                                                             \
            for (int block = 0; block < BLOCKS; ++block) {                                                                                 \
                arguments_##suffix(block, functions[f].scale, x, y);                                                                       \
                const REAL *const in[2] = {x, y};                                                                                          \
                ct_kernels_of(CT_LEVEL_BASELINE)                                                                                           \
                    ->elementary.suffix[functions[f].function](BLOCK, in, (REAL *const[]){first[0], first[1]});                            \
                const REAL *result = first[functions[f].result];                                                                           \
                FOR_EACH_LEVEL(kernels)                                                                                                    \
                {                                                                                                                          \
                    kernels->elementary.suffix[functions[f].function](BLOCK, in, (REAL *const[]){got[0], got[1]});                         \
                    different += memcmp(result, got[functions[f].result], sizeof first[0]) != 0;                                           \
                }                                                                                                                          \
                for (int i = 0; i < BLOCK; ++i) {                                                                                          \
                    double error =                                                                                                         \
                        ulps((long double)result[i], functions[f].right((long double)x[i], (long double)y[i]), mantissa, lowest);          \
                    if (error > worst) worst = error, worst_x = (double)x[i], worst_y = (double)y[i];                                      \
                    REAL hashed = isnan(result[i]) ? (REAL)7 : result[i]; /* the bits of a NaN are the machine's own */                    \
                    hash_bytes(&hash, &hashed, sizeof hashed);                                                                             \
                }                                                                                                                          \
            }                                                                                                                              \
            printf("%-5s " #suffix ": %.2f ulp at %.17g, %.17g\n", functions[f].name, worst, worst_x, worst_y);                            \
            CHECK(worst <= limit);                                                                                                         \
            CHECK(different == 0);                                                                                                         \
        }                                                                                                                                  \
        return hash;                                                                                                                       \
    }
MAKE_TEST(float, f32, 24, -125, 2.0)
MAKE_TEST(double, f64, 53, -1021, 2.0)

// Known to 30 digits and more; from the definition, with a wide enough arithmetic.
static void test_huge_angles_are_reduced_exactly(void)
{
    double x[CT_LANES] = {1e22, 1e300, 0x1p1023, 6381956970095103.0 * 0x1p797, 1e5, -1e22, 1e15, 3e7};
    double sine[CT_LANES], cosine[CT_LANES];
    FOR_EACH_LEVEL(kernels)
    {
        kernels->elementary.f64[CT_ELEMENTARY_sincos](CT_LANES, (const double *const[]){x}, (double *const[]){sine, cosine});
        CHECK_NEAR(sine[0], -0.8522008497671888017727, 2e-16);
        CHECK_NEAR(sine[1], -0.8178819121159085, 2e-16);
        CHECK_NEAR(cosine[3], -4.68716592425462761112e-19, 1e-34); // the double nearest to a multiple of pi/2
        CHECK(sine[5] == -sine[0] && cosine[5] == cosine[0]);
        for (int i = 0; i < 8; ++i) CHECK_NEAR(sine[i] * sine[i] + cosine[i] * cosine[i], 1, 4e-16);
    }
    int quadrant;
    CHECK(isnan(ct_reduce_half_pi((double)INFINITY, &quadrant)));
    CHECK(isnan(ct_reduce_half_pi((double)NAN, &quadrant)));
}

int main(void)
{
    uint64_t hash32 = test_functions_f32(), hash64 = test_functions_f64();
    // Of every result above; the same on every machine. A change of a polynomial or a reduction changes it, and says so in its commit.
    printf("hash %016llx %016llx\n", (unsigned long long)hash32, (unsigned long long)hash64);
    CHECK(hash32 == 0xc538209d09e8810d);
    CHECK(hash64 == 0xc21e7c2e3f9a183a);
    test_huge_angles_are_reduced_exactly();
    return check_report();
}
