// simd.h: which kernels this process uses.
#ifndef CANTER_SIMD_H
#define CANTER_SIMD_H

#include "kernels.h"

// Chosen once when the module is first imported: the level that CANTER_SIMD names, else the best of the machine.
const ct_kernels *active_kernels(void);

// Makes the choice; -1 with an ImportError when CANTER_SIMD names no level of this machine.
int choose_kernels(void);

#endif
