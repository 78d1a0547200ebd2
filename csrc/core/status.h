// status.h: how the core says that something went wrong.
//
// A contract violation by C code is an assert. Bad data (a file, an array, a number from a user) returns a ct_status and
// fills the caller's ct_error. Nothing here prints, allocates or touches errno.
#ifndef CT_STATUS_H
#define CT_STATUS_H

#include <stddef.h>

typedef enum ct_status {
    CT_OK = 0,
    CT_OUT_OF_MEMORY, // the allocator returned NULL, or a size did not fit size_t
    CT_BAD_VALUE,     // a value that can't be used: the message says which, where, and what was expected
    CT_BAD_INDEX,     // an index or name that does not exist
    CT_BAD_FILE,      // a file that breaks its format; line and column are set
    CT_INTERRUPTED,   // the caller asked to stop (see parallel.h)
} ct_status;

enum { CT_MESSAGE_SIZE = 512 };
enum { CT_NOWHERE = -1 };

// Filled on failure only. A field that does not apply is 0 (line, column: 1-based) or CT_NOWHERE (joint, frame: 0-based).
typedef struct ct_error {
    ct_status code;
    size_t line, column;
    ptrdiff_t joint, frame;
    char message[CT_MESSAGE_SIZE]; // UTF-8, NUL-terminated, cut at a character when too long
} ct_error;

#if defined(__GNUC__)
#define CT_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define CT_PRINTF(format_index, first)
#endif

// Fills `error` (may be NULL) with code and message and returns `code`, so that a failure is one line:
//   if (bad) return ct_fail(error, CT_BAD_VALUE, "joint %zu has parent %d", j, parent);
// Never pass %f, %e or %g: they follow the locale (see number.h).
ct_status ct_fail(ct_error *error, ct_status code, const char *format, ...) CT_PRINTF(3, 4);

// Fills `error` for a failed allocation of `what` and returns CT_OUT_OF_MEMORY.
ct_status ct_fail_memory(ct_error *error, const char *what);

#endif
