// clip_clock.h: where in a clip a player is, and the stretches that it plays.
#ifndef CT_CLIP_CLOCK_H
#define CT_CLIP_CLOCK_H

#include "clip.h"

// Rounds of a loop beyond this are not asked for: there, times have no digits left for what happens inside one.
#define CT_MOST_ROUNDS 1e12

// A stretch of a clip. It begins at `from`, goes over the seam of the clip's period `rounds` times, and stops before `to` (both in the
// clip's seconds, inside it), so that stretches one after another share no time and leave none out.
typedef struct ct_stretch {
    double from, to;
    ptrdiff_t rounds; // > 0: forward over the seam; < 0: backward over it; 0: straight, backward when `to` lies before `from`
    bool ends;        // `to` belongs to it too: an open clip has come to its end (or, backward, to its beginning)
    ct_wrap wrap;     // how the clip is played
} ct_stretch;

// The end of a stretch in seconds that go on over the seam.
static inline double ct_stretch_end(ct_stretch stretch, double period) { return stretch.to + (double)stretch.rounds * period; }

// What lies between `from`, which is inside the clip, and `by` seconds later (earlier when negative; finite). With CT_CLAMP the ends hold,
// and are met within 1e-6 of the duration.
ct_stretch ct_clip_clock_move(const ct_clip *clip, ct_wrap wrap, double from, double by);

#endif
