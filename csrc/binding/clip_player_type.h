// clip_player_type.h: canter.ClipPlayer.
#ifndef CANTER_CLIP_PLAYER_TYPE_H
#define CANTER_CLIP_PLAYER_TYPE_H

#include "clip_player.h"
#include "played_clip.h"
#include "source_type.h"

typedef struct clip_player_object {
    source_object head;
    ct_clip_player *core;
    played_clip played;
    PyObject *rate; // what the amount is made of
} clip_player_object;

#endif
