// blend_player.h: the pose source that plays the clips of a blend space, each as much as parameters say, in step.
//
// The character moves by the weighted sum of what each clip moves it, in its own axes; so it travels at what the mix really travels, which
// is not the parameter: half of a walk of 1.3 m/s and a second, and half of a run of 3.5 m/s and 0.7 seconds, take 0.85 seconds for
// 1.875 m. ct_blend_player_cycle tells; CT_SPEED_RATE changes the rate until both agree, ct_blend_player_measure moves the samples instead.
#ifndef CT_BLEND_PLAYER_H
#define CT_BLEND_PLAYER_H

#include "blend.h"
#include "blend_space.h"
#include "source.h"
#include "sync.h"

// A clip at a sample; all borrowed.
typedef struct ct_blend_sample {
    const ct_clip *clip;          // on the spot (ct_clip_in_place) when there is a motion; has a frame
    const ct_root_motion *motion; // what was taken out of it; NULL: the character stays
    void *what;                   // for ct_played
} ct_blend_sample;

typedef enum ct_blend_speed {
    CT_SPEED_PARAMETER, // plays as fast as the clips
    CT_SPEED_RATE,      // plays so that it travels at the parameter (on a plane: its length)
} ct_blend_speed;

typedef struct ct_blend_player_options {
    const ct_blend_space *space;    // borrowed
    const ct_blend_sample *samples; // [space->sample_count] of equal skeletons (else refused); copied
    const ct_sync *sync;            // of these clips; borrowed
    ct_amount point[2];             // where in the space; as many as it has dimensions
    ct_blend_speed speed;
    ct_interpolation interpolation;
} ct_blend_player_options;

// What an update changes.
typedef struct ct_blend_state {
    ct_sync_place place; // of the clips in step
    double numbers[];    // [2][sample_count]: weights in the last frame, 0 before the first; seconds into each clip
} ct_blend_state;

typedef struct ct_blend_player {
    ct_source source;
    ct_allocator allocator;
    const ct_kernels *kernels;
    ct_blend_player_options options;
    size_t count;
    ct_blend_sample *samples; // [count]
    ct_vector *travels;       // [count] what each moves the character in a period, added up in its own axes
    double still;             // a blend that is slower than this stands, and keeps its rate
    ct_blend_part *parts;     // [count] of a frame
    ct_blend_state *state;
} ct_blend_player;

// A player at the start. Fails: out of memory; a clip of another skeleton.
ct_status ct_blend_player_create(const ct_allocator *allocator, const ct_kernels *kernels, const ct_blend_player_options *options,
                                 ct_blend_player **out, ct_error *error);
void ct_blend_player_destroy(ct_blend_player *player); // NULL is fine

static inline const double *ct_blend_player_weights(const ct_blend_player *player) { return player->state->numbers; }
static inline const double *ct_blend_player_times(const ct_blend_player *player) { return player->state->numbers + player->count; }

// What the player does when a point of its space is held.
typedef struct ct_blend_cycle {
    double duration; // seconds that the pattern of the clips in step takes; of clips on their own clocks alone: their mean period
    double stride;   // how far the character gets meanwhile
    double speed;    // stride / duration
    double rate;     // how fast the clips are played
} ct_blend_cycle;

// weights [sample_count] are filled. Fails: a rate that is no number.
ct_status ct_blend_player_cycle(const ct_blend_player *player, const double *point, double *weights, ct_blend_cycle *out, ct_error *error);

// The points of a space, [sample_count][dimensions], moved to where the mean speeds of the clips are: each keeps its direction from the
// origin; one at the origin stays.
void ct_blend_player_measure(const ct_blend_space *space, const ct_blend_sample *samples, double *points);

#endif
