// Parameters: a slot for each name, the same one whoever asks.
#include "parameters.h"

#include <string.h>

#include "check.h"
#include "failing_allocator.h"

static ct_error error;

static void test_names_have_one_slot_each(void)
{
    failing_allocator counted = {0};
    ct_allocator allocator = failing_allocator_use(&counted);
    ct_parameters parameters = ct_parameters_none(&allocator);
    char speed[] = "speed";
    size_t first, second, again;
    CHECK(ct_parameters_slot(&parameters, speed, &first, &error) == CT_OK);
    CHECK(ct_parameters_slot(&parameters, "aim", &second, &error) == CT_OK);
    speed[0] = 'S'; // names are copies
    CHECK(ct_parameters_slot(&parameters, "speed", &again, &error) == CT_OK);
    CHECK(first == 0 && second == 1 && again == 0 && parameters.count == 2);
    CHECK(strcmp(parameters.names[0], "speed") == 0);
    ct_parameters_release(&parameters);
    CHECK(counted.live == 0 && parameters.count == 0);
}

static void test_amounts_are_fixed_or_looked_up(void)
{
    ct_allocator allocator = ct_allocator_default();
    ct_parameters parameters = ct_parameters_none(&allocator);
    ct_amount fixed = {.fixed = 2.5}, named = {.name = "b"};
    size_t slot;
    CHECK(ct_parameters_slot(&parameters, "a", &slot, &error) == CT_OK);
    CHECK(ct_amount_bind(&fixed, &parameters, &error) == CT_OK && parameters.count == 1);
    CHECK(ct_amount_bind(&named, &parameters, &error) == CT_OK && parameters.count == 2);
    const double values[] = {7, 8};
    CHECK(ct_amount_of(&fixed, values) == 2.5 && ct_amount_of(&named, values) == 8);
    ct_parameters_release(&parameters);
}

static void test_a_name_that_finds_no_memory_changes_nothing(void)
{
    failing_allocator counted = {0};
    ct_allocator allocator = failing_allocator_use(&counted);
    ct_parameters parameters = ct_parameters_none(&allocator);
    size_t slot;
    CHECK(ct_parameters_slot(&parameters, "a", &slot, &error) == CT_OK);
    size_t calls = counted.calls;
    for (size_t n = 1; n <= 2; ++n) {
        counted.fail_at = calls + n, counted.calls = calls;
        CHECK(ct_parameters_slot(&parameters, "b", &slot, &error) == CT_OUT_OF_MEMORY);
        CHECK(parameters.count == 1);
    }
    ct_parameters_release(&parameters);
    CHECK(counted.live == 0);
}

int main(void)
{
    test_names_have_one_slot_each();
    test_amounts_are_fixed_or_looked_up();
    test_a_name_that_finds_no_memory_changes_nothing();
    return check_report();
}
