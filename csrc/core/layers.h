// layers.h: sources on top of each other: an upper body over legs, a lean over a run.
//
// A stack begins with the rest pose of the skeleton. Its layers, in the order given, change what is below them, each by its weight times
// its mask at every joint:
//   override  poses take the place of what is below: rotations by nlerp the short way, all else linearly. Weights and masks are in 0 .. 1,
//             met within 1e-6; a joint at 0 keeps the bits below, at 1 it has those of the layer
//   additive  deltas are added to what is below, see pose_delta.h; weights and masks may be anything, their product at most
//             CT_MAX_DELTA_WEIGHT either way
// Every layer's clock runs, whatever its weight.
//
// In mesh space (mesh_space.h) rotations are relative to the character and not to the joint's parent: an arm that aims goes on aiming while
// the body below it leans, and a delta turns about the character's axes. It is for deltas of CT_SIDE_PARENT; translations and scales are as
// in local space.
//
// Root motion: the character stands; the first layer, when it is an override, and each override layer that says that it moves the character
// take the place of the motion below by their weights, whatever the masks. Additive layers never move it.
//
// Stretches that are played weigh what their layer weighs, times the largest number of its mask (for additive layers without sign, at most
// 1). An override layer without a mask takes its weight from all below; one with a mask leaves theirs as they are.
#ifndef CT_LAYERS_H
#define CT_LAYERS_H

#include "mesh_space.h"
#include "source.h"

typedef struct ct_layer {
    ct_source *source; // borrowed; when it is additive, so is the layer
    bool in_mesh_space;
    bool moves; // the character; an override layer
    ct_amount weight;
    const float *mask; // [joint_count], copied; NULL: 1 for all
} ct_layer;

typedef struct ct_stacked_layer {
    ct_layer layer; // its mask is [stride], within the bounds
    bool masked;    // else the mask is all 1
    double most;    // the largest number of the mask, without sign
} ct_stacked_layer;

typedef struct ct_layer_stack {
    ct_source source;
    ct_allocator allocator;
    const ct_kernels *kernels;
    ct_stacked_layer *layers; // [source.child_count]
    float *masks;             // [layer][stride]
    ct_mesh_space *mesh;      // NULL when no layer is in mesh space
} ct_layer_stack;

// CT_BAD_VALUE, its message beginning with `what`: a fixed weight or a mask (of `joint_count` numbers) out of bounds; `side`, that of an
// additive layer's deltas, is CT_SIDE_LOCAL in mesh space. The source is not looked at.
ct_status ct_layer_check(const ct_layer *layer, bool additive, ct_delta_side side, size_t joint_count, const char *what, ct_error *error);

// The layers of a stack, which may be none; the stack shows scales when a layer does. Skeleton and sources are borrowed; the sources are
// given back by ct_layer_stack_destroy. Fails: out of memory; CT_BAD_VALUE, naming the layer: a source that can't be adopted
// (ct_source_adopt), what ct_layer_check refuses. An update fails for a parameter that is out of bounds.
ct_status ct_layer_stack_create(const ct_allocator *allocator, const ct_kernels *kernels, const ct_skeleton *skeleton, size_t layer_count,
                                const ct_layer *layers, ct_layer_stack **out, ct_error *error);
void ct_layer_stack_destroy(ct_layer_stack *stack); // NULL is fine

#endif
