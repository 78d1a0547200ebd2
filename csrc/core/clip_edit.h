// clip_edit.h: the same motion in other units, in other axes, on another rest pose.
//
// Each function makes a new clip, most of them on a new skeleton that the caller owns too (and keeps for as long as the clip). All fail
// with CT_OUT_OF_MEMORY; what else can fail is said.
#ifndef CT_CLIP_EDIT_H
#define CT_CLIP_EDIT_H

#include "clip.h"
#include "vector.h"

// A clip and the skeleton made for it.
typedef struct ct_edited {
    ct_skeleton *skeleton;
    ct_clip *clip;
} ct_edited;

// Frees both; either may be NULL.
void ct_edited_destroy(ct_edited edited);

// All lengths times `factor`: offsets, tips and translations together. Fails: a factor that is not positive and finite.
ct_status ct_clip_scale_lengths(const ct_clip *clip, double factor, ct_edited *out, ct_error *error);

// Turned so that what was `up` becomes +Y and what was `forward` +Z, exactly: numbers change places and signs alone. Local axes turn with
// the world, so rotations that were identities stay so. Fails: up and forward along one line.
ct_status ct_clip_turn_axes(const ct_clip *clip, ct_axis up, ct_axis forward, ct_edited *out, ct_error *error);

// The rest offsets of all joints but roots taken from the clip's translations, for files that keep their bones there.
typedef enum ct_rest_source { CT_REST_FIRST, CT_REST_MEAN } ct_rest_source;
// Fails: no frames.
ct_status ct_clip_rest_from(const ct_clip *clip, ct_rest_source source, ct_edited *out, ct_error *error);

// What ct_clip_simplify did.
typedef struct ct_simplified {
    size_t joint_count;   // joints made rigid
    double largest_error; // how far a translation of theirs was moved at most, in the clip's unit
    size_t joint, frame;  // where
} ct_simplified;

// Makes bones rigid: a joint (no root) whose translations all lie within `tolerance` (a length) of their mean gets the mean as its offset
// and as its translation in every frame. Others stay as they are. report may be NULL. Fails: no frames; a tolerance that is negative or
// NaN.
ct_status ct_clip_simplify(const ct_clip *clip, double tolerance, ct_edited *out, ct_simplified *report, ct_error *error);

// The same motion in the world on another rest pose: `rest` (one pose of the clip's skeleton, without translations it stands on the
// offsets) becomes the pose of identity rotations. Each joint's axes are turned by a constant; its bones lie where they lay. Joint scales
// that differ by axis can't follow a turn that is not by right angles: they are mixed then.
ct_status ct_clip_with_rest_pose(const ct_clip *clip, ct_poses rest, ct_edited *out, ct_error *error);

// Tips become joints of identity rotation behind all others, named "PARENT_end" (then "PARENT_end_2", ... where that name is taken).
ct_status ct_clip_tips_as_joints(const ct_clip *clip, ct_edited *out, ct_error *error);

// The clip moved along `up` so that it stands on 0: the lowest point of every frame (joints and tips) is taken and of these the one at
// `percentile` (0 is the lowest of all, 50 the median). *moved (may be NULL) is by how much. On the clip's own skeleton. Fails: no frames;
// a percentile outside 0 to 100.
ct_status ct_clip_ground(const ct_clip *clip, const ct_kernels *kernels, ct_axis up, double percentile, ct_clip **out, double *moved,
                         ct_error *error);

#endif
