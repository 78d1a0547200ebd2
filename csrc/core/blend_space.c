#include "blend_space.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 256 }; // queries between two looks at whether to stop; their weights stay near

// ---------------------------------------------------------------------------------------------------------------------------- lines

static ct_status make_line(ct_blend_space *space, ct_error *error)
{
    ct_blend_line *line = &space->lines[0];
    if (!ct_blend_line_reserve(&space->allocator, space->sample_count, line)) return ct_fail_memory(error, "a blend space");
    for (size_t i = 0; i < space->sample_count; ++i) ct_blend_line_put(line, space->scaled[i], i);
    return CT_OK;
}

static ct_status make_two_lines(ct_blend_space *space, double near, ct_error *error)
{
    size_t count = space->sample_count;
    if (!ct_blend_line_reserve(&space->allocator, count, &space->lines[0]) ||
        !ct_blend_line_reserve(&space->allocator, count, &space->lines[1]))
        return ct_fail_memory(error, "a blend space");

    bool found = false;
    for (size_t i = 0; i < count; ++i) {
        double x = space->scaled[2 * i], y = space->scaled[2 * i + 1];
        bool on_x = fabs(y) <= near, on_y = fabs(x) <= near;
        if (!on_x && !on_y) {
            return ct_fail(error, CT_BAD_VALUE,
                           "sample %zu is on neither axis, and two_1d is for samples in the shape of a cross: x or y of each is 0", i);
        }
        if (on_x) ct_blend_line_put(&space->lines[0], x, i);
        if (on_y) ct_blend_line_put(&space->lines[1], y, i);
        if (on_x && on_y) {
            space->origin = i;
            found = true;
        }
    }
    if (found) return CT_OK;
    return ct_fail(error, CT_BAD_VALUE, "no sample is at (0, 0), and two_1d needs one there, where its two lines meet");
}

static void weigh_on_two_lines(const ct_blend_space *space, ct_vector p, double *row)
{
    double x = fabs(p.x), y = fabs(p.y), sum = x + y;
    if (sum == 0) {
        row[space->origin] = 1;
        return;
    }
    ct_blend_line_add_weights(&space->lines[0], p.x, x / sum, row);
    ct_blend_line_add_weights(&space->lines[1], p.y, y / sum, row);
}

// --------------------------------------------------------------------------------------------------------------------------- making

void ct_blend_space_destroy(ct_blend_space *space)
{
    if (!space) return;
    ct_allocator allocator = space->allocator;
    ct_release(&allocator, space->points);
    ct_release(&allocator, space->scaled);
    ct_blend_band_release(&allocator, &space->band);
    ct_blend_triangles_release(&allocator, &space->triangles);
    for (int i = 0; i < 2; ++i) ct_blend_line_release(&allocator, &space->lines[i]);
    ct_release(&allocator, space);
}

// Half of the extent, which never overflows.
static double half_extent(const ct_blend_space *space)
{
    double most = 0;
    for (size_t axis = 0; axis < space->dimensions; ++axis) {
        double low = space->points[axis], high = low;
        for (size_t i = axis; i < space->sample_count * space->dimensions; i += space->dimensions) {
            low = fmin(low, space->points[i]);
            high = fmax(high, space->points[i]);
        }
        most = fmax(most, 0.5 * high - 0.5 * low);
    }
    return most;
}

static double scale_of(double half_extent)
{
    int exponent = 0;
    frexp(half_extent, &exponent);
    return half_extent > 0 ? ldexp(1, -(int)fmax(-1000, fmin(exponent, 1000))) : 1;
}

static ct_status check_distances(const ct_blend_space *space, double near, ct_error *error)
{
    size_t dimensions = space->dimensions;
    for (size_t i = 0; i < space->sample_count; ++i) {
        for (size_t j = 0; j < i; ++j) {
            const double *a = space->scaled + i * dimensions, *b = space->scaled + j * dimensions;
            double x = a[0] - b[0], y = dimensions == 1 ? 0 : a[1] - b[1];
            if (sqrt(x * x + y * y) > near) continue;
            return ct_fail(
                error, CT_BAD_VALUE,
                "samples %zu and %zu are at the same place, or nearer than a ten-millionth of the extent; give each place one sample", j,
                i);
        }
    }
    return CT_OK;
}

static ct_status make(ct_blend_space *space, const double *points, ct_error *error)
{
    size_t numbers = space->sample_count * space->dimensions;
    space->points = ct_allocate(&space->allocator, numbers, sizeof *points);
    space->scaled = ct_allocate(&space->allocator, numbers, sizeof *points);
    if (!space->points || !space->scaled) return ct_fail_memory(error, "a blend space");
    memcpy(space->points, points, numbers * sizeof *points);
    double half = half_extent(space);
    space->scale = scale_of(half);
    space->far = CT_BAND_FAR / space->scale;
    for (size_t i = 0; i < numbers; ++i) space->scaled[i] = points[i] * space->scale;

    double near = 2 * (half * space->scale) * CT_SAMPLE_DISTANCE;
    ct_status status = check_distances(space, near, error);
    if (status != CT_OK) return status;
    switch (space->method) {
    case CT_LINEAR: return make_line(space, error);
    case CT_TWO_1D: return make_two_lines(space, near, error);
    case CT_DELAUNAY: return ct_blend_triangles_make(&space->allocator, space->sample_count, space->scaled, &space->triangles, error);
    default:
        return ct_blend_band_make(&space->allocator, space->kernels, space->method == CT_GRADIENT_BAND_POLAR, space->sample_count,
                                  space->scaled, space->scale, &space->band, error);
    }
}

ct_status ct_blend_space_create(const ct_allocator *allocator, const ct_kernels *kernels, ct_blend_method method, size_t count,
                                const double *points, ct_blend_space **out, ct_error *error)
{
    assert((unsigned)method < CT_BLEND_METHOD_COUNT);
    if (count == 0) return ct_fail(error, CT_BAD_VALUE, "there is no sample, expected one or more");
    if (count > CT_MAX_SAMPLES) return ct_fail(error, CT_BAD_VALUE, "%zu samples, expected at most %d", count, CT_MAX_SAMPLES);
    ct_blend_space *space = ct_allocate(allocator, 1, sizeof *space);
    if (!space) return ct_fail_memory(error, "a blend space");
    space->allocator = *allocator;
    space->kernels = kernels;
    space->method = method;
    space->dimensions = method == CT_LINEAR ? 1 : 2;
    space->sample_count = count;
    ct_status status = make(space, points, error);
    if (status == CT_OK)
        *out = space;
    else
        ct_blend_space_destroy(space);
    return status;
}

// -------------------------------------------------------------------------------------------------------------------------- queries

// A query as far away as doubles go stays where its products are finite.
static ct_vector read_query(const ct_blend_space *space, const double *q)
{
    double x = fabs(q[0]), y = fabs(q[1]), largest = x > y ? x : y;
    if (largest > space->far) return (ct_vector){q[0] / largest * CT_BAND_FAR, q[1] / largest * CT_BAND_FAR, 0};
    return (ct_vector){q[0] * space->scale, q[1] * space->scale, 0};
}

static void weigh(const ct_blend_space *space, size_t count, const double *points, double *weights)
{
    const ct_blend_space_kernels *kernels = &space->kernels->blend_space;
    if (space->method == CT_GRADIENT_BAND || space->method == CT_GRADIENT_BAND_POLAR) {
        (space->method == CT_GRADIENT_BAND ? kernels->gradient_band : kernels->gradient_band_polar)(&space->band, count, points, weights);
        return;
    }
    memset(weights, 0, count * space->sample_count * sizeof *weights);
    for (; count > 0; --count, points += space->dimensions, weights += space->sample_count) {
        if (space->method == CT_LINEAR)
            ct_blend_line_add_weights(&space->lines[0], points[0] * space->scale, 1, weights);
        else if (space->method == CT_TWO_1D)
            weigh_on_two_lines(space, read_query(space, points), weights);
        else
            ct_blend_triangles_weigh(&space->triangles, read_query(space, points), weights);
    }
}

typedef struct job {
    const ct_blend_space *space;
    size_t count;
    const double *points;
    double *weights;
} job;

static void weigh_block(void *context, size_t worker, size_t block)
{
    (void)worker;
    const job *j = context;
    size_t first = block * BLOCK, left = j->count - first;
    weigh(j->space, left < BLOCK ? left : BLOCK, j->points + first * j->space->dimensions, j->weights + first * j->space->sample_count);
}

ct_status ct_blend_space_weights(const ct_blend_space *space, size_t count, const double *points, const ct_interrupt *interrupt,
                                 double *weights)
{
    job j = {space, count, points, weights};
    return count == 0 ? CT_OK : ct_parallel(1, (count - 1) / BLOCK + 1, weigh_block, &j, interrupt);
}

void ct_blend_space_weights_at(const ct_blend_space *space, const double *point, double *weights) { weigh(space, 1, point, weights); }
