// source.h: whatever shows a pose each frame: clips, blends, stacks of layers, machines.
//
// A source is moved on by dt seconds, then shows its pose, tells how the character moved on the ground meanwhile, and what it played of
// which clips. The pose stands on the spot: the character at the origin, facing +Z, +Y up; its way through the world is `root` alone.
//
// Sources nest: a parent updates its children, mixes what they show, and is a source itself. Whoever updates the outermost one owns a
// ct_stage: the parameters, and memory for what children show, measured once, so that a frame allocates nothing.
#ifndef CT_SOURCE_H
#define CT_SOURCE_H

#include "clip_clock.h"
#include "kernels.h"
#include "parameters.h"
#include "pose_delta.h"
#include "root_motion.h"

// A stretch of a clip that a source has played.
typedef struct ct_played {
    void *what; // of which clip: what the maker of the player said
    ct_stretch stretch;
    double weight; // the clip's part in the pose, 0 to 1
} ct_played;

// What a source shows. The caller gives the memory: of the row, and for played_most of the source in `played`.
typedef struct ct_frame {
    float *row; // of the source's layout: a pose, or a delta (pose_delta.h) when the source is additive
    ct_root_delta root;
    ct_played *played;
    size_t played_count;
} ct_frame;

// Rows for what children show. Passed by value: a child's rows are free again when it returns.
typedef struct ct_scratch {
    float *rows;
    size_t row_count, row_length;
} ct_scratch;

static inline float *ct_scratch_row(ct_scratch *scratch)
{
    float *row = scratch->rows;
    scratch->rows += scratch->row_length;
    --scratch->row_count;
    return row;
}

// How far to go, and what steers.
typedef struct ct_step {
    double dt;            // seconds, finite and not negative (the caller checks; asserted)
    const double *values; // by slot
    void *context;        // of the caller, for foreign sources
} ct_step;

typedef struct ct_source ct_source;

enum { CT_MAX_SOURCE_DEPTH = 100 }; // levels of sources in each other: updates and resets go down them on the machine's stack

typedef struct ct_source_ops {
    // Moves on by step->dt, then fills all of *out, appending to `played`. On failure (a value that can't be used; what a foreign source
    // says) the state may be anything: ct_stage_update puts it back.
    ct_status (*update)(ct_source *self, const ct_step *step, ct_scratch scratch, ct_frame *out, ct_error *error);
    // Back to the beginning. Only itself: children are reset by ct_source_reset.
    void (*reset)(ct_source *self);
    // Asks for the slots of its parameters. Only its own. NULL when it has none.
    ct_status (*bind)(ct_source *self, ct_parameters *parameters, ct_error *error);
} ct_source_ops;

// The head of every source: its first member, filled by whoever makes it; children are added with ct_source_adopt.
struct ct_source {
    const ct_source_ops *ops;
    const ct_skeleton *skeleton;
    ct_layout layout;     // of its rows; always with translations
    bool additive;        // its rows are deltas, which only an additive layer takes (layers.h)
    ct_delta_side side;   // of the deltas
    bool foreign;         // it, or one below it, runs code that is not the core's
    bool busy;            // an update or a reset of it is going on: for its owner, who lets nothing else happen to it or below it then
    size_t row_count;     // scratch rows that it needs itself, children aside
    size_t played_most;   // stretches that it tells at most, those of children included
    void *state;          // what an update changes, one flat block, so that it can be kept and put back; NULL: nothing
    size_t state_size;    // bytes
    size_t depth;         // levels below it
    ct_source *parent;    // NULL: the outermost
    ct_source **children; // [child_count] borrowed, as are the sources: their owner keeps them longer than this one
    size_t child_count;
};

// Makes `child` one of `parent`, whose arrays have room for it. Fails when it has a parent already (two would move it on twice), is busy,
// has another skeleton, holds the parent itself, or is nested too deep. `what` names the child in the message ("layer 1").
ct_status ct_source_adopt(ct_source *parent, ct_source *child, const char *what, ct_error *error);

// Lets the children go: for a parent that is destroyed.
void ct_source_release_children(ct_source *parent);

// Resets it and all below.
void ct_source_reset(ct_source *source);

// Updates a child into `row`, of the parent's layout: scales that the child does not have are 1. Its stretches are appended to those of
// `out`, weighed by `weight`; *root gets its root motion.
ct_status ct_source_update_child(ct_source *child, const ct_step *step, ct_scratch scratch, ct_layout layout, double weight, float *row,
                                 ct_root_delta *root, ct_frame *out, ct_error *error);

// ------------------------------------------------------------------------------------------------------------------------- the stage

// What the outermost source plays on.
typedef struct ct_stage {
    ct_allocator allocator;
    ct_source *source;
    ct_parameters parameters;
    double *values; // [parameters.count], for the caller to fill before an update
    ct_scratch scratch;
    ct_played *played;
    unsigned char *kept; // [state_size] the states before an update
    size_t state_size;   // bytes of the states of the source and all below
} ct_stage;

// Measures a source and all below. The source must have no parent, and nothing below may change while the stage is in use,
// nor another stage be made with any of them (each gives the parameters slots of its own). Fails: out of
// memory; CT_BAD_VALUE for a source that has a parent.
ct_status ct_stage_create(const ct_allocator *allocator, ct_source *source, ct_stage **out, ct_error *error);
void ct_stage_destroy(ct_stage *stage); // NULL is fine

// One frame, into `row`. `frame` gets the rest; its `played` are the stage's, until the next update. When it fails nothing has changed but
// what foreign sources did themselves.
ct_status ct_stage_update(ct_stage *stage, double dt, void *context, float *row, ct_frame *frame, ct_error *error);

// The states of all sources but foreign ones, kept in [state_size] bytes, and put back.
void ct_stage_keep(const ct_stage *stage, unsigned char *kept);
void ct_stage_put_back(ct_stage *stage, const unsigned char *kept);

#endif
