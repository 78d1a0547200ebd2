#include "ik_two_bone.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

// Unit length from any finite vector; *length is what it had. Zero stays zero.
static ct_vector unit(ct_vector v, double *length)
{
    double largest = fmax(fmax(fabs(v.x), fabs(v.y)), fabs(v.z)); // squares neither vanish nor overflow below it
    *length = 0;
    if (largest == 0) return v;
    v = (ct_vector){v.x / largest, v.y / largest, v.z / largest};
    double ratio = ct_vector_length(v);
    *length = largest * ratio;
    return (ct_vector){v.x / ratio, v.y / ratio, v.z / ratio};
}

// A unit vector across the unit u.
static ct_vector across(ct_vector u)
{
    double x = fabs(u.x), y = fabs(u.y), z = fabs(u.z), length;
    bool by_z = z <= x && z <= y, by_y = !by_z && y <= x;
    ct_vector e = {!by_z && !by_y, by_y, by_z};
    return unit(ct_vector_cross(e, u), &length);
}

// The unit vector across the unit `line` on the side of the unit or zero `pole`.
static ct_vector bend(ct_vector line, ct_vector pole)
{
    double length;
    ct_vector side = unit(ct_vector_subtract(pole, ct_vector_scale(line, ct_vector_dot(pole, line))), &length);
    if (length < 4 * DBL_EPSILON) return across(line);
    return unit(ct_vector_subtract(side, ct_vector_scale(line, ct_vector_dot(side, line))), &length); // again, for what a short one lost
}

ct_two_bone ct_ik_two_bone(ct_vector root, ct_vector target, double upper, double lower, ct_vector pole)
{
    assert(!(upper < 0) && !(lower < 0));

    // An eighth of everything, so that no sum of lengths overflows.
    const double eighth = 0.125;
    double distance, length;
    ct_vector line = unit(ct_vector_subtract(ct_vector_scale(target, eighth), ct_vector_scale(root, eighth)), &distance);
    double sum = eighth * upper + eighth * lower, difference = eighth * upper - eighth * lower;
    double reach = fmin(fmax(distance, fabs(difference)), sum);

    pole = unit(pole, &length);
    ct_vector side;
    if (distance > 0) {
        side = bend(line, pole);
    } else {
        side = length > 0 ? pole : (ct_vector){1, 0, 0};
        line = difference < 0 ? ct_vector_scale(side, -1) : side; // without a bend the limb lies along it
    }

    // mid = root + along line + out side. With d = reach: along = (d^2 + upper^2 - lower^2) / 2d, and out by Heron's formula, both in
    // factors that lose no digits (W. Kahan, Miscalculating area and angles of a needle-like triangle).
    double ratio = reach > 0 ? difference / reach : 0;
    double along = 4 * (reach + ratio * sum);
    double out = 4 * sqrt(sum + reach) * sqrt(sum - reach) * sqrt((1 + ratio) * (1 - ratio));

    ct_two_bone limb;
    limb.mid = ct_vector_add(root, ct_vector_add(ct_vector_scale(line, along), ct_vector_scale(side, out)));
    limb.tip = reach == distance ? target : ct_vector_add(root, ct_vector_scale(line, 8 * reach));
    return limb;
}
