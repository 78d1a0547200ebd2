#include "delaunay.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct triangulation {
    const ct_grid_point *points;
    int32_t (*triangles)[3];
    int32_t *hull; // counterclockwise; room for the next one behind it
    size_t count, triangle_count, hull_count;
} triangulation;

// Twice the area of a b c; positive when counterclockwise. Exact.
static int64_t area(const ct_grid_point *p, int32_t a, int32_t b, int32_t c)
{
    return (p[b].x - p[a].x) * (p[c].y - p[a].y) - (p[b].y - p[a].y) * (p[c].x - p[a].x);
}

static int64_t dot(const ct_grid_point *p, int32_t corner, int32_t a, int32_t b)
{
    return (p[a].x - p[corner].x) * (p[b].x - p[corner].x) + (p[a].y - p[corner].y) * (p[b].y - p[corner].y);
}

static bool comes_before(ct_grid_point a, ct_grid_point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

static void sort(size_t count, const ct_grid_point *points, int32_t *order)
{
    for (size_t i = 0; i < count; ++i) {
        size_t at = i;
        for (; at > 0 && comes_before(points[i], points[order[at - 1]]); --at) order[at] = order[at - 1];
        order[at] = (int32_t)i;
    }
}

static void add_triangle(triangulation *t, int32_t a, int32_t b, int32_t c)
{
    int32_t *corners = t->triangles[t->triangle_count++];
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

// A fan from the first point that is not on the line of those before it. Returns how many points are done with: all, without a triangle,
// when there is no such point.
static size_t start(triangulation *t, const int32_t *order)
{
    size_t line = 2;
    while (line < t->count && area(t->points, order[0], order[1], order[line]) == 0) ++line;
    if (line >= t->count) return t->count;

    int32_t apex = order[line];
    bool left = area(t->points, order[0], order[1], apex) > 0;
    for (size_t i = 0; i < line; ++i) t->hull[i] = left ? order[i] : order[line - 1 - i];
    for (size_t i = 0; i + 1 < line; ++i) add_triangle(t, t->hull[i], t->hull[i + 1], apex);
    t->hull[line] = apex;
    t->hull_count = line + 1;
    return line + 1;
}

// Joins a point to the right of all others to the edges of the hull that it sees, which are neighbours of each other.
static void add_point(triangulation *t, int32_t point)
{
    size_t n = t->hull_count, first = 0, seen = 0;
    for (size_t i = 0; i < n; ++i) {
        int32_t a = t->hull[i], b = t->hull[(i + 1) % n], before = t->hull[(i + n - 1) % n];
        if (area(t->points, a, b, point) >= 0) continue;
        add_triangle(t, a, point, b);
        ++seen;
        if (area(t->points, before, a, point) >= 0) first = i;
    }
    // The hull goes on from the end of the last edge seen, round to the beginning of the first, and over the point.
    size_t kept = n - seen + 1;
    int32_t *next = t->hull + t->count;
    for (size_t i = 0; i < kept; ++i) next[i] = t->hull[(first + seen + i) % n];
    next[kept] = point;
    t->hull_count = kept + 1;
    memcpy(t->hull, next, t->hull_count * sizeof *next);
}

// Are the corners that face an edge from both sides together more than half a turn? By their sine, with a margin above rounding, so that
// an edge never turns back and forth.
static bool is_too_flat(const ct_grid_point *p, int32_t a, int32_t b, int32_t one, int32_t other)
{
    const double margin = 1e-12;
    double sine_1 = (double)area(p, one, a, b), cosine_1 = (double)dot(p, one, a, b);
    double sine_2 = (double)area(p, other, b, a), cosine_2 = (double)dot(p, other, a, b);
    double size = sqrt(sine_1 * sine_1 + cosine_1 * cosine_1) * sqrt(sine_2 * sine_2 + cosine_2 * cosine_2);
    return sine_1 * cosine_2 + cosine_1 * sine_2 < -margin * size;
}

// The triangle on the other side of the edge from a to b, and the number of its corner that faces it; false at the hull.
static bool find_neighbour(const triangulation *t, int32_t a, int32_t b, size_t *triangle, int *corner)
{
    for (size_t i = 0; i < t->triangle_count; ++i) {
        const int32_t *c = t->triangles[i];
        for (int k = 0; k < 3; ++k) {
            if (c[k] != b || c[(k + 1) % 3] != a) continue;
            *triangle = i;
            *corner = (k + 2) % 3;
            return true;
        }
    }
    return false;
}

// C. L. Lawson, Software for C1 surface interpolation (1977): turn edges until none is too flat. Returns whether one was turned.
static bool turn_edges(triangulation *t)
{
    bool turned = false;
    for (size_t i = 0; i < t->triangle_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            int32_t *mine = t->triangles[i];
            int32_t apex = mine[k], a = mine[(k + 1) % 3], b = mine[(k + 2) % 3];
            size_t neighbour;
            int corner;
            if (!find_neighbour(t, a, b, &neighbour, &corner)) continue;
            int32_t *its = t->triangles[neighbour], other = its[corner];
            if (!is_too_flat(t->points, a, b, apex, other)) continue;
            memcpy(mine, (int32_t[3]){apex, a, other}, sizeof *t->triangles);
            memcpy(its, (int32_t[3]){apex, other, b}, sizeof *t->triangles);
            turned = true;
        }
    }
    return turned;
}

size_t ct_delaunay(size_t count, const ct_grid_point *points, int32_t *order, int32_t *hull, int32_t (*triangles)[3])
{
    triangulation t = {points, triangles, hull, count, 0, 0};
    sort(count, points, order);
    for (size_t i = start(&t, order); i < count; ++i) add_point(&t, order[i]);
    while (turn_edges(&t)) {
    }
    return t.triangle_count;
}
