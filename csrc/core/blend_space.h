// blend_space.h: from a parameter to the weights of samples.
//
// A blend space has a sample (a clip, mostly) at each of several places: on a line, say of speeds, or on a plane, say of velocities to
// the side and ahead. For any query it gives a weight a sample: not negative, summing to 1, finite however far away the query is, and
// (in all methods but CT_TWO_1D) exactly 1 at a sample and continuous everywhere. A space never changes once made; any number of threads
// may use it.
#ifndef CT_BLEND_SPACE_H
#define CT_BLEND_SPACE_H

#include "kernels.h"
#include "memory.h"
#include "parallel.h"

enum { CT_MAX_SAMPLES = 512 };

// Samples nearer to each other than this part of the extent (the longer side of the box around all samples) are refused: no method could
// tell them apart.
#define CT_SAMPLE_DISTANCE 1e-7

typedef enum ct_blend_method {
    CT_GRADIENT_BAND,       // R. S. Johansen, Automated Semi-Procedural Animation (2009), section 6.3
    CT_GRADIENT_BAND_POLAR, // the same with angles and lengths for coordinates
    CT_DELAUNAY,            // barycentric in the triangle of a Delaunay triangulation; outside, of the nearest place on the hull
    CT_TWO_1D,              // linear on both axes by themselves, mixed by |x| : |y|; for samples on the axes and at the origin
    CT_BLEND_METHOD_COUNT,
} ct_blend_method;

// Samples on a line, from low to high.
typedef struct ct_blend_line {
    size_t count;
    double *positions; // scaled
    size_t *samples;   // which sample each is
} ct_blend_line;

typedef struct ct_blend_space_1d {
    ct_allocator allocator;
    size_t sample_count;
    double *positions; // as given
    double scale;      // a power of two that brings the extent to 1 .. 2
    ct_blend_line line;
} ct_blend_space_1d;

typedef struct ct_blend_space_2d {
    ct_allocator allocator;
    const ct_kernels *kernels;
    ct_blend_method method;
    size_t sample_count;
    double *points; // [sample_count][2], as given
    double scale;
    double *scaled; // points, scaled

    ct_gradient_band band;  // gradient bands only
    ct_blend_line lines[2]; // CT_TWO_1D only: along x and y
    size_t origin;          // CT_TWO_1D only: the sample there

    // CT_DELAUNAY only: triangles, counterclockwise for y up; and the edges round them. Samples on one line have edges alone.
    size_t triangle_count, edge_count;
    int32_t (*triangles)[3];
    int32_t (*edges)[2];
} ct_blend_space_2d;

// A space of `count` samples at `positions`, in any order; finite. Fails: out of memory; no sample or more than CT_MAX_SAMPLES; samples
// nearer than CT_SAMPLE_DISTANCE.
ct_status ct_blend_space_1d_create(const ct_allocator *allocator, size_t count, const double *positions, ct_blend_space_1d **out,
                                   ct_error *error);
void ct_blend_space_1d_destroy(ct_blend_space_1d *space); // NULL is fine

// Linear between the two samples around each of `count` finite queries, the last sample beyond the ends.
//   weights  [count][sample_count]
// Allocates nothing. Returns CT_OK or CT_INTERRUPTED.
ct_status ct_blend_space_1d_weights(const ct_blend_space_1d *space, size_t count, const double *x, const ct_interrupt *interrupt,
                                    double *weights);

// A space of `count` samples at `points` (x y each); finite. Fails as on the line; also when CT_TWO_1D meets a sample that is on neither
// axis (within CT_SAMPLE_DISTANCE), or none at the origin.
ct_status ct_blend_space_2d_create(const ct_allocator *allocator, const ct_kernels *kernels, ct_blend_method method, size_t count,
                                   const double *points, ct_blend_space_2d **out, ct_error *error);
void ct_blend_space_2d_destroy(ct_blend_space_2d *space); // NULL is fine

// The weights of `count` finite queries (x y each).
//   weights  [count][sample_count]
// Allocates nothing. Returns CT_OK or CT_INTERRUPTED.
ct_status ct_blend_space_2d_weights(const ct_blend_space_2d *space, size_t count, const double *points, const ct_interrupt *interrupt,
                                    double *weights);

#endif
