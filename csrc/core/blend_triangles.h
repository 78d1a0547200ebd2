// blend_triangles.h: barycentric weights in the triangles of a Delaunay triangulation; outside, those of the nearest place on the hull.
#ifndef CT_BLEND_TRIANGLES_H
#define CT_BLEND_TRIANGLES_H

#include <stdint.h>

#include "memory.h"
#include "status.h"
#include "vector.h"

// Which triangles reach into each cell of a box around all samples, so that a query looks at few.
typedef struct ct_triangle_cells {
    size_t side;                // cells along x and along y
    double low[2], per_unit[2]; // a point is in the cell (point - low) * per_unit, rounded down
    uint32_t *first;            // [side * side + 1]: those of cell c are triangles[first[c] .. first[c + 1] - 1]
    int32_t *triangles;
} ct_triangle_cells;

typedef struct ct_blend_triangles {
    size_t sample_count;
    const double *points; // [sample_count][2], of an extent of about 1; not owned
    size_t triangle_count, edge_count;
    int32_t (*triangles)[3]; // corners, counterclockwise for y up
    int32_t (*edges)[2];     // round the triangles, counterclockwise; samples on one line have edges alone
    ct_triangle_cells cells; // none without triangles
} ct_blend_triangles;

// The triangles between `count` different points. Fails when out of memory; release them in any case.
ct_status ct_blend_triangles_make(const ct_allocator *allocator, size_t count, const double *points, ct_blend_triangles *out,
                                  ct_error *error);
void ct_blend_triangles_release(const ct_allocator *allocator, ct_blend_triangles *triangles);

// Puts the weights at p (finite, and so that its products are) into a row of zeros.
void ct_blend_triangles_weigh(const ct_blend_triangles *triangles, ct_vector p, double *row);

#endif
