// layer_type.h: canter.Layer, what a LayerStack is made of: a source and how it goes on top of what is below.
#ifndef CANTER_LAYER_TYPE_H
#define CANTER_LAYER_TYPE_H

#include "binding.h"
#include "layers.h"

typedef struct layer_object {
    PyObject_HEAD PyObject
        *source;         // as it was given: additive layers have an AdditiveClip or a PoseDelta, others a pose source, Clip or Pose
    PyArrayObject *mask; // (J,) float32, its own, or NULL
    PyObject *weight;    // what the amount is made of; NULL: 1
    ct_layer options;    // all but its source; the mask is that of the array
    bool additive, moves;
} layer_object;

#endif
