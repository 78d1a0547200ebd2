#include "blend_band.h"

#include <float.h>
#include <math.h>

#include "layout.h"

static const double PI = 3.14159265358979323846;

static ct_band_pair cartesian_pair(const ct_band_sample *from, const ct_band_sample *to)
{
    double x = to->x - from->x, y = to->y - from->y, square = x * x + y * y;
    const double never_less = 1 + 16 * DBL_EPSILON; // than 1 at `to`, after rounding: so that the weight there is 0
    return (ct_band_pair){.x = x / square * never_less, .y = y / square * never_less};
}

// Lengths and angles are measured against m, the mean length of both; angles count twice. At the origin there is no angle.
static ct_band_pair polar_pair(const ct_band_sample *from, const ct_band_sample *to, double origin)
{
    bool has_angle = from->radius > origin && to->radius > origin;
    double m = (from->radius + to->radius) / 2, length = (to->radius - from->radius) / m, angle = to->angle - from->angle;
    if (angle > PI) angle -= 2 * PI;
    if (angle < -PI) angle += 2 * PI;
    double apart = has_angle ? fabs(angle) : 0, square = length * length + 4 * apart * apart;
    const double never_less = 1 + 64 * DBL_EPSILON;
    ct_band_pair pair = {.radial = length / m / square * never_less, .angular = copysign(4 * apart / square * never_less, angle)};
    pair.turned = fabs(pair.angular) * apart;
    if (apart > 0) { // behind both, from the angle opposite of `to` to the one opposite of `from`, by a straight line
        pair.slope = -pair.angular * (2 * PI - apart) / apart;
        pair.start = -fabs(pair.angular) * (PI - apart) * 2 * PI / apart;
    }
    return pair;
}

ct_status ct_blend_band_make(const ct_allocator *allocator, const ct_kernels *kernels, bool polar, size_t count, const double *points,
                             double scale, ct_gradient_band *band, ct_error *error)
{
    size_t padded = (count + CT_LANES - 1) / CT_LANES * CT_LANES;
    ct_band_sample *samples = ct_allocate(allocator, count, sizeof *samples);
    band->samples = samples;
    ct_band_pair *pairs = ct_allocate(allocator, count * (count - 1) / 2, sizeof *pairs);
    band->pairs = pairs;
    double *angles = ct_allocate(allocator, padded * 3, sizeof *angles);
    if (!samples || !pairs || !angles) {
        ct_release(allocator, angles);
        return ct_fail_memory(error, "a blend space");
    }

    for (size_t i = 0; i < count; ++i) {
        angles[i] = points[2 * i + 1];
        angles[padded + i] = points[2 * i];
    }
    // The same bits as the angles of queries.
    const double *in[2] = {angles, angles + padded};
    double *result[1] = {angles + 2 * padded};
    kernels->elementary.f64[CT_ELEMENTARY_atan2](padded, in, result);

    double least = INFINITY, most = 0;
    for (size_t i = 0; i < count; ++i) {
        double x = points[2 * i], y = points[2 * i + 1];
        samples[i] = (ct_band_sample){x, y, sqrt(x * x + y * y), result[0][i]};
        least = fmin(least, samples[i].radius);
        most = fmax(most, samples[i].radius);
    }
    double origin = 1e-7 * most; // nearer to it there is no direction
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = i + 1; j < count; ++j)
            *pairs++ = polar ? polar_pair(samples + i, samples + j, origin) : cartesian_pair(samples + i, samples + j);
    }
    ct_release(allocator, angles);
    band->sample_count = count;
    band->scale = scale;
    band->far = CT_BAND_FAR / scale;
    band->core = least > origin ? 0.1 * least : 0;
    return CT_OK;
}

void ct_blend_band_release(const ct_allocator *allocator, ct_gradient_band *band)
{
    ct_release(allocator, (void *)band->samples);
    ct_release(allocator, (void *)band->pairs);
}
