#include "status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A cut must not leave half a character behind: the message goes to Python as UTF-8.
static void trim_partial_character(char *text)
{
    size_t length = strlen(text);
    size_t start = length;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80) --start;
    if (start == 0) return;

    unsigned char lead = (unsigned char)text[start - 1];
    size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (length - (start - 1) < wanted) text[start - 1] = '\0';
}

ct_status ct_fail(ct_error *error, ct_status code, const char *format, ...)
{
    if (!error) return code;
    *error = (ct_error){.code = code, .joint = CT_NOWHERE, .frame = CT_NOWHERE};

    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof error->message) trim_partial_character(error->message);
    return code;
}

ct_status ct_fail_memory(ct_error *error, const char *what) { return ct_fail(error, CT_OUT_OF_MEMORY, "not enough memory for %s", what); }
