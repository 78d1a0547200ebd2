// skin.h: moving a mesh with a skeleton.
//
// Every vertex follows `influence_count` joints by weight. Weights are used after division by their sum; a vertex whose weights sum to 0
// (or less than 1e-30) stays where it is. joints must be below joint_count and weights non-negative: checked by the caller with
// ct_skin_check. The ct_skin itself is in skin_kernels.h.
#ifndef CT_SKIN_H
#define CT_SKIN_H

#include "kernels.h"
#include "parallel.h"

// CT_BAD_INDEX or CT_BAD_VALUE, naming vertex and influence: a joint outside the palette, a weight that is negative or not finite.
ct_status ct_skin_check(const ct_skin *skin, ct_error *error);

// palettes (count, J, 4, 4), affine; out_vertices and out_normals (count, vertex_count, 3), overlapping no input; out_normals NULL exactly
// when normals is. Normals go through the inverse transpose (right under non-uniform scale and mirroring) and come out unit; a zero normal,
// or one that the palette flattens, is zero. `workers` and `interrupt` (NULL: never) as in parallel.h; the bits depend on neither workers
// nor level. Fails only with CT_OUT_OF_MEMORY or CT_INTERRUPTED.
ct_status ct_skin_linear(const ct_skin *skin, const ct_kernels *kernels, size_t count, const float *palettes, int workers,
                         const ct_interrupt *interrupt, float *out_vertices, float *out_normals, ct_error *error);

// The same by dual quaternions (L. Kavan et al., "Geometric Skinning with Approximate Dual Quaternion Blending", 2008), which keep volume
// where linear blending collapses at a twist. Signs follow the influence with the largest weight, the first of equals. A matrix that is not
// rigid is taken apart into rotation times stretch (polar decomposition): stretches blend linearly and are applied first, so a vertex with
// one influence moves as by ct_skin_linear. A mirroring matrix has a mirroring stretch; one that flattens space counts as stretch alone.
ct_status ct_skin_dual_quaternion(const ct_skin *skin, const ct_kernels *kernels, size_t count, const float *palettes, int workers,
                                  const ct_interrupt *interrupt, float *out_vertices, float *out_normals, ct_error *error);

#endif
