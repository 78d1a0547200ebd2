#include "parameters.h"

#include <string.h>

void ct_parameters_release(ct_parameters *parameters)
{
    for (size_t i = 0; i < parameters->count; ++i) ct_release(&parameters->allocator, parameters->names[i]);
    ct_release(&parameters->allocator, parameters->names);
    *parameters = ct_parameters_none(&parameters->allocator);
}

ct_status ct_parameters_slot(ct_parameters *parameters, const char *name, size_t *slot, ct_error *error)
{
    for (size_t i = 0; i < parameters->count; ++i) {
        if (strcmp(parameters->names[i], name) != 0) continue;
        *slot = i;
        return CT_OK;
    }
    size_t count = parameters->count, length = strlen(name) + 1;
    char *copy = ct_allocate(&parameters->allocator, length, 1);
    char **names = copy ? ct_grow(&parameters->allocator, parameters->names, count, count + 1, sizeof *names) : NULL;
    if (!names) {
        ct_release(&parameters->allocator, copy);
        return ct_fail_memory(error, "the names of parameters");
    }
    memcpy(copy, name, length);
    names[count] = copy;
    parameters->names = names;
    parameters->count = count + 1;
    *slot = count;
    return CT_OK;
}

ct_status ct_amount_bind(ct_amount *amount, ct_parameters *parameters, ct_error *error)
{
    return amount->name ? ct_parameters_slot(parameters, amount->name, &amount->slot, error) : CT_OK;
}
