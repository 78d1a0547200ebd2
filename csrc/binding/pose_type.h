// pose_type.h: canter.Pose, canter.PoseVelocity and canter.PoseDelta, batches of rows in the layout of layout.h.
//
// Each owns one NumPy array `rows` of shape (*batch, components, stride), float32, C-contiguous and read-only; their attributes are
// strided views of it.
#ifndef CANTER_POSE_TYPE_H
#define CANTER_POSE_TYPE_H

#include "binding.h"
#include "pose_delta.h"

typedef struct pose_object {
    PyObject_HEAD PyArrayObject *rows;
    size_t joint_count;
    ct_delta_side side; // of a delta; 0 in others
} pose_object;

// A new pose (or velocity, or delta, whose side the caller sets) of `type` whose rows the caller fills before anyone else sees it. The
// padding is not yet written.
pose_object *new_pose(PyTypeObject *type, size_t joint_count, size_t component_count, int batch_rank, const npy_intp *batch);

// A pose (or velocity, or delta) around an array of rows as above, which it takes over and makes read-only; NULL passes an exception on.
pose_object *wrap_rows(PyTypeObject *type, PyObject *rows, size_t joint_count);

// The rows of a pose, for the core.
ct_poses poses_of(const pose_object *pose);
ct_pose_velocities velocities_of(const pose_object *velocity);
ct_pose_deltas deltas_of(const pose_object *delta);

// `value` as a PoseDelta, or NULL with an exception that begins with `where`. Borrowed.
pose_object *to_pose_delta(module_state *state, PyObject *value, const char *where);

// "local", "parent", NULL: by ct_delta_side.
extern const char *const delta_sides[];

// What a layout has beside rotations, for messages: "translations and scales", "translations", or "rotations alone".
const char *parts_text(ct_layout layout);

// The number of batch dimensions and their sizes.
int batch_rank(const pose_object *pose);
const npy_intp *batch_shape(const pose_object *pose);

#endif
