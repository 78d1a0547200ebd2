// tracks.h: the events and curves that clips carry beside their poses, as players and callers get them.
#ifndef CANTER_TRACKS_H
#define CANTER_TRACKS_H

#include "binding.h"
#include "clip.h"

// What one thing that is played carries.
typedef struct tracks {
    const ct_clip *core;
    PyObject *markers; // as in clip_labels, borrowed
    PyObject *curves;  // the same, or NULL
} tracks;

// Those of a Clip or an AdditiveClip; core is NULL for anything else.
tracks tracks_of(module_state *state, PyObject *what);

// Something that happened.
typedef struct told {
    PyObject *name, *clip; // borrowed
    double time;           // seconds, that the Event shall have
    double order;          // what sorts before what
    double weight;
    size_t sequence; // the place in the list, where `order` is the same
} told;

typedef struct told_list {
    told *items; // of PyMem
    size_t count, room;
} told_list;

// Appends; false with an exception, also when it would be too many for anyone to look at.
bool tell(told_list *list, told item);
void sort_told(told_list *list);
void release_told(told_list *list);

// The fields of an Event, which is a tuple.
enum { EVENT_NAME, EVENT_TIME, EVENT_CLIP, EVENT_WEIGHT, EVENT_FIELDS };

// canter.Event, a new reference, or NULL with an exception; and all in the list as a new list.
PyObject *event_type(void);
PyObject *list_of_events(const told_list *events);

#endif
