#include "blend_space.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "delaunay.h"
#include "layout.h"
#include "vector.h"

enum { BLOCK = 4096 }; // queries between two looks at whether to stop

static const double PI = 3.14159265358979323846;

static double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

// Half the length of the span of one coordinate of points, which never overflows.
static double half_span(size_t count, const double *numbers, size_t stride)
{
    double low = numbers[0], high = numbers[0];
    for (size_t i = 1; i < count; ++i) {
        low = fmin(low, numbers[i * stride]);
        high = fmax(high, numbers[i * stride]);
    }
    return 0.5 * high - 0.5 * low;
}

static double scale_of(double half_extent)
{
    int exponent = 0;
    frexp(half_extent, &exponent);
    return half_extent > 0 ? ldexp(1, -(int)clamp(exponent, -1000, 1000)) : 1;
}

static ct_status check_count(size_t count, ct_error *error)
{
    if (count == 0) return ct_fail(error, CT_BAD_VALUE, "there is no sample, expected one or more");
    if (count <= CT_MAX_SAMPLES) return CT_OK;
    return ct_fail(error, CT_BAD_VALUE, "%zu samples, expected at most %d", count, CT_MAX_SAMPLES);
}

static ct_status fail_near(size_t one, size_t other, ct_error *error)
{
    return ct_fail(error, CT_BAD_VALUE,
                   "samples %zu and %zu are at the same place, or nearer than a ten-millionth of the extent; give each place one sample",
                   one < other ? one : other, one < other ? other : one);
}

// ------------------------------------------------------------------------------------------------------------------------- lines

static bool allocate_line(const ct_allocator *allocator, size_t count, ct_blend_line *line)
{
    line->positions = ct_allocate(allocator, count, sizeof *line->positions);
    line->samples = ct_allocate(allocator, count, sizeof *line->samples);
    return line->positions && line->samples;
}

static void release_line(const ct_allocator *allocator, ct_blend_line *line)
{
    ct_release(allocator, line->positions);
    ct_release(allocator, line->samples);
}

static void put_on_line(ct_blend_line *line, double position, size_t sample)
{
    size_t at = line->count++;
    for (; at > 0 && position < line->positions[at - 1]; --at) {
        line->positions[at] = line->positions[at - 1];
        line->samples[at] = line->samples[at - 1];
    }
    line->positions[at] = position;
    line->samples[at] = sample;
}

// Adds `part` times the weights on a line to a row.
static void add_line_weights(const ct_blend_line *line, double x, double part, double *row)
{
    size_t above = 0;
    while (above < line->count && line->positions[above] <= x) ++above;
    if (above == 0 || above == line->count) {
        row[line->samples[above == 0 ? 0 : above - 1]] += part;
        return;
    }
    double low = line->positions[above - 1], share = (x - low) / (line->positions[above] - low);
    row[line->samples[above - 1]] += part * (1 - share);
    row[line->samples[above]] += part * share;
}

void ct_blend_space_1d_destroy(ct_blend_space_1d *space)
{
    if (!space) return;
    ct_allocator allocator = space->allocator;
    ct_release(&allocator, space->positions);
    release_line(&allocator, &space->line);
    ct_release(&allocator, space);
}

ct_status ct_blend_space_1d_create(const ct_allocator *allocator, size_t count, const double *positions, ct_blend_space_1d **out,
                                   ct_error *error)
{
    ct_status status = check_count(count, error);
    if (status != CT_OK) return status;
    ct_blend_space_1d *space = ct_allocate(allocator, 1, sizeof *space);
    if (!space) return ct_fail_memory(error, "a blend space");
    space->allocator = *allocator;
    space->sample_count = count;
    space->positions = ct_allocate(allocator, count, sizeof *positions);
    if (!space->positions || !allocate_line(allocator, count, &space->line)) {
        ct_blend_space_1d_destroy(space);
        return ct_fail_memory(error, "a blend space");
    }
    memcpy(space->positions, positions, count * sizeof *positions);
    double half = half_span(count, positions, 1);
    space->scale = scale_of(half);
    for (size_t i = 0; i < count; ++i) put_on_line(&space->line, positions[i] * space->scale, i);
    for (size_t i = 1; i < count; ++i) {
        if (space->line.positions[i] - space->line.positions[i - 1] > 2 * (half * space->scale) * CT_SAMPLE_DISTANCE) continue;
        status = fail_near(space->line.samples[i - 1], space->line.samples[i], error);
        ct_blend_space_1d_destroy(space);
        return status;
    }
    *out = space;
    return CT_OK;
}

// ------------------------------------------------------------------------------------------------------------------------ bands

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
    ct_band_pair pair = {.radial = length / m / square * never_less, .angular = 4 * apart / square * never_less};
    pair.sign = angle < 0 ? -1 : 1;
    if (apart > 0) { // behind both, from the angle opposite of `to` to the one opposite of `from`, by a straight line
        pair.slope = -(2 * PI - apart) / apart;
        pair.start = -(PI - apart) * 2 * PI / apart;
    }
    return pair;
}

static ct_status make_band(ct_blend_space_2d *space, ct_error *error)
{
    size_t count = space->sample_count, padded = (count + CT_LANES - 1) / CT_LANES * CT_LANES;
    ct_band_sample *samples = ct_allocate(&space->allocator, count, sizeof *samples);
    space->band.samples = samples;
    ct_band_pair *pairs = ct_allocate(&space->allocator, count * (count - 1), sizeof *pairs);
    space->band.pairs = pairs;
    double *angles = ct_allocate(&space->allocator, padded * 3, sizeof *angles);
    if (!samples || !pairs || !angles) {
        ct_release(&space->allocator, angles);
        return ct_fail_memory(error, "a blend space");
    }

    for (size_t i = 0; i < count; ++i) {
        angles[i] = space->scaled[2 * i + 1];
        angles[padded + i] = space->scaled[2 * i];
    }
    // The same bits as the angles of queries.
    const double *in[2] = {angles, angles + padded};
    double *result[1] = {angles + 2 * padded};
    space->kernels->elementary.f64[CT_ELEMENTARY_atan2](padded, in, result);

    double least = INFINITY, extent = 0;
    for (size_t i = 0; i < count; ++i) {
        double x = space->scaled[2 * i], y = space->scaled[2 * i + 1];
        samples[i] = (ct_band_sample){x, y, sqrt(x * x + y * y), result[0][i]};
        least = fmin(least, samples[i].radius);
        extent = fmax(extent, samples[i].radius);
    }
    double origin = extent * CT_SAMPLE_DISTANCE;
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = 0; j < count; ++j) {
            if (i == j) continue;
            *pairs++ =
                space->method == CT_GRADIENT_BAND ? cartesian_pair(samples + i, samples + j) : polar_pair(samples + i, samples + j, origin);
        }
    }
    ct_release(&space->allocator, angles);
    space->band.sample_count = count;
    space->band.scale = space->scale;
    space->band.far = CT_BAND_FAR / space->scale;
    space->band.core = least > origin ? 0.1 * least : 0;
    return CT_OK;
}

// --------------------------------------------------------------------------------------------------------------------- triangles

static ct_vector at(const ct_blend_space_2d *space, int32_t sample)
{
    return (ct_vector){space->scaled[2 * sample], space->scaled[2 * sample + 1], 0};
}

static double cross(ct_vector origin, ct_vector a, ct_vector b)
{
    return (a.x - origin.x) * (b.y - origin.y) - (a.y - origin.y) * (b.x - origin.x);
}

static double distance(ct_vector a, ct_vector b)
{
    double x = a.x - b.x, y = a.y - b.y;
    return sqrt(x * x + y * y);
}

static bool is_edge(const ct_blend_space_2d *space, int32_t a, int32_t b, size_t *place)
{
    for (size_t i = 0; i < space->edge_count; ++i) {
        if (space->edges[i][0] != a || space->edges[i][1] != b) continue;
        *place = i;
        return true;
    }
    return false;
}

static void add_edge(ct_blend_space_2d *space, int32_t a, int32_t b)
{
    space->edges[space->edge_count][0] = a;
    space->edges[space->edge_count++][1] = b;
}

// Edges that no triangle has the other way round.
static void find_edges(ct_blend_space_2d *space)
{
    for (size_t i = 0; i < space->triangle_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            int32_t a = space->triangles[i][k], b = space->triangles[i][(k + 1) % 3];
            bool shared = false;
            for (size_t j = 0; j < space->triangle_count && !shared; ++j) {
                const int32_t *c = space->triangles[j];
                shared = (c[0] == b && c[1] == a) || (c[1] == b && c[2] == a) || (c[2] == b && c[0] == a);
            }
            if (!shared) add_edge(space, a, b);
        }
    }
}

// Takes away a triangle at the hull that is a line but for rounding; its other sides become edges. Returns whether there was one.
static bool peel(ct_blend_space_2d *space, double thinnest)
{
    for (size_t i = 0; i < space->triangle_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            int32_t a = space->triangles[i][k], b = space->triangles[i][(k + 1) % 3], c = space->triangles[i][(k + 2) % 3];
            size_t edge;
            double length = distance(at(space, a), at(space, b));
            if (!is_edge(space, a, b, &edge) || cross(at(space, a), at(space, b), at(space, c)) > thinnest * length) continue;
            if (distance(at(space, a), at(space, c)) > length || distance(at(space, b), at(space, c)) > length) continue;
            space->edges[edge][1] = c;
            add_edge(space, c, b);
            --space->triangle_count;
            memmove(space->triangles + i, space->triangles + i + 1, (space->triangle_count - i) * sizeof *space->triangles);
            return true;
        }
    }
    return false;
}

static void put_on_grid(const ct_blend_space_2d *space, ct_grid_point *grid)
{
    const double *p = space->scaled;
    double low_x = p[0], low_y = p[1], extent = 0;
    for (size_t i = 0; i < space->sample_count; ++i) {
        low_x = fmin(low_x, p[2 * i]);
        low_y = fmin(low_y, p[2 * i + 1]);
    }
    for (size_t i = 0; i < space->sample_count; ++i) extent = fmax(extent, fmax(p[2 * i] - low_x, p[2 * i + 1] - low_y));
    for (size_t i = 0; i < space->sample_count && extent > 0; ++i) {
        grid[i].x = llround((p[2 * i] - low_x) / extent * CT_GRID_SIZE);
        grid[i].y = llround((p[2 * i + 1] - low_y) / extent * CT_GRID_SIZE);
    }
}

static ct_status make_triangles(ct_blend_space_2d *space, ct_error *error)
{
    const double thinnest = 1e-8; // height of a triangle; the grid is finer and samples are farther apart
    size_t count = space->sample_count;
    const ct_allocator *allocator = &space->allocator;
    space->triangles = ct_allocate(allocator, 2 * count, sizeof *space->triangles);
    space->edges = ct_allocate(allocator, 3 * count, sizeof *space->edges);
    ct_grid_point *grid = ct_allocate(allocator, count, sizeof *grid);
    int32_t *scratch = ct_allocate(allocator, 3 * count + 1, sizeof *scratch);
    bool made = space->triangles && space->edges && grid && scratch;
    if (made) {
        put_on_grid(space, grid);
        space->triangle_count = ct_delaunay(count, grid, scratch, scratch + count, space->triangles);
        find_edges(space);
        while (peel(space, thinnest)) {
        }
        // On one line: from one sample to the next.
        if (space->edge_count == 0) {
            for (size_t i = 0; i + 1 < count; ++i) add_edge(space, scratch[i], scratch[i + 1]);
        }
    }
    ct_release(allocator, grid);
    ct_release(allocator, scratch);
    return made ? CT_OK : ct_fail_memory(error, "a blend space");
}

// Weights in the triangle that holds p, or almost: each is the area that p makes with the side opposite, which at the corners is exactly 0
// for the other two.
static bool weigh_in_triangle(const ct_blend_space_2d *space, ct_vector p, double *row)
{
    const double tolerance = -1e-9;
    size_t best = 0;
    double least_of_best = -1, best_areas[3] = {0};
    for (size_t i = 0; i < space->triangle_count && least_of_best < 0; ++i) {
        const int32_t *corner = space->triangles[i];
        ct_vector a = at(space, corner[0]), b = at(space, corner[1]), c = at(space, corner[2]);
        double areas[3] = {cross(b, c, p), cross(c, a, p), cross(a, b, p)}, whole = cross(a, b, c);
        double least = fmin(fmin(areas[0], areas[1]), areas[2]) / whole;
        if (i > 0 && least <= least_of_best) continue;
        best = i;
        least_of_best = least;
        memcpy(best_areas, areas, sizeof areas);
    }
    if (space->triangle_count == 0 || least_of_best < tolerance) return false;
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += fmax(best_areas[k], 0);
    for (int k = 0; k < 3; ++k) row[space->triangles[best][k]] = fmax(best_areas[k], 0) / sum;
    return true;
}

// Where the foot of p on the line from a to b is: 0 at a, 1 at b.
static double foot(ct_vector a, ct_vector b, ct_vector p)
{
    double x = b.x - a.x, y = b.y - a.y;
    return ((p.x - a.x) * x + (p.y - a.y) * y) / (x * x + y * y);
}

// Weights at the place on the hull that is nearest to p, which lies outside. Distances from far away are equal but for rounding, so it is
// told by feet on lines.
static void weigh_on_hull(const ct_blend_space_2d *space, ct_vector p, double *row)
{
    const int32_t *best = NULL;
    double nearest = INFINITY;
    for (size_t i = 0; i < space->edge_count; ++i) {
        ct_vector a = at(space, space->edges[i][0]), b = at(space, space->edges[i][1]);
        double share = foot(a, b, p), side = cross(a, b, p), away = fabs(side) / distance(a, b);
        bool is_outside = side < 0 || space->triangle_count == 0;
        if (!is_outside || share < 0 || share > 1 || away >= nearest) continue;
        best = space->edges[i];
        nearest = away;
    }
    if (best) {
        double share = foot(at(space, best[0]), at(space, best[1]), p);
        row[best[0]] = 1 - share;
        row[best[1]] = share;
        return;
    }
    int32_t corner = 0;
    for (int32_t i = 1; i < (int32_t)space->sample_count; ++i) {
        if (foot(at(space, corner), at(space, i), p) > 0.5) corner = i;
    }
    row[corner] = 1;
}

static void weigh_delaunay(const ct_blend_space_2d *space, ct_vector p, double *row)
{
    if (!weigh_in_triangle(space, p, row)) weigh_on_hull(space, p, row);
}

// ------------------------------------------------------------------------------------------------------------------ two lines

static ct_status make_lines(ct_blend_space_2d *space, double extent, ct_error *error)
{
    size_t count = space->sample_count;
    if (!allocate_line(&space->allocator, count, &space->lines[0]) || !allocate_line(&space->allocator, count, &space->lines[1]))
        return ct_fail_memory(error, "a blend space");

    double near = extent * CT_SAMPLE_DISTANCE;
    bool found = false;
    for (size_t i = 0; i < count; ++i) {
        double x = space->scaled[2 * i], y = space->scaled[2 * i + 1];
        bool on_x = fabs(y) <= near, on_y = fabs(x) <= near;
        if (!on_x && !on_y) {
            return ct_fail(error, CT_BAD_VALUE,
                           "sample %zu is on neither axis, and two_1d is for samples in the shape of a cross: x or y of each is 0", i);
        }
        if (on_x) put_on_line(&space->lines[0], x, i);
        if (on_y) put_on_line(&space->lines[1], y, i);
        if (on_x && on_y) {
            space->origin = i;
            found = true;
        }
    }
    if (found) return CT_OK;
    return ct_fail(error, CT_BAD_VALUE, "no sample is at (0, 0), and two_1d needs one there, where its two lines meet");
}

static void weigh_two_lines(const ct_blend_space_2d *space, ct_vector p, double *row)
{
    double x = fabs(p.x), y = fabs(p.y), sum = x + y;
    if (sum == 0) {
        row[space->origin] = 1;
        return;
    }
    add_line_weights(&space->lines[0], p.x, x / sum, row);
    add_line_weights(&space->lines[1], p.y, y / sum, row);
}

// ---------------------------------------------------------------------------------------------------------------------- the plane

void ct_blend_space_2d_destroy(ct_blend_space_2d *space)
{
    if (!space) return;
    ct_allocator allocator = space->allocator;
    ct_release(&allocator, space->points);
    ct_release(&allocator, space->scaled);
    ct_release(&allocator, (void *)space->band.samples);
    ct_release(&allocator, (void *)space->band.pairs);
    for (int i = 0; i < 2; ++i) release_line(&allocator, &space->lines[i]);
    ct_release(&allocator, space->triangles);
    ct_release(&allocator, space->edges);
    ct_release(&allocator, space);
}

static ct_status check_distances(const ct_blend_space_2d *space, double extent, ct_error *error)
{
    for (size_t i = 0; i < space->sample_count; ++i) {
        for (size_t j = 0; j < i; ++j) {
            if (distance(at(space, (int32_t)i), at(space, (int32_t)j)) <= extent * CT_SAMPLE_DISTANCE) return fail_near(i, j, error);
        }
    }
    return CT_OK;
}

static ct_status make(ct_blend_space_2d *space, const double *points, ct_error *error)
{
    size_t count = space->sample_count;
    space->points = ct_allocate(&space->allocator, 2 * count, sizeof *points);
    space->scaled = ct_allocate(&space->allocator, 2 * count, sizeof *points);
    if (!space->points || !space->scaled) return ct_fail_memory(error, "a blend space");
    memcpy(space->points, points, 2 * count * sizeof *points);
    double half = fmax(half_span(count, points, 2), half_span(count, points + 1, 2));
    space->scale = scale_of(half);
    for (size_t i = 0; i < 2 * count; ++i) space->scaled[i] = points[i] * space->scale;

    double extent = 2 * (half * space->scale);
    ct_status status = check_distances(space, extent, error);
    if (status != CT_OK) return status;
    switch (space->method) {
    case CT_DELAUNAY: return make_triangles(space, error);
    case CT_TWO_1D: return make_lines(space, extent, error);
    default: return make_band(space, error);
    }
}

ct_status ct_blend_space_2d_create(const ct_allocator *allocator, const ct_kernels *kernels, ct_blend_method method, size_t count,
                                   const double *points, ct_blend_space_2d **out, ct_error *error)
{
    assert((unsigned)method < CT_BLEND_METHOD_COUNT);
    ct_status status = check_count(count, error);
    if (status != CT_OK) return status;
    ct_blend_space_2d *space = ct_allocate(allocator, 1, sizeof *space);
    if (!space) return ct_fail_memory(error, "a blend space");
    space->allocator = *allocator;
    space->kernels = kernels;
    space->method = method;
    space->sample_count = count;
    status = make(space, points, error);
    if (status == CT_OK)
        *out = space;
    else
        ct_blend_space_2d_destroy(space);
    return status;
}

// ------------------------------------------------------------------------------------------------------------------------ queries

typedef struct job {
    const ct_blend_space_1d *line; // one of these two
    const ct_blend_space_2d *plane;
    size_t count;
    const double *queries;
    double *weights;
} job;

// A query as far away as doubles go stays where its products are finite.
static ct_vector read_query(const ct_blend_space_2d *space, const double *q)
{
    double largest = fmax(fabs(q[0]), fabs(q[1])), far = CT_BAND_FAR / space->scale;
    if (largest > far) return (ct_vector){q[0] / largest * CT_BAND_FAR, q[1] / largest * CT_BAND_FAR, 0};
    return (ct_vector){q[0] * space->scale, q[1] * space->scale, 0};
}

static void weigh_on_line(const ct_blend_space_1d *space, size_t count, const double *queries, double *rows)
{
    memset(rows, 0, count * space->sample_count * sizeof *rows);
    for (size_t i = 0; i < count; ++i) add_line_weights(&space->line, queries[i] * space->scale, 1, rows + i * space->sample_count);
}

static void weigh_on_plane(const ct_blend_space_2d *space, size_t count, const double *queries, double *rows)
{
    const ct_blend_space_kernels *kernels = &space->kernels->blend_space;
    if (space->method == CT_GRADIENT_BAND) {
        kernels->gradient_band(&space->band, count, queries, rows);
    } else if (space->method == CT_GRADIENT_BAND_POLAR) {
        kernels->gradient_band_polar(&space->band, count, queries, rows);
    } else {
        memset(rows, 0, count * space->sample_count * sizeof *rows);
        for (size_t i = 0; i < count; ++i) {
            (space->method == CT_DELAUNAY ? weigh_delaunay : weigh_two_lines)(space, read_query(space, queries + 2 * i),
                                                                              rows + i * space->sample_count);
        }
    }
}

static void weigh_block(void *context, size_t worker, size_t block)
{
    (void)worker;
    const job *j = context;
    size_t first = block * BLOCK, left = j->count - first, count = left < BLOCK ? left : BLOCK;
    if (j->line)
        weigh_on_line(j->line, count, j->queries + first, j->weights + first * j->line->sample_count);
    else
        weigh_on_plane(j->plane, count, j->queries + 2 * first, j->weights + first * j->plane->sample_count);
}

static ct_status weigh(job j, const ct_interrupt *interrupt)
{
    return j.count == 0 ? CT_OK : ct_parallel(1, (j.count - 1) / BLOCK + 1, weigh_block, &j, interrupt);
}

ct_status ct_blend_space_1d_weights(const ct_blend_space_1d *space, size_t count, const double *x, const ct_interrupt *interrupt,
                                    double *weights)
{
    return weigh((job){space, NULL, count, x, weights}, interrupt);
}

ct_status ct_blend_space_2d_weights(const ct_blend_space_2d *space, size_t count, const double *points, const ct_interrupt *interrupt,
                                    double *weights)
{
    return weigh((job){NULL, space, count, points, weights}, interrupt);
}
