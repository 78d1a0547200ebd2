// delaunay.h: triangles between points of the plane.
//
// Points are whole numbers on a grid, so that which side of a line a point is on is decided exactly, and collinear points are just that.
#ifndef CT_DELAUNAY_H
#define CT_DELAUNAY_H

#include <stddef.h>
#include <stdint.h>

typedef struct ct_grid_point {
    int64_t x, y; // 0 .. CT_GRID_SIZE
} ct_grid_point;

enum { CT_GRID_SIZE = 1 << 28 };

// The Delaunay triangulation of `count` different points: no point lies inside the circle through the corners of a triangle. Where several
// answers are right (points on one circle), the order of the points has no say in which is given.
//   order      [count] out: the points from left to right, lower ones first
//   hull       [2 * count + 1] scratch
//   triangles  [2 * count][3] out: corners, counterclockwise for y up
// Returns how many triangles there are: none when all points are on one line. Takes time with the square of the count and more: for
// hundreds of points.
size_t ct_delaunay(size_t count, const ct_grid_point *points, int32_t *order, int32_t *hull, int32_t (*triangles)[3]);

#endif
