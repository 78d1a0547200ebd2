// Decimal text is read to the nearest double and written as the shortest text that reads back, whatever the locale.
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "number.h"

static uint64_t random_state = 0x9E3779B97F4A7C15u;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545F4914F6CDD1Du;
}

static double random_double(void)
{
    for (;;) {
        uint64_t bits = random_bits();
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) return value;
    }
}

// What the C library reads, which is right in the C locale.
static bool reads_like_strtod(const char *text)
{
    double got = -12345.0, want = strtod(text, NULL);
    const char *end = ct_number_read(text, text + strlen(text), &got);
    bool same = *end == '\0' && memcmp(&got, &want, sizeof got) == 0;
    if (!same) printf("%.60s: read %.17g, expected %.17g, %zu characters left\n", text, got, want, strlen(end));
    return same;
}

static void test_numbers_as_files_write_them(void)
{
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+1",
                                        ".5",
                                        "-.5",
                                        "5.",
                                        "1e5",
                                        "1E+5",
                                        "1.25e-05",
                                        "8.33333e-03",
                                        "0.0333333",
                                        "00012.50",
                                        "123456.789012",
                                        "-179.999999",
                                        "3.1805546814635168e-15",
                                        "0.016666666666666666",
                                        "0.0417083750417",
                                        "12345678",
                                        "123456789",
                                        "1234567812345678",
                                        "0.12345678",
                                        "99999999.99999999"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) CHECK(reads_like_strtod(texts[i]));
}

static void test_the_number_ends_where_the_grammar_ends(void)
{
    static const struct {
        const char *text;
        int length;
        double value;
    } cases[] = {{"1.5-7", 3, 1.5}, {"1.5.5", 3, 1.5}, {"1e", 1, 1},       {"1e+", 1, 1},    {"1e5e5", 3, 1e5},
                 {"0x10", 1, 0},    {"1,5", 1, 1},     {"12 13", 2, 12.0}, {"1.#IND", 2, 1}, {"1e-2.5", 4, .01},
                 {"7\n8", 1, 7.0},  {"1-1", 1, 1},     {"4.e1x", 4, 40}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double value = -1;
        const char *end = ct_number_read(cases[i].text, cases[i].text + strlen(cases[i].text), &value);
        CHECK(end - cases[i].text == cases[i].length);
        CHECK(value == cases[i].value);
    }
    static const char *const none[] = {"", "-", "+", ".", "-.", "e5", "nan", "inf", "-inf", "+-1", "--1", ".e5", " 1", "x"};
    for (size_t i = 0; i < sizeof none / sizeof *none; ++i) {
        double value = -1;
        CHECK(ct_number_read(none[i], none[i] + strlen(none[i]), &value) == none[i]);
        CHECK(value == -1);
    }
}

static void test_nothing_is_read_behind_the_end(void)
{
    const char *text = "1234567890.1234567890e12";
    for (size_t length = 1; length <= strlen(text); ++length) {
        char *exact = malloc(length), copy[40] = {0}; // the sanitizer sees a byte too many
        memcpy(exact, text, length);
        memcpy(copy, text, length);
        double value = 0;
        const char *end = ct_number_read(exact, exact + length, &value);
        CHECK(value == strtod(copy, NULL));
        CHECK(end <= exact + length);
        free(exact);
    }
}

static void test_halves_round_to_even_and_edges_of_the_range_are_exact(void)
{
    static const char *const texts[] = {
        "9007199254740993",
        "9007199254740995",
        "9007199254740992.5",
        "9007199254740993.0000000000000000000000000001",
        "4503599627370497.5",
        "1e-400",
        "1e400",
        "-1e400",
        "1e308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1797693134862315807937289714053034150799341327100378269361737789804449682927647509466490179775872070963302864166928879109465555478"
        "5194040263065748867150582068190890200070838367627385484581771153176447573027006985557136695962284291481986083493647529271907416844"
        "4365510704342711559699508093042880",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.225073858507201e-308",
        "1e23",
        "8.5e22",
        "1e22",
        "1e-22",
        "1e-23",
        "6.631236846766476e-316",
        "0e999999999999",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "18446744073709551615",
        "18446744073709551616",
        "9999999999999999999",
        "10000000000000000000",
        "0.000000000000000000000000000000000000000000001e45"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) CHECK(reads_like_strtod(texts[i]));
}

static void test_thousands_of_digits(void)
{
    enum { DIGITS = 2000 };
    char text[DIGITS + 20];
    for (int round = 0; round < 40; ++round) {
        for (int i = 0; i < DIGITS; ++i) text[i] = (char)('0' + random_bits() % 10);
        text[random_bits() % DIGITS] = '.';
        if (round % 4 == 0) memset(text, '0', DIGITS / 2);
        if (round % 4 == 1) memset(text + 900, '0', DIGITS - 900);
        snprintf(text + DIGITS, 20, "e%d", (int)(random_bits() % 1000) - 1500);
        CHECK(reads_like_strtod(text));
    }
}

static void test_random_doubles_read_like_the_library(void)
{
    char text[2000];
    for (int i = 0; i < 60000; ++i) {
        double value = random_double();
        int digits = (int)(random_bits() % 25);
        snprintf(text, sizeof text, "%.*e", digits, value);
        CHECK(reads_like_strtod(text));

        // Everyday numbers: the fast ways.
        snprintf(text, sizeof text, "%.*f", (int)(random_bits() % 20), (double)(int64_t)random_bits() * 0x1p-55);
        CHECK(reads_like_strtod(text));
    }
}

static void test_exact_middles_between_doubles(void)
{
    char text[2000];
    for (int i = 0; i < 4000; ++i) {
        uint64_t bits = random_bits() >> 1;
        if (i % 3 == 0) bits >>= 12;                                                  // denormals
        if (i % 3 == 1) bits = bits << 12 >> 12 | (1000 + random_bits() % 100) << 52; // near 1: few digits
        double value, next;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value) || fabs(value) > 1e300) continue;
        next = nextafter(value, INFINITY);
        // A long double holds the middle, and printf writes all its digits.
        snprintf(text, sizeof text, "%.1150Lf", ((long double)value + (long double)next) / 2);
        CHECK(reads_like_strtod(text));
        strcat(text, "1");
        CHECK(reads_like_strtod(text));
    }
}

static void test_shortest_text_reads_back_and_no_shorter_text_does(void)
{
    char text[CT_NUMBER_SIZE], library[64];
    for (int i = 0; i < 20000; ++i) {
        double value = i % 2 ? random_double() : (double)(int64_t)random_bits() * 0x1p-50;
        double back;
        size_t length = ct_number_write(value, text);
        CHECK(strlen(text) == length && length < CT_NUMBER_SIZE);
        CHECK(ct_number_read(text, text + length, &back) == text + length && back == value);

        int digits = 1;
        for (; digits < 17; ++digits) {
            snprintf(library, sizeof library, "%.*e", digits - 1, value);
            if (strtod(library, NULL) == value) break;
        }
        int written = 0, zeros = 0; // significant digits in our text
        for (const char *c = text; *c; ++c) {
            if (*c < '0' || *c > '9') continue;
            if (*c == '0' && written + zeros == 0) continue;
            if (*c == '0')
                ++zeros;
            else
                written += zeros + 1, zeros = 0;
        }
        CHECK(written <= digits);
    }
}

static void test_known_texts(void)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.0, "0"},
                 {-0.0, "0"},
                 {1, "1"},
                 {-1.5, "-1.5"},
                 {0.1, "0.1"},
                 {1.0 / 3, "0.3333333333333333"},
                 {1e21, "1000000000000000000000"},
                 {1e-7, "0.0000001"},
                 {0.0417083750417, "0.0417083750417"},
                 {9007199254740993.0, "9007199254740992"},
                 {5e-324, NULL},
                 {1e23, "100000000000000000000000"},
                 {0.016666666666666666, "0.016666666666666666"},
                 {123456.75, "123456.75"},
                 {2e-3, "0.002"},
                 {1024, "1024"},
                 {4503599627370496.0, "4503599627370496"}};
    char text[CT_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        size_t length = ct_number_write(cases[i].value, text);
        if (cases[i].text)
            CHECK(strcmp(text, cases[i].text) == 0);
        else
            CHECK(length == 326 && text[325] == '5');
    }
    ct_number_write_float(0.1f, text);
    CHECK(strcmp(text, "0.1") == 0);
    ct_number_write_float(16777216.0f, text);
    CHECK(strcmp(text, "16777216") == 0);
    ct_number_write_float(-3.4028235e38f, text);
    CHECK(strncmp(text, "-340282350000", 13) == 0);
}

static void test_floats_read_back(void)
{
    char text[CT_NUMBER_SIZE];
    for (int i = 0; i < 20000; ++i) {
        uint32_t bits = (uint32_t)random_bits();
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        size_t length = ct_number_write_float(value, text);
        double back = 0;
        CHECK(ct_number_read(text, text + length, &back) == text + length);
        CHECK((float)back == value);
    }
}

static void test_fixed_decimals_are_rounded_exactly(void)
{
    char text[CT_NUMBER_SIZE], want[CT_NUMBER_SIZE];
    for (int i = 0; i < 100000; ++i) {
        int decimals = (int)(random_bits() % 10);
        double value = ldexp((double)(int64_t)random_bits(), -(int)(random_bits() % 90) - 11);
        if (i % 4 == 0) value = (double)((int64_t)random_bits() >> 44) / 64; // ties
        size_t length = ct_number_write_fixed(value, decimals, text);
        snprintf(want, sizeof want, "%.*f", decimals, value);
        if (decimals > 0) {
            for (size_t end = strlen(want); want[end - 1] == '0' || want[end - 1] == '.'; --end) {
                bool point = want[end - 1] == '.';
                want[end - 1] = '\0';
                if (point) break;
            }
        }
        if (strcmp(want, "-0") == 0) strcpy(want, "0");
        CHECK(strcmp(text, want) == 0);
        CHECK(length == strlen(text));
    }
    ct_number_write_fixed(-1e300, 6, text);
    CHECK(strlen(text) == 302);
    ct_number_write_fixed(5e-324, 9, text);
    CHECK(strcmp(text, "0") == 0);
}

static void test_the_locale_does_not_matter(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (!setlocale(LC_ALL, names[i])) continue;
        double value = 0;
        char text[CT_NUMBER_SIZE];
        const char *half = "0.5";
        CHECK(ct_number_read(half, half + 3, &value) == half + 3 && value == 0.5);
        ct_number_write_fixed(0.5, 3, text);
        CHECK(strcmp(text, "0.5") == 0);
    }
    setlocale(LC_ALL, "C");
}

int main(void)
{
    test_numbers_as_files_write_them();
    test_the_number_ends_where_the_grammar_ends();
    test_nothing_is_read_behind_the_end();
    test_halves_round_to_even_and_edges_of_the_range_are_exact();
    test_thousands_of_digits();
    test_random_doubles_read_like_the_library();
    test_exact_middles_between_doubles();
    test_shortest_text_reads_back_and_no_shorter_text_does();
    test_known_texts();
    test_floats_read_back();
    test_fixed_decimals_are_rounded_exactly();
    test_the_locale_does_not_matter();
    return check_report();
}
