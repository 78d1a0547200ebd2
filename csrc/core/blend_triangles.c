#include "blend_triangles.h"

#include <math.h>
#include <string.h>

#include "delaunay.h"

static ct_vector at(const ct_blend_triangles *t, int32_t sample)
{
    return (ct_vector){t->points[2 * sample], t->points[2 * sample + 1], 0};
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

static bool is_edge(const ct_blend_triangles *t, int32_t a, int32_t b, size_t *place)
{
    for (size_t i = 0; i < t->edge_count; ++i) {
        if (t->edges[i][0] != a || t->edges[i][1] != b) continue;
        *place = i;
        return true;
    }
    return false;
}

static void add_edge(ct_blend_triangles *t, int32_t a, int32_t b)
{
    t->edges[t->edge_count][0] = a;
    t->edges[t->edge_count++][1] = b;
}

// Edges that no triangle has the other way round.
static void find_edges(ct_blend_triangles *t)
{
    for (size_t i = 0; i < t->triangle_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            int32_t a = t->triangles[i][k], b = t->triangles[i][(k + 1) % 3];
            bool shared = false;
            for (size_t j = 0; j < t->triangle_count && !shared; ++j) {
                const int32_t *c = t->triangles[j];
                shared = (c[0] == b && c[1] == a) || (c[1] == b && c[2] == a) || (c[2] == b && c[0] == a);
            }
            if (!shared) add_edge(t, a, b);
        }
    }
}

// Takes away a triangle at the hull that is a line but for rounding; its other sides become edges. Returns whether there was one.
static bool peel(ct_blend_triangles *t, double thinnest)
{
    for (size_t i = 0; i < t->triangle_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            int32_t a = t->triangles[i][k], b = t->triangles[i][(k + 1) % 3], c = t->triangles[i][(k + 2) % 3];
            size_t edge;
            double length = distance(at(t, a), at(t, b));
            if (!is_edge(t, a, b, &edge) || cross(at(t, a), at(t, b), at(t, c)) > thinnest * length) continue;
            if (distance(at(t, a), at(t, c)) > length || distance(at(t, b), at(t, c)) > length) continue;
            t->edges[edge][1] = c;
            add_edge(t, c, b);
            --t->triangle_count;
            memmove(t->triangles + i, t->triangles + i + 1, (t->triangle_count - i) * sizeof *t->triangles);
            return true;
        }
    }
    return false;
}

static void put_on_grid(const ct_blend_triangles *t, ct_grid_point *grid)
{
    const double *p = t->points;
    double low_x = p[0], low_y = p[1], extent = 0;
    for (size_t i = 0; i < t->sample_count; ++i) {
        low_x = fmin(low_x, p[2 * i]);
        low_y = fmin(low_y, p[2 * i + 1]);
    }
    for (size_t i = 0; i < t->sample_count; ++i) extent = fmax(extent, fmax(p[2 * i] - low_x, p[2 * i + 1] - low_y));
    for (size_t i = 0; i < t->sample_count && extent > 0; ++i) {
        grid[i].x = llround((p[2 * i] - low_x) / extent * CT_GRID_SIZE);
        grid[i].y = llround((p[2 * i + 1] - low_y) / extent * CT_GRID_SIZE);
    }
}

ct_status ct_blend_triangles_make(const ct_allocator *allocator, size_t count, const double *points, ct_blend_triangles *out,
                                  ct_error *error)
{
    ct_blend_triangles *t = out;
    t->sample_count = count;
    t->points = points;
    const double thinnest = 1e-8; // height of a triangle; the grid is finer and samples are farther apart
    t->triangles = ct_allocate(allocator, 2 * count, sizeof *t->triangles);
    t->edges = ct_allocate(allocator, 3 * count, sizeof *t->edges);
    ct_grid_point *grid = ct_allocate(allocator, count, sizeof *grid);
    int32_t *scratch = ct_allocate(allocator, 3 * count + 1, sizeof *scratch);
    bool made = t->triangles && t->edges && grid && scratch;
    if (made) {
        put_on_grid(t, grid);
        t->triangle_count = ct_delaunay(count, grid, scratch, scratch + count, t->triangles);
        find_edges(t);
        while (peel(t, thinnest)) {
        }
        // On one line: from one sample to the next.
        if (t->edge_count == 0) {
            for (size_t i = 0; i + 1 < count; ++i) add_edge(t, scratch[i], scratch[i + 1]);
        }
    }
    ct_release(allocator, grid);
    ct_release(allocator, scratch);
    return made ? CT_OK : ct_fail_memory(error, "a blend space");
}

// Weights in the triangle that holds p, or almost: each is the area that p makes with the side opposite, which at the corners is exactly 0
// for the other two.
static bool weigh_in_triangle(const ct_blend_triangles *t, ct_vector p, double *row)
{
    const double tolerance = -1e-9;
    size_t best = 0;
    double least_of_best = -1, best_areas[3] = {0};
    for (size_t i = 0; i < t->triangle_count && least_of_best < 0; ++i) {
        const int32_t *corner = t->triangles[i];
        ct_vector a = at(t, corner[0]), b = at(t, corner[1]), c = at(t, corner[2]);
        double areas[3] = {cross(b, c, p), cross(c, a, p), cross(a, b, p)}, whole = cross(a, b, c);
        double least = fmin(fmin(areas[0], areas[1]), areas[2]) / whole;
        if (i > 0 && least <= least_of_best) continue;
        best = i;
        least_of_best = least;
        memcpy(best_areas, areas, sizeof areas);
    }
    if (t->triangle_count == 0 || least_of_best < tolerance) return false;
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += fmax(best_areas[k], 0);
    for (int k = 0; k < 3; ++k) row[t->triangles[best][k]] = fmax(best_areas[k], 0) / sum;
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
static void weigh_on_hull(const ct_blend_triangles *t, ct_vector p, double *row)
{
    const int32_t *best = NULL;
    double nearest = INFINITY;
    for (size_t i = 0; i < t->edge_count; ++i) {
        ct_vector a = at(t, t->edges[i][0]), b = at(t, t->edges[i][1]);
        double share = foot(a, b, p), side = cross(a, b, p), away = fabs(side) / distance(a, b);
        bool is_outside = side < 0 || t->triangle_count == 0;
        if (!is_outside || share < 0 || share > 1 || away >= nearest) continue;
        best = t->edges[i];
        nearest = away;
    }
    if (best) {
        double share = foot(at(t, best[0]), at(t, best[1]), p);
        row[best[0]] = 1 - share;
        row[best[1]] = share;
        return;
    }
    int32_t corner = 0;
    for (int32_t i = 1; i < (int32_t)t->sample_count; ++i) {
        if (foot(at(t, corner), at(t, i), p) > 0.5) corner = i;
    }
    row[corner] = 1;
}

void ct_blend_triangles_weigh(const ct_blend_triangles *t, ct_vector p, double *row)
{
    if (!weigh_in_triangle(t, p, row)) weigh_on_hull(t, p, row);
}

void ct_blend_triangles_release(const ct_allocator *allocator, ct_blend_triangles *t)
{
    ct_release(allocator, t->triangles);
    ct_release(allocator, t->edges);
}
