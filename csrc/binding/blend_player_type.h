// blend_player_type.h: canter.BlendPlayer, and canter.BlendCycle, which tells what it does.
#ifndef CANTER_BLEND_PLAYER_TYPE_H
#define CANTER_BLEND_PLAYER_TYPE_H

#include "blend_player.h"
#include "blend_space_type.h"
#include "played_clip.h"
#include "source_type.h"

typedef struct blend_player_object {
    source_object head;
    ct_blend_player *core;
    ct_sync *sync;
    size_t count;
    played_clip *played; // [count]
    PyObject *clips;     // tuple of Clip, as given
    blend_space_object *space;
    PyObject *params;  // tuple of canter.param, whose texts the core uses
    PyObject *markers; // tuple of str: what keeps the clips in step
    int speed;         // index of its name
} blend_player_object;

#endif
