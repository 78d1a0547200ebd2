// blend_band.h: the pairs of samples that weights by gradient bands are made from. R. S. Johansen, Automated Semi-Procedural Animation
// (2009), section 6.3.
#ifndef CT_BLEND_BAND_H
#define CT_BLEND_BAND_H

#include "kernels.h"
#include "memory.h"
#include "status.h"

// The band of `count` different points (x y each) whose extent is about 1. Fails when out of memory; release it in any
// case.
//   scale  a power of two that made the points from what queries are in
ct_status ct_blend_band_make(const ct_allocator *allocator, const ct_kernels *kernels, bool polar, size_t count, const double *points,
                             double scale, ct_gradient_band *band, ct_error *error);
void ct_blend_band_release(const ct_allocator *allocator, ct_gradient_band *band);

#endif
