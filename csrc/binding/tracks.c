#include "tracks.h"

#include <stdlib.h>

#include "additive_clip_type.h"
#include "clip_type.h"

enum { MOST_EVENTS = 1 << 24 };

tracks tracks_of(module_state *state, PyObject *what)
{
    if (PyObject_TypeCheck(what, state->clip_type)) {
        const clip_object *clip = (clip_object *)what;
        return (tracks){clip->core, clip->labels.markers, clip->labels.curves};
    }
    if (PyObject_TypeCheck(what, state->additive_clip_type)) {
        const additive_clip_object *clip = (additive_clip_object *)what;
        return (tracks){clip->core.frames, clip->markers, NULL};
    }
    return (tracks){0};
}

bool tell(told_list *list, told item)
{
    if (list->count == MOST_EVENTS) {
        PyErr_Format(PyExc_ValueError, "more than %d events happen in this time; ask for less of it at once", MOST_EVENTS);
        return false;
    }
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 16;
        told *items = PyMem_Realloc(list->items, room * sizeof *items);
        if (!items) return PyErr_NoMemory(), false;
        list->items = items;
        list->room = room;
    }
    item.sequence = list->count;
    list->items[list->count++] = item;
    return true;
}

static int by_order(const void *a, const void *b)
{
    const told *x = a, *y = b;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return x->sequence < y->sequence ? -1 : 1;
}

void sort_told(told_list *list)
{
    if (list->count > 1) qsort(list->items, list->count, sizeof *list->items, by_order);
}

void release_told(told_list *list)
{
    PyMem_Free(list->items);
    *list = (told_list){0};
}

PyObject *event_type(void)
{
    PyObject *module = PyImport_ImportModule("canter.event");
    PyObject *type = module ? PyObject_GetAttrString(module, "Event") : NULL;
    Py_XDECREF(module);
    return type;
}

static PyObject *new_event(PyObject *type, const told *item)
{
    PyObject *time = PyFloat_FromDouble(item->time), *weight = PyFloat_FromDouble(item->weight), *event = NULL;
    if (time && weight) event = PyObject_CallFunctionObjArgs(type, item->name, time, item->clip, weight, NULL);
    Py_XDECREF(time);
    Py_XDECREF(weight);
    return event;
}

PyObject *list_of_events(const told_list *events)
{
    PyObject *list = PyList_New((Py_ssize_t)events->count), *type = list ? event_type() : NULL;
    if (!type) Py_CLEAR(list);
    for (size_t i = 0; list && i < events->count; ++i) {
        PyObject *event = new_event(type, &events->items[i]);
        if (event)
            PyList_SET_ITEM(list, (Py_ssize_t)i, event);
        else
            Py_CLEAR(list);
    }
    Py_XDECREF(type);
    return list;
}
