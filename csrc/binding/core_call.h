// core_call.h: calling the core for long work: without the GIL, and open to Ctrl-C.
//
//   core_call call;
//   ct_status status = ct_...(..., enter_core(&call, work), &error);
//   leave_core(&call);
#ifndef CANTER_CORE_CALL_H
#define CANTER_CORE_CALL_H

#include "binding.h"
#include "parallel.h"

typedef struct core_call {
    PyThreadState *thread; // NULL while the GIL is held
    ct_interrupt interrupt;
} core_call;

// Releases the GIL when `work` (joints or vertices times poses) takes longer than giving it away does. Returns what the core shall ask
// whether to stop: NULL for short work. No Python object may be touched until leave_core.
const ct_interrupt *enter_core(core_call *call, size_t work);
void leave_core(core_call *call);

#endif
