// half_pi.h: the exact reduction of large angles.
#ifndef CT_HALF_PI_H
#define CT_HALF_PI_H

// x = (4 k + *quadrant) pi/2 + r: returns r, in -pi/4 .. pi/4 and right to the last bit or two for every x with |x| >= 1; *quadrant is 0
// to 3. NaN for infinities and NaN. Integer arithmetic alone, so the same bits everywhere; about 100 ns.
double ct_reduce_half_pi(double x, int *quadrant);

#endif
