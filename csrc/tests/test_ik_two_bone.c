// A two-bone limb reaches every target within reach, keeps its lengths and bends towards its pole, whatever the input.
#include <fenv.h>
#include <float.h>
#include <stdint.h>

#include "check.h"
#include "ik_two_bone.h"

static double next(uint64_t *state) // -1 .. 1
{
    *state += 0x9e3779b97f4a7c15;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (double)(int64_t)(z ^ z >> 31) * 0x1p-63;
}

static ct_vector next_vector(uint64_t *state)
{
    double x = next(state), y = next(state), z = next(state);
    return (ct_vector){x, y, z};
}

static double between(ct_vector a, ct_vector b) { return ct_vector_length(ct_vector_subtract(a, b)); }

static int is_finite(ct_two_bone limb)
{
    return isfinite(limb.mid.x) && isfinite(limb.mid.y) && isfinite(limb.mid.z) && isfinite(limb.tip.x) && isfinite(limb.tip.y) &&
           isfinite(limb.tip.z);
}

// What holds for every input whose numbers are about `scale` or less.
static void check_laws(ct_vector root, ct_vector target, double upper, double lower, ct_vector pole, double scale)
{
    ct_two_bone limb = ct_ik_two_bone(root, target, upper, lower, pole);
    double round_off = 16 * DBL_EPSILON * scale, distance = between(root, target);
    CHECK(is_finite(limb));
    CHECK_NEAR(between(root, limb.mid), upper, round_off);
    CHECK_NEAR(between(limb.mid, limb.tip), lower, round_off);

    // The tip is as near as it can be.
    double reach = fmin(fmax(distance, fabs(upper - lower)), upper + lower);
    CHECK_NEAR(between(limb.tip, target), fabs(reach - distance), round_off);

    // The middle joint is in the plane of the pole and on its side.
    ct_vector line = ct_vector_subtract(target, root), out = ct_vector_subtract(limb.mid, root);
    ct_vector normal = ct_vector_cross(line, pole);
    double sine = ct_vector_length(normal) / (distance * ct_vector_length(pole));
    if (sine > 1e-6) {
        CHECK_NEAR(ct_vector_dot(out, normal) / ct_vector_length(normal), 0, round_off / sine);
        ct_vector side = ct_vector_subtract(pole, ct_vector_scale(line, ct_vector_dot(line, pole) / (distance * distance)));
        CHECK(ct_vector_dot(out, side) / ct_vector_length(side) > -round_off / sine);
    }
}

static void test_every_limb_obeys_the_laws(void)
{
    uint64_t state = 1;
    for (int i = 0; i < 20000; ++i) {
        ct_vector root = next_vector(&state), target = next_vector(&state), pole = next_vector(&state);
        double upper = fabs(next(&state)), lower = fabs(next(&state));
        check_laws(root, target, upper, lower, pole, 4);
    }
}

static void test_target_at_the_edge_of_reach(void)
{
    uint64_t state = 2;
    for (int i = 0; i < 2000; ++i) {
        ct_vector direction = next_vector(&state), pole = next_vector(&state);
        direction = ct_vector_scale(direction, 1 / ct_vector_length(direction));
        double upper = fabs(next(&state)), lower = i % 3 ? fabs(next(&state)) : upper;
        static const double STEPS[] = {-1e-6, -1e-9, -1e-15, 0, 1e-15, 1e-9, 1e-6};
        for (size_t k = 0; k < sizeof STEPS / sizeof STEPS[0]; ++k) {
            check_laws((ct_vector){0, 0, 0}, ct_vector_scale(direction, upper + lower + STEPS[k]), upper, lower, pole, 4);
            check_laws((ct_vector){0, 0, 0}, ct_vector_scale(direction, fabs(upper - lower) + STEPS[k]), upper, lower, pole, 4);
        }
    }
}

static void test_known_limbs(void)
{
    const ct_vector zero = {0, 0, 0}, x = {1, 0, 0}, y = {0, 1, 0};

    // A right angle: 3, 4 and 5.
    ct_two_bone limb = ct_ik_two_bone(zero, (ct_vector){5, 0, 0}, 3, 4, (ct_vector){7, 0.1, 0});
    CHECK_NEAR(limb.mid.x, 1.8, 1e-15);
    CHECK_NEAR(limb.mid.y, 2.4, 1e-15);
    CHECK(limb.tip.x == 5 && limb.tip.y == 0);

    limb = ct_ik_two_bone(zero, (ct_vector){9, 0, 0}, 3, 4, y); // out of reach: straight at the target
    CHECK_NEAR(limb.mid.x, 3, 1e-15);
    CHECK_NEAR(limb.tip.x, 7, 1e-15);
    CHECK(limb.mid.y == 0 && limb.tip.y == 0);

    limb = ct_ik_two_bone(zero, (ct_vector){0.5, 0, 0}, 4, 3, y); // too near: folded, the tip at 1
    CHECK_NEAR(limb.mid.x, 4, 1e-15);
    CHECK_NEAR(limb.tip.x, 1, 1e-15);
    limb = ct_ik_two_bone(zero, (ct_vector){0.5, 0, 0}, 3, 4, y);
    CHECK_NEAR(limb.mid.x, -3, 1e-15);
    CHECK_NEAR(limb.tip.x, 1, 1e-15);

    limb = ct_ik_two_bone(x, x, 2, 2, y); // on the root, folded up: along the pole and back
    CHECK_NEAR(limb.mid.y, 2, 1e-15);
    CHECK(limb.mid.x == 1 && limb.tip.x == 1 && limb.tip.y == 0);
    limb = ct_ik_two_bone(zero, zero, 2, 3, y); // on the root, out of reach: still along the pole
    CHECK(limb.mid.y == 2 && limb.tip.y == -1);
    limb = ct_ik_two_bone(zero, zero, 2, 2, zero); // nothing gives a direction
    CHECK_NEAR(limb.mid.x, 2, 1e-15);
    CHECK(limb.mid.y == 0 && limb.tip.x == 0);

    limb = ct_ik_two_bone(zero, x, 1, 1, x); // the pole along the limb: it bends all the same
    CHECK_NEAR(limb.mid.x, 0.5, 1e-15);
    CHECK_NEAR(fabs(limb.mid.y), sqrt(0.75), 1e-15);
    limb = ct_ik_two_bone(zero, x, 1, 1, zero);
    CHECK_NEAR(fabs(limb.mid.y), sqrt(0.75), 1e-15);

    limb = ct_ik_two_bone(zero, x, 0, 1, y); // bones without length
    CHECK(limb.mid.x == 0 && limb.mid.y == 0 && limb.tip.x == 1);
    limb = ct_ik_two_bone(zero, x, 1, 0, y);
    CHECK(limb.mid.x == 1 && limb.mid.y == 0 && limb.tip.x == 1);
    limb = ct_ik_two_bone(x, zero, 0, 0, y);
    CHECK(limb.mid.x == 1 && limb.tip.x == 1);
}

// The largest and the smallest numbers, and none, in every place: always a number, and no flag that speaks of a mistake.
static void test_extreme_numbers(void)
{
    static const double NUMBERS[] = {0, 1, -1, DBL_MIN, -DBL_TRUE_MIN, 1e-170, 1e170, DBL_MAX / 4, -DBL_MAX / 4};
    enum { COUNT = sizeof NUMBERS / sizeof NUMBERS[0] };
    feclearexcept(FE_ALL_EXCEPT);
    int finite = 1;
    for (int a = 0; a < COUNT; ++a) {
        for (int b = 0; b < COUNT; ++b) {
            for (int c = 0; c < COUNT; ++c) {
                for (int d = 0; d < COUNT; ++d) {
                    ct_vector root = {NUMBERS[a], 0, NUMBERS[b]}, target = {NUMBERS[b], NUMBERS[c], 0}, pole = {NUMBERS[d], NUMBERS[a], 0};
                    finite &= is_finite(ct_ik_two_bone(root, target, fabs(NUMBERS[c]), fabs(NUMBERS[d]), pole));
                }
            }
        }
    }
    CHECK(finite);
    CHECK(!fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW));

    // The whole range of doubles at once may give infinities, never NaN.
    const double most = DBL_MAX;
    ct_two_bone limb = ct_ik_two_bone((ct_vector){most, most, most}, (ct_vector){-most, -most, -most}, most, most, (ct_vector){most, 0, 0});
    CHECK(!isnan(limb.mid.x) && !isnan(limb.mid.y) && !isnan(limb.mid.z) && !isnan(limb.tip.x) && !isnan(limb.tip.y) && !isnan(limb.tip.z));
}

int main(void)
{
    test_every_limb_obeys_the_laws();
    test_target_at_the_edge_of_reach();
    test_known_limbs();
    test_extreme_numbers();
    return check_report();
}
