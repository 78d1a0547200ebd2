#include "batch.h"

#include <string.h>

#include "convert.h"

bool join_batch(batch *b, const pose_object *pose)
{
    const int rank = batch_rank(pose);
    const size_t bytes = (size_t)rank * sizeof *b->shape;
    if (rank == 0) return true;
    if (b->rank != 0) return b->rank == rank && memcmp(b->shape, batch_shape(pose), bytes) == 0;
    b->rank = rank;
    memcpy(b->shape, batch_shape(pose), bytes);
    return true;
}

static PyArrayObject *broadcast(PyArrayObject *numbers, npy_intp *aligned, npy_intp *shape, int rank)
{
    PyArray_Dims dims = {aligned, rank};
    PyObject *narrow = PyArray_Newshape(numbers, &dims, NPY_CORDER);
    PyObject *wide = narrow ? PyArray_SimpleNew(rank, shape, PyArray_TYPE(numbers)) : NULL;
    if (wide && PyArray_CopyInto((PyArrayObject *)wide, (PyArrayObject *)narrow) < 0) Py_CLEAR(wide);
    Py_XDECREF(narrow);
    return (PyArrayObject *)wide;
}

PyArrayObject *spread(PyArrayObject *numbers, int leading, const char *name, batch *b)
{
    const int rank = PyArray_NDIM(numbers) - leading;
    if (rank == 0) return (PyArrayObject *)Py_NewRef((PyObject *)numbers);
    if (b->rank == 0) {
        b->rank = rank;
        memcpy(b->shape, PyArray_DIMS(numbers) + leading, (size_t)rank * sizeof *b->shape);
        return (PyArrayObject *)Py_NewRef((PyObject *)numbers);
    }
    npy_intp aligned[NPY_MAXDIMS], shape[NPY_MAXDIMS];
    bool fits = rank <= b->rank;
    for (int i = 0; i < leading; ++i) aligned[i] = shape[i] = PyArray_DIM(numbers, i);
    for (int i = 0; fits && i < b->rank; ++i) {
        int from = i - (b->rank - rank), to = leading + i;
        aligned[to] = from < 0 ? 1 : PyArray_DIM(numbers, leading + from);
        shape[to] = b->shape[i];
        fits = aligned[to] == 1 || aligned[to] == shape[to];
    }
    if (fits) return broadcast(numbers, aligned, shape, leading + b->rank);
    char text[SHAPE_TEXT];
    PyErr_Format(PyExc_ValueError, "%s has shape %s, which does not fit the batch of the poses", name, shape_text(numbers, text));
    return NULL;
}
