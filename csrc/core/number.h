// number.h: decimal text to doubles and back, whatever the locale.
//
// Everything here is exact: what is read is the nearest double, what is written is the shortest text that reads back, or the nearest
// decimal of a given length. Nothing allocates.
#ifndef CT_NUMBER_H
#define CT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

// Reads the longest decimal number ([+-] digits [. digits] [e [+-] digits], a leading or trailing point allowed) that starts at `text` and
// ends before `end`. The value is the double nearest to it, ties to even; too large gives infinity. Returns the first character after the
// number, or `text` when there is none (then *value is not touched). "nan", "inf" and hexadecimal are no numbers here.
const char *ct_number_read(const char *text, const char *end, double *value);

enum { CT_NUMBER_SIZE = 400 }; // fits every double as a plain decimal of at most 17 significant digits

// The shortest plain decimal that reads back as `value` (no exponent, no locale), the nearest of them to the value; returns its length,
// not counting the final NUL. The value is finite (asserted); -0 is written as 0. About a microsecond.
size_t ct_number_write(double value, char text[CT_NUMBER_SIZE]);

// The same for a float: the shortest that reads back as this float.
size_t ct_number_write_float(float value, char text[CT_NUMBER_SIZE]);

// Rounded (exactly, ties to even) to at most `decimals` (0 to 9) digits after the point, trailing zeros kept out; 0 has no sign. The fast
// way for long tables, a few nanoseconds. From 2^52 on, where doubles have no fraction, as ct_number_write.
size_t ct_number_write_fixed(double value, int decimals, char text[CT_NUMBER_SIZE]);

#endif
