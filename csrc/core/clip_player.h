// clip_player.h: the pose source that plays one clip, or an additive clip.
#ifndef CT_CLIP_PLAYER_H
#define CT_CLIP_PLAYER_H

#include "source.h"

typedef struct ct_clip_player_options {
    const ct_clip *clip;          // on the spot (ct_clip_in_place) when there is a motion; has a frame; borrowed
    bool additive;                // the clip is the frames of an additive clip (additive_clip.h)
    ct_delta_side side;           // of the additive clip
    const ct_root_motion *motion; // what was taken out of it; NULL: the character stays; borrowed
    ct_amount rate;               // clip seconds a second; negative: backward
    double start;                 // seconds into the clip, inside it
    ct_wrap wrap;
    ct_interpolation interpolation;
    void *what; // for ct_played
} ct_clip_player_options;

typedef struct ct_clip_player_state {
    double time; // in the clip
    bool ended;  // an end was met, and not left since
} ct_clip_player_state;

typedef struct ct_clip_player {
    ct_source source;
    ct_allocator allocator;
    const ct_kernels *kernels;
    ct_clip_player_options options;
    ct_root_motion motion; // that of the options, which goes round when the player does
    ct_clip_player_state state;
} ct_clip_player;

// A player at the start of its clip. Fails: out of memory.
ct_status ct_clip_player_create(const ct_allocator *allocator, const ct_kernels *kernels, const ct_clip_player_options *options,
                                ct_clip_player **out, ct_error *error);
void ct_clip_player_destroy(ct_clip_player *player); // NULL is fine

#endif
