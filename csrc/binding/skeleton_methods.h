// skeleton_methods.h: the methods of canter.Skeleton that live outside skeleton_type.c, for its table.
#ifndef CANTER_SKELETON_METHODS_H
#define CANTER_SKELETON_METHODS_H

#include "arguments.h"

// skeleton_lookup.c: which joints
KEYWORD_FUNCTION(skeleton_index);
KEYWORD_FUNCTION(skeleton_chain);
KEYWORD_FUNCTION(skeleton_branch);
KEYWORD_FUNCTION(skeleton_children);
KEYWORD_FUNCTION(skeleton_mask);

// skeleton_kinematics.c: where they are
KEYWORD_FUNCTION(skeleton_forward_kinematics);
KEYWORD_FUNCTION(skeleton_matrices);
KEYWORD_FUNCTION(skeleton_palette);
KEYWORD_FUNCTION(skeleton_tip_positions);

// mirror_methods.c
KEYWORD_FUNCTION(skeleton_mirror_map);
PyObject *skeleton_sides(PyObject *op, void *closure); // getter

#endif
