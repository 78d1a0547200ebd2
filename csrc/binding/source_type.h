// source_type.h: canter.PoseSource, the base of all pose sources, and canter.Frame, what they show.
//
// A type in C that is a source embeds source_object as its head, derives from PoseSource (add_source_type), makes its core in tp_init
// (refusing a second call by source_begin), hands it over with source_finish and gives it back in its dealloc (OWNER_TYPE with
// SOURCE_OWNED and source_release). `update` and `reset` come from the base.
#ifndef CANTER_SOURCE_TYPE_H
#define CANTER_SOURCE_TYPE_H

#include "binding.h"
#include "skeleton_type.h"
#include "source.h"

typedef struct source_object {
    PyObject_HEAD ct_source *core; // NULL until it is made
    skeleton_object *skeleton;     // keeps core->skeleton alive
    PyObject *children;            // tuple of sources: those of core->children, in their order; NULL: none
    ct_stage *stage;               // made by the first update
    PyObject *parameter_names;     // tuple of str: of the stage's slots
    PyObject *shown;               // of a source written in Python: the last Frame, for the stretch that tells of it
    bool begun;                    // tp_init was called
} source_object;

#define SOURCE_OWNED(DO)                                                                                                                   \
    DO(self->head.skeleton);                                                                                                               \
    DO(self->head.children);                                                                                                               \
    DO(self->head.parameter_names);                                                                                                        \
    DO(self->head.shown);

// Makes a heap type that derives from PoseSource, keeps it in *slot and adds it to the module.
int add_source_type(PyObject *module, PyType_Spec *spec, PyTypeObject **slot);

// The beginning of a tp_init: -1 with an exception when one has begun already, though it failed or goes on (it may run Python code).
int source_begin(source_object *self, const char *type);

// The end of a tp_init: the made core, which the caller's dealloc destroys; takes new references to `skeleton` and `children` (may be
// NULL; their cores are already adopted; None for those that are no objects).
void source_finish(source_object *self, ct_source *core, skeleton_object *skeleton, PyObject *children);

// Lets go of the stage and the children, before the core is destroyed.
void source_release(source_object *self);

// `value` as a source that is made, or NULL with an exception that begins with `where`. Borrowed.
source_object *to_source_object(module_state *state, PyObject *value, const char *where);

// `value` as a source: one already, or a Clip, which gets a ClipPlayer. New reference; NULL with an exception that begins with `where`.
source_object *source_of(module_state *state, PyObject *value, const char *where);

// `value`, a number or canter.param, as an amount; the name lives as long as `value`, which the caller keeps.
int to_amount(module_state *state, PyObject *value, const char *where, ct_amount *amount);

// The stage of an outermost source, made when there is none yet; NULL with an exception, also when the source is part of another.
ct_stage *stage_of(source_object *self);

// Raises that `params`, a mapping, lacks a parameter; -1.
int fail_missing(const source_object *self, PyObject *params, PyObject *name);

// -1 with an exception when `params` is no mapping: `where` begins it.
int check_params(PyObject *params, const char *where);

// The number of a parameter in `params`, a mapping; -1 with an exception, also when it lacks it.
int take_parameter(const source_object *self, PyObject *params, PyObject *name, double *out);

// -1 with an exception when an update of it, or of what it is part of, is going on: `where` begins it.
int check_idle(const source_object *self, const char *where);

#endif
