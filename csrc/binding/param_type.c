// canter.param: a parameter by name.
#include <string.h>

#include "arguments.h"
#include "convert.h"
#include "source_type.h"

typedef struct param_object {
    PyObject_HEAD PyObject *name; // str without NUL, its UTF-8 cached
    const char *text;
} param_object;

int to_amount(module_state *state, PyObject *value, const char *where, ct_amount *amount)
{
    *amount = (ct_amount){0};
    if (Py_IS_TYPE(value, state->param_type)) {
        amount->name = ((param_object *)value)->text;
        return 0;
    }
    return to_double(value, where, &amount->fixed);
}

static PyObject *param_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static const signature s = {"param", 1, 1, {"/name", NULL}};
    PyObject *v[1];
    if (parse_new(&s, args, keywords, v) < 0) return NULL;
    if (!PyUnicode_Check(v[0]) || PyUnicode_GET_LENGTH(v[0]) == 0)
        return PyErr_Format(PyExc_TypeError, "param: name is %R, expected a str", v[0]);
    PyObject *name = PyUnicode_FromObject(v[0]);
    Py_ssize_t length;
    const char *text = name ? PyUnicode_AsUTF8AndSize(name, &length) : NULL;
    if (name && !text && PyErr_ExceptionMatches(PyExc_UnicodeError))
        PyErr_Format(PyExc_ValueError, "param: name is %R, with half a character (a surrogate)", name);
    if (text && strlen(text) != (size_t)length) {
        PyErr_Format(PyExc_ValueError, "param: name is %R, with a NUL inside", name);
        text = NULL;
    }
    param_object *self = text ? (param_object *)type->tp_alloc(type, 0) : NULL;
    if (!self) {
        Py_XDECREF(name);
        return NULL;
    }
    self->name = name;
    self->text = text;
    return (PyObject *)self;
}

static PyObject *get_name(PyObject *op, void *closure)
{
    (void)closure;
    return Py_NewRef(((param_object *)op)->name);
}

static PyObject *param_repr(PyObject *op) { return PyUnicode_FromFormat("param(%R)", ((param_object *)op)->name); }

static PyObject *param_reduce(PyObject *op, PyObject *ignored)
{
    (void)ignored;
    return Py_BuildValue("O(O)", Py_TYPE(op), ((param_object *)op)->name);
}

#define PARAM_OWNED(DO) DO(self->name);
OWNER_TYPE(param_object, PARAM_OWNED, (void)0)

PyDoc_STRVAR(param_doc, "param(name, /)\n--\n\n"
                        "A number that is given at each update, by name, where an option takes one: `Layer(aim, weight=param('aiming'))`.");

static PyGetSetDef param_attributes[] = {
    {"name", get_name, NULL, "The key in `params`.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef param_methods[] = {
    {"__reduce__", param_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot param_slots[] = {
    {Py_tp_new, param_new},
    {Py_tp_doc, (void *)(uintptr_t)param_doc},
    {Py_tp_dealloc, param_object_dealloc},
    {Py_tp_traverse, param_object_traverse},
    {Py_tp_repr, param_repr},
    {Py_tp_getset, param_attributes},
    {Py_tp_methods, param_methods},
    {0, NULL},
};

static PyType_Spec param_spec = {
    .name = "canter.param",
    .basicsize = sizeof(param_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = param_slots,
};

int add_param_type(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    return add_type(module, &param_spec, &state->param_type);
}
