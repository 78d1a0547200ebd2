// layout.h: how a pose lies in memory.
//
// A pose is one row of floats. Each component of all joints lies side by side, padded to CT_LANES joints:
//   rotation w[stride] x[stride] y[stride] z[stride]   translation x y z   scale x y z
// Translations and scales may be absent; scales never come without translations. Padding joints are identities, so that wide
// loops run over whole rows. Clips and batches of poses are such rows one after another.
#ifndef CT_LAYOUT_H
#define CT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

enum { CT_LANES = 16 }; // every level's register holds a divisor of this many floats

enum {
    CT_ROTATION = 0, // first component of each part of a row
    CT_TRANSLATION = 4,
    CT_SCALE = 7,
    CT_COMPONENTS_ROTATION = 4, // the three legal component counts
    CT_COMPONENTS_TRANSLATION = 7,
    CT_COMPONENTS_SCALE = 10,
};

typedef struct ct_layout {
    size_t joint_count;
    size_t stride;          // joint_count rounded up to CT_LANES: floats from one component to the next
    size_t component_count; // 4, 7 or 10
} ct_layout;

static inline size_t ct_stride(size_t joint_count) { return (joint_count + CT_LANES - 1) / CT_LANES * CT_LANES; }

static inline ct_layout ct_layout_of(size_t joint_count, bool translations, bool scales)
{
    size_t components = scales ? CT_COMPONENTS_SCALE : translations ? CT_COMPONENTS_TRANSLATION : CT_COMPONENTS_ROTATION;
    return (ct_layout){joint_count, ct_stride(joint_count), components};
}

static inline bool ct_has_translations(ct_layout layout) { return layout.component_count >= CT_COMPONENTS_TRANSLATION; }

static inline bool ct_has_scales(ct_layout layout) { return layout.component_count >= CT_COMPONENTS_SCALE; }

static inline bool ct_same_layout(ct_layout a, ct_layout b)
{
    return a.joint_count == b.joint_count && a.component_count == b.component_count;
}

// Floats from one row to the next.
static inline size_t ct_row_length(ct_layout layout) { return layout.stride * layout.component_count; }

// Poses in a block, one row each. Types that mean something else (velocities, deltas) are types of their own.
typedef struct ct_poses {
    ct_layout layout;
    size_t count;
    float *rows;
} ct_poses;

// How fast a pose changes, one row each: angular x y z (rad/s, about the axes of the joint's parent), linear x y z (units/s) and,
// when the poses have scales, scale x y z (1/s); each component `stride` floats.
typedef struct ct_pose_velocities {
    size_t joint_count, stride;
    size_t component_count; // 6 or 9
    size_t count;
    float *rows;
} ct_pose_velocities;

// Makes the padding joints of `count` rows identities.
void ct_layout_pad(ct_layout layout, size_t count, float *rows);

// A row in another layout of as many joints: what that one lacks is left out, and scales that it adds are 1. It may add no translations.
// No overlap.
void ct_layout_fit(ct_layout from, const float *row, ct_layout to, float *out);

// The one place where arrays of structures become rows (the way back are strided views). `count` poses, each a C-contiguous (joint_count,
// components) array: rotations (J, 4) as w x y z, translations (J, 3), scales (J, 3). `component` is CT_ROTATION, CT_TRANSLATION or
// CT_SCALE. Pads too. No overlap.
void ct_layout_write(ct_layout layout, size_t component, size_t count, const float *from, float *rows);

#endif
