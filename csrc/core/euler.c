#include "euler.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define TAIT_BRYAN false, false, CT_QUATERNION_from_tait_bryan, CT_QUATERNION_to_tait_bryan
#define TAIT_BRYAN_ODD false, true, CT_QUATERNION_from_tait_bryan_odd, CT_QUATERNION_to_tait_bryan_odd
#define PROPER true, false, CT_QUATERNION_from_proper_euler, CT_QUATERNION_to_proper_euler
#define PROPER_ODD true, true, CT_QUATERNION_from_proper_euler_odd, CT_QUATERNION_to_proper_euler_odd

const ct_euler_order ct_euler_orders[CT_EULER_ORDER_COUNT] = {
    {"XYZ", {0, 1, 2}, TAIT_BRYAN}, {"XZY", {0, 2, 1}, TAIT_BRYAN_ODD}, {"YXZ", {1, 0, 2}, TAIT_BRYAN_ODD}, {"YZX", {1, 2, 0}, TAIT_BRYAN},
    {"ZXY", {2, 0, 1}, TAIT_BRYAN}, {"ZYX", {2, 1, 0}, TAIT_BRYAN_ODD}, {"XYX", {0, 1, 2}, PROPER},         {"XZX", {0, 2, 1}, PROPER_ODD},
    {"YXY", {1, 0, 2}, PROPER_ODD}, {"YZY", {1, 2, 0}, PROPER},         {"ZXZ", {2, 0, 1}, PROPER},         {"ZYZ", {2, 1, 0}, PROPER_ODD},
};

static const double pi = 3.14159265358979323846;

static double unwrap(double angle, double previous) { return angle - 2 * pi * floor((angle - previous) / (2 * pi) + 0.5); }

static double square_distance(const double a[3], const double b[3])
{
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

void ct_euler_nearest(const ct_euler_order *order, double tolerance, const double previous[3], double angles[3])
{
    for (int i = 0; i < 3; ++i) {
        if (!isfinite(angles[i]) || !isfinite(previous[i])) return;
    }

    double from_lock = order->proper ? fmin(fabs(angles[1]), fabs(fabs(angles[1]) - pi)) : fabs(fabs(angles[1]) - pi / 2);
    if (angles[2] == 0 && from_lock <= tolerance) {
        // first + sign * third is what counts.
        bool sum = order->proper ? fabs(angles[1]) < pi / 2 : (angles[1] > 0) != order->odd;
        double sign = sum ? 1 : -1;
        double change = unwrap(angles[0] - (previous[0] + sign * previous[2]), 0);
        angles[0] = previous[0] + change / 2;
        angles[1] = unwrap(angles[1], previous[1]);
        angles[2] = previous[2] + sign * change / 2;
        return;
    }

    double other[3] = {angles[0] + pi, order->proper ? -angles[1] : pi - angles[1], angles[2] + pi};
    for (int i = 0; i < 3; ++i) {
        angles[i] = unwrap(angles[i], previous[i]);
        other[i] = unwrap(other[i], previous[i]);
    }
    if (square_distance(other, previous) < square_distance(angles, previous)) memcpy(angles, other, sizeof other);
}
