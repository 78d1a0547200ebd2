// ground_contact.h: when joints stand on the ground, how far they slide there and how deep they sink below it.
//
// All is told from where joints are in the world at evenly spaced times, in double: any unit of length will do, as long as it is one. The
// ground is flat; a joint has a height of its own at which it stands planted (an ankle is some way above its sole).
#ifndef CT_GROUND_CONTACT_H
#define CT_GROUND_CONTACT_H

#include "memory.h"
#include "status.h"

// Where some joints are at evenly spaced times.
typedef struct ct_tracks {
    size_t sample_count, joint_count;
    const double *points; // [sample_count][joint_count][3]: two coordinates along the ground, then the height; finite
} ct_tracks;

// The height at which each joint stands planted: the one that it is at or below in a tenth of the samples (so a dip of a few does not
// count). Give samples of what was measured or keyed: between keys, a foot that should stand sinks or floats.
//   heights   [joint_count]
// There must be a sample. Fails: out of memory.
ct_status ct_planted_heights(const ct_allocator *allocator, ct_tracks tracks, double *heights, ct_error *error);

// How far each joint moves along the ground while it stands: over the steps between two samples at both of which it is at most `height`
// above its planted height (or below it).
//   planted    [joint_count]
//   distances  [joint_count], the sum over those steps
//   counts     [joint_count], how many steps those are
void ct_ground_slide(ct_tracks tracks, const double *planted, double height, double *distances, size_t *counts);

// What is a contact: a joint stays below `stay_speed` and `stay_height`, and is below `speed` and `height` at least once, so noise about
// one limit does not break a contact in pieces. Gaps shorter than the window are closed, then contacts shorter than it are dropped, unless
// they reach the first or the last sample.
typedef struct ct_contact_limits {
    size_t window;              // steps over which speed is measured, 1 or more
    double speed, stay_speed;   // lengths a step
    double height, stay_height; // above the planted height
} ct_contact_limits;

// Whether each joint is in contact at each sample. The speed at a sample is the slower of that over the window before it and over the one
// after it, in the world and in all three directions: a foot that has just come down is still from then on. At the ends, where neither
// fits, it is the speed over what there is.
//   planted    [joint_count]
//   in_contact [joint_count][sample_count]
void ct_ground_contacts(ct_tracks tracks, const double *planted, const ct_contact_limits *limits, bool *in_contact);

// How deep below the height `ground` each joint is: at most, on average over the samples at which it is below, and in which part of all
// samples it is. A depth up to `least` is rounding, and not below. [joint_count] each; 0 for a joint that never is.
void ct_ground_penetration(ct_tracks tracks, double ground, double least, double *deepest, double *mean, double *part);

#endif
