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

static void make_mesh(ct_blend_triangles *t, ct_grid_point *grid, int32_t *scratch)
{
    const double thinnest = 1e-8; // height of a triangle; the grid is finer and samples are farther apart
    size_t count = t->sample_count;
    put_on_grid(t, grid);
    t->triangle_count = ct_delaunay(count, grid, scratch, scratch + count, t->triangles);
    find_edges(t);
    while (peel(t, thinnest)) {
    }
    if (t->edge_count > 0) return;
    for (size_t i = 0; i + 1 < count; ++i) add_edge(t, scratch[i], scratch[i + 1]); // on one line: from one sample to the next
}

// ---------------------------------------------------------------------------------------------------------------------------- cells

// Samples and whatever lies on the sides of triangles but for rounding are well within the cells of those triangles.
static const double CELL_MARGIN = 1e-6;

static void place_cells(const ct_blend_triangles *t, ct_triangle_cells *cells)
{
    cells->side = (size_t)ceil(6 * sqrt((double)t->triangle_count)); // most cells are inside one triangle
    for (size_t axis = 0; axis < 2; ++axis) {
        double low = t->points[axis], high = low;
        for (size_t i = 1; i < t->sample_count; ++i) {
            low = fmin(low, t->points[2 * i + axis]);
            high = fmax(high, t->points[2 * i + axis]);
        }
        cells->low[axis] = low - CELL_MARGIN;
        cells->per_unit[axis] = (double)cells->side / (high - low + 2 * CELL_MARGIN);
    }
}

// Does a triangle reach into a box that is not beside the box around it? It does unless the box is beyond one of its sides.
static bool reaches(const ct_blend_triangles *t, const int32_t *corners, ct_vector low, ct_vector high)
{
    for (int k = 0; k < 3; ++k) {
        ct_vector a = at(t, corners[k]), b = at(t, corners[(k + 1) % 3]);
        ct_vector inmost = {b.y > a.y ? low.x : high.x, b.x > a.x ? high.y : low.y, 0};
        if (cross(a, b, inmost) < 0) return false;
    }
    return true;
}

static size_t cell_along(const ct_triangle_cells *cells, int axis, double x)
{
    double cell = (x - cells->low[axis]) * cells->per_unit[axis];
    return cell < 0 ? 0 : cell < (double)cells->side ? (size_t)cell : cells->side - 1;
}

// Calls visit(cells, cell, triangle) for each cell that each triangle reaches into.
static void visit_cells(const ct_blend_triangles *t, ct_triangle_cells *cells, void (*visit)(ct_triangle_cells *, size_t, int32_t))
{
    const double margin = CELL_MARGIN;
    for (size_t i = 0; i < t->triangle_count; ++i) {
        ct_vector a = at(t, t->triangles[i][0]), b = at(t, t->triangles[i][1]), c = at(t, t->triangles[i][2]);
        size_t left = cell_along(cells, 0, fmin(fmin(a.x, b.x), c.x) - margin),
               right = cell_along(cells, 0, fmax(fmax(a.x, b.x), c.x) + margin);
        size_t low = cell_along(cells, 1, fmin(fmin(a.y, b.y), c.y) - margin),
               high = cell_along(cells, 1, fmax(fmax(a.y, b.y), c.y) + margin);
        for (size_t row = low; row <= high; ++row) {
            for (size_t column = left; column <= right; ++column) {
                double x = cells->low[0] + (double)column / cells->per_unit[0], y = cells->low[1] + (double)row / cells->per_unit[1];
                ct_vector from = {x - margin, y - margin, 0},
                          to = {x + 1 / cells->per_unit[0] + margin, y + 1 / cells->per_unit[1] + margin, 0};
                if (reaches(t, t->triangles[i], from, to)) visit(cells, row * cells->side + column, (int32_t)i);
            }
        }
    }
}

static void count_triangle(ct_triangle_cells *cells, size_t cell, int32_t triangle)
{
    (void)triangle;
    ++cells->first[cell];
}

// From the end of each cell's part of the list to its beginning, which `first` is at in the end.
static void list_triangle(ct_triangle_cells *cells, size_t cell, int32_t triangle) { cells->triangles[--cells->first[cell]] = triangle; }

static bool make_cells(const ct_allocator *allocator, const ct_blend_triangles *t, ct_triangle_cells *cells)
{
    if (t->triangle_count == 0) return true;
    place_cells(t, cells);
    size_t count = cells->side * cells->side;
    cells->first = ct_allocate(allocator, count + 1, sizeof *cells->first);
    if (!cells->first) return false;
    visit_cells(t, cells, count_triangle);
    for (size_t cell = 1; cell <= count; ++cell) cells->first[cell] += cells->first[cell - 1];
    cells->triangles = ct_allocate(allocator, cells->first[count], sizeof *cells->triangles);
    if (!cells->triangles) return false;
    visit_cells(t, cells, list_triangle);
    return true;
}

// False beyond them.
static bool find_cell(const ct_triangle_cells *cells, ct_vector p, size_t *cell)
{
    double x = (p.x - cells->low[0]) * cells->per_unit[0], y = (p.y - cells->low[1]) * cells->per_unit[1], side = (double)cells->side;
    if (!(x >= 0 && y >= 0 && x < side && y < side)) return false;
    *cell = (size_t)y * cells->side + (size_t)x;
    return true;
}

// --------------------------------------------------------------------------------------------------------------------------- making

ct_status ct_blend_triangles_make(const ct_allocator *allocator, size_t count, const double *points, ct_blend_triangles *t, ct_error *error)
{
    t->sample_count = count;
    t->points = points;
    t->triangles = ct_allocate(allocator, 2 * count, sizeof *t->triangles);
    t->edges = ct_allocate(allocator, 3 * count, sizeof *t->edges);
    ct_grid_point *grid = ct_allocate(allocator, count, sizeof *grid);
    int32_t *scratch = ct_allocate(allocator, 3 * count + 1, sizeof *scratch);
    bool made = t->triangles && t->edges && grid && scratch;
    if (made) {
        make_mesh(t, grid, scratch);
        made = make_cells(allocator, t, &t->cells);
    }
    ct_release(allocator, grid);
    ct_release(allocator, scratch);
    return made ? CT_OK : ct_fail_memory(error, "a blend space");
}

void ct_blend_triangles_release(const ct_allocator *allocator, ct_blend_triangles *t)
{
    ct_release(allocator, t->triangles);
    ct_release(allocator, t->edges);
    ct_release(allocator, t->cells.first);
    ct_release(allocator, t->cells.triangles);
}

// -------------------------------------------------------------------------------------------------------------------------- queries

static double lesser(double a, double b) { return a < b ? a : b; } // fmin is a call

// Weights in the triangle that holds p, or almost: each is the area that p makes with the side opposite, which at the corners is exactly 0
// for the other two.
static bool weigh_in_triangle(const ct_blend_triangles *t, ct_vector p, double *row)
{
    const double tolerance = -1e-9;
    const int32_t *best = NULL;
    double least_of_best = tolerance, weights[3] = {0};
    size_t cell;
    if (t->triangle_count == 0 || !find_cell(&t->cells, p, &cell)) return false;
    for (size_t i = t->cells.first[cell]; i < t->cells.first[cell + 1] && least_of_best < 0; ++i) {
        const int32_t *corners = t->triangles[t->cells.triangles[i]];
        ct_vector a = at(t, corners[0]), b = at(t, corners[1]), c = at(t, corners[2]);
        double areas[3] = {cross(b, c, p), cross(c, a, p), cross(a, b, p)}, whole = cross(a, b, c);
        double least = lesser(lesser(areas[0], areas[1]), areas[2]);
        if (least <= least_of_best * whole) continue;
        best = corners;
        least_of_best = least / whole;
        memcpy(weights, areas, sizeof areas);
    }
    if (!best) return false;
    for (int k = 0; k < 3; ++k) weights[k] = weights[k] > 0 ? weights[k] : 0;
    double sum = weights[0] + weights[1] + weights[2];
    for (int k = 0; k < 3; ++k) row[best[k]] = weights[k] / sum;
    return true;
}

// Along the line from a to b: how far the foot of p is from a, with |b - a|^2 as the unit.
static double foot(ct_vector a, ct_vector b, ct_vector p) { return (p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y); }

// Weights at the place on the hull that is nearest to p, which lies outside: the only foot that is on its edge, or else a corner. Distances
// from far away are equal but for rounding, so corners are told by feet too.
static void weigh_on_hull(const ct_blend_triangles *t, ct_vector p, double *row)
{
    const int32_t *best = NULL;
    bool flat = t->triangle_count == 0;
    for (size_t i = 0; i < t->edge_count; ++i) { // without a branch: which edge it is can't be foretold
        ct_vector a = at(t, t->edges[i][0]), b = at(t, t->edges[i][1]);
        double along = foot(a, b, p), whole = foot(a, b, b), side = flat ? -1 : cross(a, b, p);
        int is_nearest = (along >= 0) & (along <= whole) & (side < 0);
        best = is_nearest ? t->edges[i] : best;
    }
    if (best) {
        ct_vector a = at(t, best[0]), b = at(t, best[1]);
        double share = foot(a, b, p) / foot(a, b, b);
        row[best[0]] = 1 - share;
        row[best[1]] = share;
        return;
    }
    int32_t corner = 0;
    for (int32_t i = 1; i < (int32_t)t->sample_count; ++i) {
        ct_vector a = at(t, corner), b = at(t, i);
        if (2 * foot(a, b, p) > foot(a, b, b)) corner = i;
    }
    row[corner] = 1;
}

void ct_blend_triangles_weigh(const ct_blend_triangles *t, ct_vector p, double *row)
{
    if (!weigh_in_triangle(t, p, row)) weigh_on_hull(t, p, row);
}
