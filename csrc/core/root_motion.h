// root_motion.h: the path of the character on the ground.
//
// A root motion is where the character stands and which way it faces, frame by frame, measured from one joint. A place has a position on
// the ground (its height is 0) and a heading: the angle about `up`, in radians, from the reference direction to where the character
// faces, positive to the left. Headings are unwrapped: a whole turn counts. The reference is the axis after `up` in the order x y z x:
// +Z for +Y up, +X for +Z up, +Y for +X up.
//
// Places form a group: what happens between two times is a delta in the character's own axes at the first, and deltas of the parts of a
// time span, one after the other, give the delta of the whole.
#ifndef CT_ROOT_MOTION_H
#define CT_ROOT_MOTION_H

#include "clip.h"
#include "vector.h"

typedef struct ct_root_place {
    ct_vector position; // along up: 0
    double heading;
} ct_root_place;

// From one place to another, as seen by the character at the first: `translation` is in its axes there (for +Y up: x to its left, z ahead).
typedef struct ct_root_delta {
    ct_vector translation;
    double turn;
} ct_root_delta;

typedef struct ct_root_options {
    ptrdiff_t joint;   // to measure from; CT_NOWHERE takes ct_root_joint's
    ct_axis up;        // CT_PLUS_Y for most
    bool has_forward;  // `forward` is given; else it is found, see ct_root_motion_create
    ct_vector forward; // where the joint's own axes face: need not be unit
    double smoothing;  // seconds; 0 keeps the path as it is
} ct_root_options;

typedef struct ct_root_motion {
    ct_allocator allocator;
    const ct_kernels *kernels;
    ct_axis up;
    size_t joint; // measured from
    size_t frame_count;
    double frame_time;
    bool looping;          // two frames or more, and the clip loops
    size_t step_count;     // intervals between frames in the period (when not looping, in the duration)
    ct_root_place *places; // [frame_count]
    ct_root_place loop;    // what one period moves the world by: turn about the origin by heading, then go by position
} ct_root_motion;

// The joint that motion is measured from: the first with partners (mirror.h) among its children, as hips have legs; without any, the
// first whose translation travels by more than a twentieth of the skeleton's size; else 0. Fails: out of memory.
ct_status ct_root_joint(const ct_clip *clip, size_t *joint, ct_error *error);

// What lies to the left in a joint's own axes: from its first child on the right to the partner of that child on the left, in the first
// frame. (Where both sit on the joint itself, their children decide.) *found is false when it has no such children. Fails: out of memory.
ct_status ct_root_left(const ct_clip *clip, size_t joint, ct_vector *left, bool *found, ct_error *error);

// Measures the path of a clip.
//
// Facing: forward when given. Else, as bones may point anywhere in a joint's axes, ct_root_left decides: forward is left x up. A joint
// without such children faces the way its own reference axis points. Where the direction is vertical, the heading of the frame before
// holds.
// Smoothing: a Gaussian of which `smoothing` seconds hold 95 % (4 deviations), at most the duration (two periods of a loop), without delay;
// at the ends the path goes on point-mirrored, so ends stay where they are and straight lines straight; of a loop what is smoothed is what
// it has beside its even way along a line or a circle, which is kept.
// A loop whose last frame does not repeat the first has one more step: back to the first frame when that is near (an idle on the spot),
// else as the steps around it go on. Fails: out of memory; no frames; a joint that does not exist; a forward of zero; smoothing negative or
// not finite.
ct_status ct_root_motion_create(const ct_clip *clip, const ct_kernels *kernels, const ct_root_options *options, ct_root_motion **out,
                                ct_error *error);
void ct_root_motion_destroy(ct_root_motion *motion); // NULL is fine

// Where the character is at a time (seconds, finite), linear between frames. Loops go on for ever in both directions, others hold the ends.
ct_root_place ct_root_motion_at(const ct_root_motion *motion, double time);

// What happens from one time to another, which may lie before it.
ct_root_delta ct_root_motion_delta(const ct_root_motion *motion, double from, double to);

// The motion as it goes on when its clip is played round and round though it does not loop, as a loop would; it borrows the places of
// `motion`. One that loops is itself.
ct_root_motion ct_root_motion_round(const ct_root_motion *motion, bool last_repeats_first);

// The place that a delta leads to.
ct_root_place ct_root_place_moved(const ct_kernels *kernels, ct_axis up, ct_root_place from, ct_root_delta delta);

// Moves the roots of a pose that stands on the spot to a place.
void ct_root_place_row(const ct_kernels *kernels, ct_axis up, const ct_skeleton *skeleton, ct_layout layout, ct_root_place place,
                       float *row);

// The clip with the motion taken out (every frame stands at the origin, facing the reference) and put back. All roots are moved, whatever
// joint the motion was measured from. Fails: out of memory; a motion of another number of frames.
ct_status ct_clip_in_place(const ct_clip *clip, const ct_root_motion *motion, ct_clip **out, ct_error *error);
ct_status ct_clip_apply_root_motion(const ct_clip *clip, const ct_root_motion *motion, ct_clip **out, ct_error *error);

// The mean ground speed in units/s: the length of the path of ct_root_joint's joint over the time it takes. A loop that stays on the spot
// (within 15 % of the skeleton's size of its first frame, and comes back) has speed 0, as has a single frame. Fails: out of memory.
ct_status ct_clip_speed(const ct_clip *clip, const ct_kernels *kernels, ct_axis up, double *speed, ct_error *error);

#endif
