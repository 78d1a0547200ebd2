#include "played_clip.h"

#include <math.h>

#include "core_call.h"
#include "root_motion_type.h"

// Of a gait the sway and the turning of the hips are the pose's, not the character's way: they are smooth over two cycles.
static const double MOST_SMOOTHING = 3; // seconds

const ct_clip *core_of_played(const played_clip *played) { return played->on_spot ? played->on_spot : played->clip->core; }

void release_played_clip(played_clip *played)
{
    ct_clip_destroy(played->on_spot);
    ct_root_motion_destroy(played->measured);
    played->on_spot = NULL;
    played->measured = NULL;
}

static bool is_near(double a, double b) { return fabs(a - b) <= 1e-6 * fmax(a, b); }

static int take_motion(module_state *state, PyObject *value, const char *where, played_clip *out)
{
    char name[64];
    PyOS_snprintf(name, sizeof name, "%.40s: root_motion", where);
    root_motion_object *given = to_root_motion(state, value, name);
    if (!given) return -1;
    if (given->core->up != CT_PLUS_Y) {
        PyErr_Format(PyExc_ValueError, "%s has another axis up than +y; load the clip with up= first", name);
        return -1;
    }
    const ct_root_motion *motion = given->core;
    const ct_clip *clip = out->clip->core;
    double period = motion->looping ? (double)motion->step_count * motion->frame_time : ct_clip_period(clip);
    bool other = !is_near(motion->frame_time, clip->frame_time) || !is_near(period, ct_clip_period(clip));
    if (other && motion->frame_count == clip->frame_count) { // of other counts the core tells
        PyErr_Format(PyExc_ValueError, "%s has another frame time or period than the clip; measure it from this clip", name);
        return -1;
    }
    out->given_motion = Py_NewRef(value);
    out->motion = given->core;
    return 0;
}

static ct_status take_out(played_clip *out, ct_error *error)
{
    const ct_clip *clip = out->clip->core;
    ct_status status = CT_OK;
    if (!out->motion) {
        ct_root_options options = {
            .joint = CT_NOWHERE, .up = CT_PLUS_Y, .smoothing = clip->looping ? fmin(2 * ct_clip_period(clip), MOST_SMOOTHING) : 0};
        status = ct_root_motion_create(clip, active_kernels(), &options, &out->measured, error);
        out->motion = out->measured;
    }
    return status == CT_OK ? ct_clip_in_place(clip, out->motion, &out->on_spot, error) : status;
}

int take_played_clip(module_state *state, PyObject *value, PyObject *root_motion, const char *where, played_clip *out)
{
    char name[64];
    PyOS_snprintf(name, sizeof name, "%.50s: clip", where);
    clip_object *clip = to_clip(state, value, name);
    if (!clip) return -1;
    if (clip->core->frame_count == 0) {
        PyErr_Format(PyExc_ValueError, "%s has no frames, so there is nothing to play", name);
        return -1;
    }
    out->clip = (clip_object *)Py_NewRef((PyObject *)clip);
    if (root_motion == Py_False) return 0;
    if (root_motion && root_motion != Py_True && take_motion(state, root_motion, where, out) < 0) return -1;

    ct_error error;
    core_call call;
    enter_core(&call, work_of(clip));
    ct_status status = take_out(out, &error);
    leave_core(&call);
    if (status == CT_OK) return 0;
    raise_error(&error, where);
    return -1;
}
