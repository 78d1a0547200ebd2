// stance.h: what a skeleton's shape over a clip tells about the file it came from. Nothing here changes anything: it's a belief to report.
#ifndef CT_STANCE_H
#define CT_STANCE_H

#include "clip.h"
#include "vector.h"

typedef enum ct_unit {
    CT_UNIT_UNKNOWN,
    CT_METRE,
    CT_CENTIMETRE,
    CT_MILLIMETRE,
    CT_INCH,
    CT_CMU_UNIT, // of the CMU database's ASF and AMC files and of BVH files made from them: 1/0.45 inch, 0.056444 m
    CT_UNIT_COUNT,
} ct_unit;

// Metres in a unit; 0 for unknown.
double ct_unit_metres(ct_unit unit);

typedef struct ct_stance {
    ct_axis up;     // or CT_AXIS_UNKNOWN
    ct_unit unit;   // of a human's size
    double height;  // from the lowest to the highest point along up, joints and tips, the median over frames; 0 without up
    double stature; // what the body would measure standing straight, from its bones alone
    double floor;   // the lowest point along up, the median over frames; 0 without up
} ct_stance;

// What is believed, and why. The body hangs from ct_root_joint's joint: its legs are the branches that have a partner on the other side,
// all else below is its trunk.
//   up       the axis nearest to the way from the middle of the legs to the middle of the trunk, over all frames; unknown without legs, and
//            where that way leans more than 41 degrees from every axis
//   stature  the longest way along bones down a leg and up the middle of the trunk to its tip
//   height and floor are those of the body alone: some files have a root that stays at the origin
//   unit     the one in which the stature is nearest to 1.7 m by ratio; unknown without up, and beyond 1.5 times that or its inverse
// A clip without frames is judged by its rest pose. Fails: out of memory.
ct_status ct_stance_of(const ct_clip *clip, const ct_kernels *kernels, ct_stance *stance, ct_error *error);

// The lowest and highest points (joints and tips) of the body in every frame along `up`; highest may be NULL. [frame_count] each. Without
// legs to tell the body by, of all joints and tips.
// Fails: out of memory.
ct_status ct_clip_extent(const ct_clip *clip, const ct_kernels *kernels, ct_axis up, float *lowest, float *highest, ct_error *error);

#endif
