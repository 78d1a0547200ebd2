// events.h: which events of a clip happen while it plays.
//
// The events of one name are an ascending array of times in a clip. Round a loop each happens again every period. The moment at the period
// is the one at 0: a name that has both has one event there.
//
// Everything that ever happens has a number: 0, 1, 2, ... from the clip's first round on, negative before it. What happens in an interval
// is a run of numbers, so nothing is allocated. Intervals are half-open, [from, to) forward and down from `from`, itself included, to `to`,
// excluded, backward: intervals one after another lose nothing and tell nothing twice.
#ifndef CT_EVENTS_H
#define CT_EVENTS_H

#include <stdint.h>

#include "clip_clock.h"

typedef struct ct_events {
    const double *times; // [count] ascending, borrowed
    size_t count;        // without those that are not reached or told twice
    size_t at_seam;      // how many of them, the last, lie at the period
    double end;          // the period of a loop, the duration of any other clip
    bool loops;
} ct_events;

// A run of events: numbers first, first + step, ..., `count` of them.
typedef struct ct_event_run {
    int64_t first;
    size_t count;
    int step; // 1, or -1 backward
} ct_event_run;

// The events at `times` (ascending, 0 or more, seconds) of a clip that is played so. A clip without a period does not loop.
ct_events ct_events_of(const ct_clip *clip, ct_wrap wrap, const double *times, size_t count);

// What happens in a stretch, which begins in round 0. A clip of a single moment has no stretch in which something could happen.
ct_event_run ct_events_in(const ct_events *events, ct_stretch stretch);

// What happens between two times, that of ct_event_time; up to CT_MOST_ROUNDS periods from 0 (asserted).
ct_event_run ct_events_between(const ct_events *events, double from, double to);

// When a number happens, in seconds that go on over the seam, and which of `times` it is.
double ct_event_time(const ct_events *events, int64_t number);
size_t ct_event_index(const ct_events *events, int64_t number);

#endif
