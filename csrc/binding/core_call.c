#include "core_call.h"

// About 3 microseconds of forward kinematics, the cheapest work that is counted.
enum { SHORT_WORK = 512 };

static bool signalled(void *context)
{
    core_call *call = context;
    PyEval_RestoreThread(call->thread);
    bool stop = PyErr_CheckSignals() < 0; // does nothing outside the main thread
    call->thread = PyEval_SaveThread();
    return stop;
}

const ct_interrupt *enter_core(core_call *call, size_t work)
{
    *call = (core_call){NULL, {signalled, call}};
    if (work <= SHORT_WORK) return NULL;
    call->thread = PyEval_SaveThread();
    return &call->interrupt;
}

void leave_core(core_call *call)
{
    if (call->thread) PyEval_RestoreThread(call->thread);
}
