// clip_methods.h: the methods of canter.Clip that live outside clip_type.c, for its table.
#ifndef CANTER_CLIP_METHODS_H
#define CANTER_CLIP_METHODS_H

#include "arguments.h"
#include "clip.h"

// What samples a clip by time takes besides: for `sample` of every kind of clip.
typedef struct sample_options {
    int interpolation, wrap, workers;
    bool velocity;
} sample_options;

// From interpolation, wrap, velocity and workers, each NULL for its default. `function` begins the messages.
int to_sample_options(const char *function, PyObject *const *values, sample_options *options);

// Times of any shape, finite, for a clip that has frames; NULL with an exception.
PyArrayObject *to_sample_times(const char *function, const ct_clip *core, PyObject *value);

// The words for ct_interpolation and ct_wrap.
extern const char *const interpolations[], *const wraps[];

KEYWORD_FUNCTION(clip_sample);
KEYWORD_FUNCTION(clip_velocities);
KEYWORD_FUNCTION(clip_resample);
KEYWORD_FUNCTION(clip_global_positions);
KEYWORD_FUNCTION(clip_global_rotations);
#define CLIP_SAMPLING_METHODS                                                                                                              \
    KEYWORD_METHOD("sample", clip_sample), KEYWORD_METHOD("velocities", clip_velocities), KEYWORD_METHOD("resample", clip_resample),       \
        KEYWORD_METHOD("global_positions", clip_global_positions), KEYWORD_METHOD("global_rotations", clip_global_rotations)

KEYWORD_FUNCTION(clip_sample_curves);
KEYWORD_FUNCTION(clip_events);
#define CLIP_TRACK_METHODS KEYWORD_METHOD("sample_curves", clip_sample_curves), KEYWORD_METHOD("events", clip_events)

KEYWORD_FUNCTION(clip_mirror);
KEYWORD_FUNCTION(clip_root_motion);
KEYWORD_FUNCTION(clip_in_place);
KEYWORD_FUNCTION(clip_with_root_motion);
KEYWORD_FUNCTION(clip_scaled);
KEYWORD_FUNCTION(clip_converted);
KEYWORD_FUNCTION(clip_grounded);
KEYWORD_FUNCTION(clip_with_rest_pose);
KEYWORD_FUNCTION(clip_rest_from);
KEYWORD_FUNCTION(clip_simplify_channels);
KEYWORD_FUNCTION(clip_tips_as_joints);
#define CLIP_EDIT_METHODS                                                                                                                  \
    KEYWORD_METHOD("mirror", clip_mirror), KEYWORD_METHOD("root_motion", clip_root_motion), KEYWORD_METHOD("in_place", clip_in_place),     \
        KEYWORD_METHOD("with_root_motion", clip_with_root_motion), KEYWORD_METHOD("scaled", clip_scaled),                                  \
        KEYWORD_METHOD("converted", clip_converted), KEYWORD_METHOD("grounded", clip_grounded),                                            \
        KEYWORD_METHOD("with_rest_pose", clip_with_rest_pose), KEYWORD_METHOD("with_rest_from", clip_rest_from),                           \
        KEYWORD_METHOD("simplify_channels", clip_simplify_channels), KEYWORD_METHOD("with_tips_as_joints", clip_tips_as_joints)

// Takes any number of clips, and options that Python checks.
PyObject *clip_view(PyObject *clip, PyObject *others, PyObject *options);
extern const char clip_view_doc[];
#define CLIP_VIEW_METHOD                                                                                                                   \
    {                                                                                                                                      \
        "view", (PyCFunction)(void (*)(void))clip_view, METH_VARARGS | METH_KEYWORDS, clip_view_doc                                        \
    }

#endif
