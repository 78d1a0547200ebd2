// sync.h: clips kept in step, without their poses.
//
// Clips in step share one place: which mark was passed last, and how far it is to the next. Marks are times that mean the same in every
// clip, such as a foot coming down; between two of them each clip's time is linear in the place. So when one clip is on a mark all are, and
// a clip is between two marks exactly when all others are. Clips that are not in step run on clocks of their own (clip_clock.h).
#ifndef CT_SYNC_H
#define CT_SYNC_H

#include <stdint.h>

#include "clip_clock.h"

typedef enum ct_sync_mode {
    CT_SYNC_NONE,       // no clip is in step
    CT_SYNC_NORMALIZED, // all are: the one mark is the beginning
    CT_SYNC_MARKERS,    // those that have the markers are
    CT_SYNC_AUTO,       // a wish alone: CT_SYNC_MARKERS when clips share some, else CT_SYNC_NORMALIZED
} ct_sync_mode;

// The times of one name in a clip, ascending, from 0 to the period.
typedef struct ct_marker {
    const char *name;
    size_t count;
    const double *times;
} ct_marker;

typedef struct ct_sync_clip {
    const char *name; // for messages
    double period;    // seconds; open: the duration. A clip of period 0 is never in step
    bool looping;
    size_t marker_count;
    const ct_marker *markers;
} ct_sync_clip;

// A clip in step.
typedef struct ct_sync_track {
    bool in_step; // else the rest is not used
    double period;
    size_t mark_count;
    double *marks;      // [mark_count] seconds from 0 to the period; looping: from the pattern's first on, ascending but for one step back
    size_t seam;        // looping: the marks from here on are in the next round; mark_count when none is
    size_t repetitions; // of the pattern in a period; open: 1
} ct_sync_track;

typedef struct ct_sync {
    ct_allocator allocator;
    ct_sync_mode mode; // never CT_SYNC_AUTO
    bool looping;      // the clips in step go round for ever; else they hold their ends
    size_t clip_count;
    ct_sync_track *tracks; // [clip_count]
    size_t pattern_count;  // marks of the pattern that all clips in step repeat; open: stretches between the marks. 0: no clip is in step
    int64_t lap;           // marks after which all clips are back where they were
    double *marks;         // of all tracks
    size_t name_count;     // markers that are used
    size_t *names;         // [name_count] which: indices into the markers of the first clip in step
} ct_sync;

// Where clips in step are: as far as `part`, in [0, 1), between mark number `mark` of the pattern gone on for ever, and the next. At the
// end of open clips: their last mark and 0.
typedef struct ct_sync_place {
    int64_t mark;
    double part;
} ct_sync_place;

// Finds who is in step and by what.
//   wanted      names to use; NULL: what is found
//   name_count  of them
// Which markers: a foot that never comes up (X_down beside an X_up without times) does not come down either, and clips that are left
// without markers (an idle) run on their own clocks. The others are in step when they have the name that most of them have, by the names
// that they all have. Looping clips must have these in the same cyclic order; a clip may go through it more than once. Where the order
// differs, the names that end in `_down` are tried, then the first name alone. In open clips start and end are marks, too. Fails: out of
// memory; clips that loop beside others that don't (unless CT_SYNC_NONE); with CT_SYNC_MARKERS or `wanted`, clips that have markers but not
// the shared ones, or no markers at all; numbers of cycles that only meet after a million marks.
ct_status ct_sync_create(const ct_allocator *allocator, ct_sync_mode mode, size_t name_count, const char *const *wanted, size_t clip_count,
                         const ct_sync_clip *clips, ct_sync **out, ct_error *error);
void ct_sync_destroy(ct_sync *sync); // NULL is fine

// In all of these, weights are [clip_count], 0 or more; those of clips that are not in step do not count.

// The first clip in step is at its beginning (or, where rounding has it, a bit before).
ct_sync_place ct_sync_start(const ct_sync *sync);

// Seconds that the pattern takes: the weighted mean of what each clip takes for it. 0 when no clip in step has weight.
double ct_sync_cycle(const ct_sync *sync, const double *weights);

// The place `dt` (finite, not negative) seconds later. The leader, the clip with the most weight (the first of several), goes on evenly, at
// the rate that makes the pattern take ct_sync_cycle; the others follow. Without any weight nothing moves.
ct_sync_place ct_sync_move(const ct_sync *sync, ct_sync_place place, const double *weights, double dt);

// The same place within the first lap, for places that go on for long.
ct_sync_place ct_sync_wrap(const ct_sync *sync, ct_sync_place place);

// How much of the pattern is done: [0, 1), or for open clips to 1.
double ct_sync_phase(const ct_sync *sync, ct_sync_place place);

// Where a clip in step is, in seconds inside it: on the mark exactly when part is 0, never on the next one before that, and never back
// while the place goes on.
double ct_sync_time(const ct_sync *sync, size_t clip, ct_sync_place place);

// What a clip in step plays on the way from a place to a later one.
ct_stretch ct_sync_stretch(const ct_sync *sync, size_t clip, ct_sync_place from, ct_sync_place to);

#endif
