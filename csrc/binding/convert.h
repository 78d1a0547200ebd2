// convert.h: Python values to C values and back, each in one place.
//
// Every converter takes the name that the message shall give the value ("Clip: rotations") and returns NULL or -1 with an exception
// that says what was given and what was expected.
#ifndef CANTER_CONVERT_H
#define CANTER_CONVERT_H

#include <stdbool.h>

#include "binding.h"
#include "vector.h"

enum { ANY = -1 }; // a dimension of any length

// `value` as a C-contiguous aligned array of `type` (NPY_FLOAT, NPY_DOUBLE, NPY_INT32, NPY_INTP): a new reference, read-only use. Its
// shape is the callee's own even where its memory is the caller's; integers are always a copy. Numbers
// of any real type are taken for floats; only integers for integers (out of range: ValueError). The last `rank` dimensions must be
// shape[0..rank-1]; more leading dimensions are allowed when `batch`.
PyArrayObject *to_array(PyObject *value, int type, const char *name, int rank, const npy_intp *shape, bool batch);

// The caller's out array: exactly `type`, C-contiguous, writeable, of exactly this shape; or a new one when value is NULL or None. New
// reference.
PyArrayObject *to_out(PyObject *value, int type, const char *name, int rank, const npy_intp *shape);

// Fails when the memory of two results of one call, both C-contiguous, overlaps.
int check_apart(PyArrayObject *a, PyArrayObject *b, const char *name);

// Makes *input a copy of itself when its memory overlaps `out`, so that writing the result can't change what is still to be read. -1
// without memory.
int keep_apart(PyArrayObject **input, PyArrayObject *out);

// Fails unless all numbers of a float array are finite; the message names the first that is not, by index.
int check_finite(PyArrayObject *array, const char *name);

// to_array of a float type, then check_finite.
PyArrayObject *to_numbers(PyObject *value, int type, const char *name, int rank, const npy_intp *shape, bool batch);

// A read-only view of `size` memory that `owner` keeps alive.
PyObject *view_of(PyObject *owner, int type, int rank, const npy_intp *shape, const npy_intp *strides, const void *data);

int to_double(PyObject *value, const char *name, double *out);                          // any finite real number
int to_positive(PyObject *value, const char *name, double *out);                        // finite and above 0
int to_size(PyObject *value, const char *name, size_t *out);                            // an integer >= 0
int to_workers(PyObject *value, const char *function, int *out);                        // 1 or more, or -1; absent (NULL): 1
int to_bool(PyObject *value, const char *name, bool *out);                              // True or False, nothing that only looks like it
int to_choice(PyObject *value, const char *name, const char *const *choices, int *out); // index of a string; choices end in NULL

int to_axis(PyObject *value, const char *name, ct_axis *out); // "y", "+y", "-Y" and so on
const char *axis_name(ct_axis axis);                          // "+y"; "" for an unknown axis

// A sequence, `expected` in words, as a new tuple. A str is a sequence of its characters, which nobody means: refused.
PyObject *to_tuple(PyObject *value, const char *name, const char *expected);

// UTF-8 of the core as a str. Bytes that are none become lone surrogates, which go back into the core as the same bytes.
PyObject *text_of(const char *text);

// Puts `value`, which is taken over, under `key`; false with an exception, also when value is NULL.
bool put(PyObject *dict, const char *key, PyObject *value);

// "(3, 4)" into `text`, for messages.
enum { SHAPE_TEXT = 128 };
const char *shape_text(PyArrayObject *array, char text[SHAPE_TEXT]);

#endif
