// bvh_check.h: what is odd in the motion of a BVH file, beyond what the reader notes (ct_bvh_oddity).
//
// A file may follow the format and still trip a program: angles that wrap, a first frame that does not belong, a root that stands twice
// as high under the other reading of its OFFSET. These are counted here, from the numbers as written (angles) and from the posed
// skeleton (heights). Lengths are in the unit of the file, angles in degrees as in the file. Frames count from 0.
#ifndef CT_BVH_CHECK_H
#define CT_BVH_CHECK_H

#include "bvh.h"
#include "bvh_style.h"
#include "vector.h"

typedef struct ct_bvh_check {
    // Angles.
    size_t jump_frames, first_jump;     // frames after which some rotation channel steps by more than 180; the first of them
    size_t beyond_frames, first_beyond; // frames with a rotation channel outside -180 .. 180
    bool starts_at_zero;                // every rotation of frame 0 is 0
    bool starts_near_zero;              // below the roots, those of frame 0 are less than 1 on average, and those of the clip are not
    double first_step;                  // how far frame 1 turns from frame 0, summed over channels, whole turns taken out
    double usual_step;                  // the median of the same over all steps
    size_t lead_in;                     // frames at the start that do not belong: 1 is a separate pose, more a ramp out of one

    // Travel, of the joint that ct_root_joint takes.
    size_t carrier;
    size_t teleport_count, first_teleport; // steps far longer than its others and than a quarter of the height; the frame before the first
    double teleport_step, usual_travel;    // the longest such step; the median of all steps

    // Position channels below the roots, on the frame in the middle: how many joints' repeat the OFFSET to within 0.001 of the height, are
    // 0, are anything else.
    size_t positions_equal, positions_zero, positions_other;

    // Posture. What is measured along `up` is measured along +Y when that is unknown. lowest_...: the lowest point of frame 0 when the
    // positions of a root replace its OFFSET, and when they are added to it.
    ct_axis up;           // as ct_stance_of believes
    double height, floor; // medians over frames, of the extent and of the lowest point of the body
    double zero_height;   // the extent of the pose without rotations
    double lowest_replacing, lowest_adding;

    size_t zero_joints, zero_tips; // OFFSETs of length 0, of joints below the roots and of end sites
    size_t bare_leaves;            // joints at the end of a limb without an End Site
} ct_bvh_check;

// `bvh` was read from `text` without options, `scan` is ct_bvh_scan_style of it. Fails: out of memory.
ct_status ct_bvh_check_motion(const ct_allocator *allocator, const ct_kernels *kernels, const char *text, size_t size,
                              const ct_bvh_style *scan, const ct_bvh *bvh, ct_bvh_check *out, ct_error *error);

#endif
