// Quaternion kernels have the same bits at every level and on every machine, whatever the padding holds; Euler angles stay with their
// track.
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "euler.h"
#include "half_pi.h"
#include "quaternion.h"

enum { COUNT = 512, ROWS = 9 };

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

static int component_count(const char *signature, int results)
{
    int sum = 0, size = 1, after = 0;
    for (const char *c = signature; *c; ++c) {
        if (*c == '>') after = 1;
        if (*c == '(') size = 1;
        if (*c >= '0' && *c <= '9') size *= *c - '0';
        if (*c == ')' && after == results) sum += size;
    }
    return sum;
}

#define SIGNATURE(name, signature) signature,
static const char *const signatures[] = {CT_QUATERNION_OPERATIONS(SIGNATURE)};

// Every kernel on quaternions that are unit to a rounding, and on what else it takes; every eighth column is zero or a unit axis.
#define MAKE_TEST(REAL, suffix)                                                                                                            \
    static uint64_t test_kernels_##suffix(void)                                                                                            \
    {                                                                                                                                      \
        static REAL in[ROWS][COUNT], out[ROWS][COUNT], first[ROWS][COUNT];                                                                 \
        uint64_t state = 5, hash = 0xcbf29ce484222325;                                                                                     \
        for (int i = 0; i < COUNT; ++i) {                                                                                                  \
            for (int row = 0; row < ROWS; ++row) {                                                                                         \
                in[row][i] = (REAL)((double)next_random(&state) * 0x1p-63 - 1);                                                            \
                if (i % 8 == 0) in[row][i] = row % 4 == i / 8 % 5 ? (REAL)1 : (REAL)0;                                                     \
            }                                                                                                                              \
            for (int row = 0; row < 8 && i % 8 != 0; row += 4) {                                                                           \
                ct_quaternion q = {(double)in[row][i], (double)in[row + 1][i], (double)in[row + 2][i], (double)in[row + 3][i]};            \
                q = ct_quaternion_normalize(q);                                                                                            \
                in[row][i] = (REAL)q.w, in[row + 1][i] = (REAL)q.x, in[row + 2][i] = (REAL)q.y, in[row + 3][i] = (REAL)q.z;                \
            }                                                                                                                              \
        }                                                                                                                                  \
        const REAL *in_rows[ROWS];                                                                                                         \
        REAL *out_rows[ROWS];                                                                                                              \
        for (int row = 0; row < ROWS; ++row) in_rows[row] = in[row], out_rows[row] = out[row];                                             \
        for (int operation = 0; operation < CT_QUATERNION_OPERATION_COUNT; ++operation) {                                                  \
            int results = component_count(signatures[operation], 1);                                                                       \
            memset(first, 0, sizeof first);                                                                                                \
            FOR_EACH_LEVEL(kernels)                                                                                                        \
            {                                                                                                                              \
                kernels->quaternion.suffix[operation](COUNT, in_rows, out_rows);                                                           \
                if (level_ == 0) memcpy(first, out, sizeof first);                                                                         \
                for (int row = 0; row < results; ++row) CHECK(memcmp(first[row], out[row], sizeof out[row]) == 0);                         \
            }                                                                                                                              \
            int finite = 1;                                                                                                                \
            for (int row = 0; row < results; ++row) {                                                                                      \
                for (int i = 0; i < COUNT; ++i) {                                                                                          \
                    finite &= isfinite(first[row][i]) || operation == CT_QUATERNION_angular_velocity; /* a dt of 0 */                      \
                    if (!isnan(first[row][i])) hash_bytes(&hash, &first[row][i], sizeof(REAL));                                            \
                }                                                                                                                          \
            }                                                                                                                              \
            CHECK(finite);                                                                                                                 \
        }                                                                                                                                  \
        return hash;                                                                                                                       \
    }
MAKE_TEST(float, f32)
MAKE_TEST(double, f64)

static void test_every_order_has_its_axes(void)
{
    for (int i = 0; i < CT_EULER_ORDER_COUNT; ++i) {
        const ct_euler_order *order = &ct_euler_orders[i];
        CHECK(order->name[0] == "XYZ"[order->axes[0]] && order->name[1] == "XYZ"[order->axes[1]]);
        CHECK(order->name[2] == "XYZ"[order->axes[order->proper ? 0 : 2]]);
        CHECK(order->axes[0] + order->axes[1] + order->axes[2] == 3);
        CHECK(order->odd == ((order->axes[1] + 3 - order->axes[0]) % 3 == 2));
    }
}

static const ct_euler_order *order_named(const char *name)
{
    const ct_euler_order *order = ct_euler_orders;
    while (strcmp(order->name, name) != 0) ++order;
    return order;
}

static void test_nearest_angles_take_turns_and_the_other_branch(void)
{
    const double pi = 3.14159265358979323846;
    const ct_euler_order *zxy = order_named("ZXY"), *zxz = order_named("ZXZ");
    double angles[3] = {-pi + 0.1, 0.2, 0.3};
    ct_euler_nearest(zxy, 1e-14, (double[]){pi - 0.1, 0.2, 0.3}, angles);
    CHECK_NEAR(angles[0], pi + 0.1, 1e-15);
    CHECK(angles[1] == 0.2 && angles[2] == 0.3);

    double across[3] = {0.1 - pi, pi / 2 - 0.01, 0.3 - pi}; // just past the pole, from (0.1, pi/2 - 0.01, 0.3)
    ct_euler_nearest(zxy, 1e-14, (double[]){0.1, pi / 2 - 0.01, 0.3}, across);
    CHECK_NEAR(across[0], 0.1, 1e-15);
    CHECK_NEAR(across[1], pi / 2 + 0.01, 1e-15);

    double proper[3] = {0.1 - pi, 0.01, 0.3 - pi};
    ct_euler_nearest(zxz, 1e-14, (double[]){0.1, 0.01, 0.3}, proper);
    CHECK_NEAR(proper[1], -0.01, 1e-15);

    double locked[3] = {1.0, pi / 2, 0.0}; // the sum is 1; the track had 0.3 + 0.5
    ct_euler_nearest(zxy, 1e-14, (double[]){0.3, pi / 2, 0.5}, locked);
    CHECK_NEAR(locked[0], 0.4, 1e-15);
    CHECK_NEAR(locked[2], 0.6, 1e-15);

    double kept[3] = {1.0, 2.0, 3.0};
    ct_euler_nearest(zxy, 1e-14, (double[]){(double)NAN, 0, 0}, kept);
    CHECK(kept[0] == 1.0 && kept[1] == 2.0 && kept[2] == 3.0);
}

static void test_scalar_quaternions(void)
{
    ct_quaternion i = {0, 1, 0, 0}, j = {0, 0, 1, 0}, k = ct_quaternion_multiply(i, j);
    CHECK(k.w == 0 && k.x == 0 && k.y == 0 && k.z == 1);
    ct_quaternion quarter = ct_quaternion_normalize((ct_quaternion){1, 0, 1, 0});
    ct_vector left = ct_quaternion_rotate(quarter, (ct_vector){0, 0, 1});
    CHECK_NEAR(left.x, 1, 1e-15);
    CHECK_NEAR(left.z, 0, 1e-15);
    ct_vector back = ct_quaternion_rotate(ct_quaternion_conjugate(quarter), left);
    CHECK_NEAR(back.z, 1, 1e-15);
    CHECK(ct_quaternion_normalize((ct_quaternion){0, 0, 0, 0}).w == 1);
}

int main(void)
{
    uint64_t hash32 = test_kernels_f32(), hash64 = test_kernels_f64();
    // Of every result above; the same on every machine. A change of a kernel changes it, and says so in its commit.
    printf("hash %016llx %016llx\n", (unsigned long long)hash32, (unsigned long long)hash64);
    CHECK(hash32 == 0xc2e2c652d8157c34);
    CHECK(hash64 == 0x1164066a3d24f483);
    test_every_order_has_its_axes();
    test_nearest_angles_take_turns_and_the_other_branch();
    test_scalar_quaternions();
    return check_report();
}
