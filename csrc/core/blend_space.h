// blend_space.h: from a parameter to the weights of samples.
//
// A blend space has a sample (a clip, mostly) at each of several places: on a line, say of speeds, or on a plane, say of velocities to
// the side and ahead. For any query it gives a weight a sample: not negative, summing to 1, finite however far away the query is, and
// (in all methods but CT_TWO_1D) exactly 1 at a sample and continuous everywhere. A space never changes once made; any number of threads
// may use it.
#ifndef CT_BLEND_SPACE_H
#define CT_BLEND_SPACE_H

#include "blend_band.h"
#include "blend_line.h"
#include "blend_triangles.h"
#include "kernels.h"
#include "parallel.h"

// Samples nearer to each other than this part of the extent (the longer side of the box around all samples) are refused: no method could
// tell them apart.
#define CT_SAMPLE_DISTANCE 1e-7

typedef enum ct_blend_method {
    CT_GRADIENT_BAND,       // see blend_band.h
    CT_GRADIENT_BAND_POLAR, // the same with angles and lengths for coordinates
    CT_DELAUNAY,            // see blend_triangles.h
    CT_TWO_1D,              // linear on both axes by themselves, mixed by |x| : |y|; for samples on the axes and at the origin
    CT_LINEAR,              // the one for samples on a line
    CT_BLEND_METHOD_COUNT,
} ct_blend_method;

typedef struct ct_blend_space {
    ct_allocator allocator;
    const ct_kernels *kernels;
    ct_blend_method method;
    size_t dimensions; // 1 for CT_LINEAR, else 2: numbers of a point
    size_t sample_count;
    double *points; // [sample_count][dimensions], as given
    double scale;   // a power of two that brings the extent to 1 .. 2
    double *scaled; // points, scaled
    double far;     // queries with a coordinate beyond it are drawn in to CT_BAND_FAR, scaled

    ct_gradient_band band;        // gradient bands only
    ct_blend_triangles triangles; // CT_DELAUNAY only
    ct_blend_line lines[2];       // CT_LINEAR, which has one; CT_TWO_1D: along x and along y
    size_t origin;                // CT_TWO_1D only: the sample there
} ct_blend_space;

// A space of `count` samples at `points`, in any order; finite. Fails: out of memory; no sample or more than CT_MAX_SAMPLES; samples nearer
// than CT_SAMPLE_DISTANCE; when CT_TWO_1D meets a sample that is on neither axis (within that distance), or none at the origin.
ct_status ct_blend_space_create(const ct_allocator *allocator, const ct_kernels *kernels, ct_blend_method method, size_t count,
                                const double *points, ct_blend_space **out, ct_error *error);
void ct_blend_space_destroy(ct_blend_space *space); // NULL is fine

// The weights of `count` queries; finite.
//   points   [count][dimensions]
//   weights  [count][sample_count]
// Allocates nothing. Returns CT_OK or CT_INTERRUPTED.
ct_status ct_blend_space_weights(const ct_blend_space *space, size_t count, const double *points, const ct_interrupt *interrupt,
                                 double *weights);

// The same for one query, for use in every frame.
void ct_blend_space_weights_at(const ct_blend_space *space, const double *point, double *weights);

#endif
