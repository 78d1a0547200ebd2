#include "number.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

// Rare ways, kept out of the fast ones so that these need no stack.
#define RARE __attribute__((noinline))

enum {
    DOUBLE_BITS = 53,         // of precision
    DOUBLE_LOWEST = -1074,    // exponent of the last bit of the smallest doubles
    FLOAT_BITS = 24,          // the same of floats
    FLOAT_LOWEST = -149,      //
    MAX_DIGITS = 19,          // always fit 64 bits
    MAX_BIG_DIGITS = 800,     // a double and the middle to its neighbour end within 768 digits
    EXPONENT_LIMIT = 1000000, // as good as infinite
};

// --- integers of many words --------------------------------------------------------------------------------------------------------

// The largest numbers below are 801 digits and 5^1131, some 2700 bits.
enum { BIG_WORDS = 100 };

typedef struct big {
    uint32_t words[BIG_WORDS]; // the lowest first
    size_t count;              // without leading zero words; 0 is zero
} big;

static void big_set(big *a, uint64_t value)
{
    a->count = 0;
    for (; value; value >>= 32) a->words[a->count++] = (uint32_t)value;
}

// a = a * factor + addend
static void big_multiply(big *a, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (size_t i = 0; i < a->count; ++i) {
        carry += (uint64_t)a->words[i] * factor;
        a->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    assert(a->count < BIG_WORDS);
    if (carry) a->words[a->count++] = (uint32_t)carry;
}

static void big_multiply_by_power_of_5(big *a, size_t power)
{
    for (; power >= 13; power -= 13) big_multiply(a, 1220703125, 0); // 5^13, the largest that fits a word
    for (; power > 0; --power) big_multiply(a, 5, 0);
}

static void big_shift_left(big *a, size_t bits)
{
    size_t words = bits / 32, rest = bits % 32;
    if (a->count == 0 || bits == 0) return;
    assert(a->count + words < BIG_WORDS);

    uint32_t above = 0;
    for (size_t i = a->count; i-- > 0;) {
        uint32_t word = a->words[i];
        a->words[i + words + 1] = above << rest | (rest ? word >> (32 - rest) : 0);
        above = word;
    }
    a->words[words] = above << rest;
    memset(a->words, 0, words * sizeof *a->words);
    a->count += words + 1;
    while (a->words[a->count - 1] == 0) --a->count;
}

static int big_compare(const big *a, const big *b)
{
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    for (size_t i = a->count; i-- > 0;) {
        if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
    }
    return 0;
}

static void big_add(big *a, const big *b)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < b->count || carry; ++i) {
        if (i == a->count) {
            assert(a->count < BIG_WORDS);
            a->words[a->count++] = 0;
        }
        carry += (uint64_t)a->words[i] + (i < b->count ? b->words[i] : 0);
        a->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

// a -= b, where a is not smaller.
static void big_subtract(big *a, const big *b)
{
    uint64_t borrow = 0;
    for (size_t i = 0; i < a->count; ++i) {
        uint64_t difference = (uint64_t)a->words[i] - (i < b->count ? b->words[i] : 0) - borrow;
        a->words[i] = (uint32_t)difference;
        borrow = difference >> 63;
    }
    while (a->count > 0 && a->words[a->count - 1] == 0) --a->count;
}

static int big_bits(const big *a) { return a->count ? (int)a->count * 32 - __builtin_clz(a->words[a->count - 1]) : 0; }

// --- reading -----------------------------------------------------------------------------------------------------------------------

// The double nearest to (top + rest) * 2^exponent, ties to even; 0 <= rest < 2 and rest is 0 unless `sticky`. The highest bit of top is
// set.
static double round_to_double(uint64_t top, bool sticky, ptrdiff_t exponent)
{
    ptrdiff_t shift = 64 - DOUBLE_BITS;
    if (exponent + shift < DOUBLE_LOWEST) shift = DOUBLE_LOWEST - exponent; // denormals have fewer bits
    if (shift > 64) return 0.0;                                             // below half of the smallest

    uint64_t mantissa = shift < 64 ? top >> shift : 0;
    uint64_t cut = shift < 64 ? top << (64 - shift) : top;
    const uint64_t half = (uint64_t)1 << 63;
    if (cut > half || (cut == half && (sticky || mantissa & 1))) ++mantissa;

    // The mantissa's highest bit counts one up in the exponent field, and so does a mantissa that was rounded up to a power of two.
    ptrdiff_t field = exponent + shift - DOUBLE_LOWEST;
    uint64_t bits = field > 2045 ? (uint64_t)2047 << 52 : ((uint64_t)field << 52) + mantissa;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// -magnitude when negative; no branch, since signs can't be predicted.
static inline double with_sign(double magnitude, bool negative)
{
    uint64_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    bits |= (uint64_t)negative << 63;
    memcpy(&magnitude, &bits, sizeof bits);
    return magnitude;
}

static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const uint64_t powers_of_10[] = {1,
                                        10,
                                        100,
                                        1000,
                                        10000,
                                        100000,
                                        1000000,
                                        10000000,
                                        100000000,
                                        1000000000,
                                        10000000000,
                                        100000000000,
                                        1000000000000,
                                        10000000000000,
                                        100000000000000,
                                        1000000000000000,
                                        10000000000000000,
                                        100000000000000000,
                                        1000000000000000000,
                                        10000000000000000000u};

static uint64_t power_of_5(ptrdiff_t power)
{
    assert(power <= 27);
    return power <= 19 ? powers_of_10[power] >> power : (powers_of_10[19] >> 19) * (powers_of_10[power - 19] >> (power - 19));
}

// mantissa * 10^exponent where one 128-bit product or quotient holds it; false when it does not.
static bool scale_in_128_bits(uint64_t mantissa, ptrdiff_t exponent, double *value)
{
    if (mantissa == 0 || exponent > 19 || exponent < -27) return false;

    if (exponent >= 0) {
        uint128 product = (uint128)mantissa * powers_of_10[exponent];
        uint64_t high = (uint64_t)(product >> 64);
        int zeros = high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)product);
        product <<= zeros;
        *value = round_to_double((uint64_t)(product >> 64), (uint64_t)product != 0, 64 - zeros);
        return true;
    }

    // Both have their highest bit set, so the quotient has 63 or 64 bits.
    uint64_t divisor = power_of_5(-exponent);
    int up = __builtin_clzll(mantissa), divisor_up = __builtin_clzll(divisor);
    uint128 numerator = (uint128)(mantissa << up) << 63;
    divisor <<= divisor_up;
    uint64_t quotient = (uint64_t)(numerator / divisor);
    bool sticky = numerator % divisor != 0;
    int zeros = __builtin_clzll(quotient);
    *value = round_to_double(quotient << zeros, sticky, exponent - 63 - up + divisor_up - zeros);
    return true;
}

// digits * 10^exponent by long division.
static double divide_exactly(big *digits, ptrdiff_t exponent)
{
    big divisor;
    big_set(&divisor, 1);
    if (exponent >= 0) big_multiply_by_power_of_5(digits, (size_t)exponent);
    if (exponent < 0) big_multiply_by_power_of_5(&divisor, (size_t)-exponent);

    // With equal lengths the quotient is between 1/2 and 2: its first bits come out one by one.
    int up = big_bits(&divisor) - big_bits(digits);
    if (up > 0) big_shift_left(digits, (size_t)up);
    if (up < 0) big_shift_left(&divisor, (size_t)-up);
    uint64_t quotient = 0;
    for (int i = 0; i < 64; ++i) {
        bool bit = big_compare(digits, &divisor) >= 0;
        if (bit) big_subtract(digits, &divisor);
        quotient = quotient << 1 | bit;
        big_shift_left(digits, 1);
    }
    int zeros = __builtin_clzll(quotient);
    return round_to_double(quotient << zeros, digits->count != 0, exponent - 63 - up - zeros);
}

static bool is_digit(char c) { return (unsigned char)(c - '0') < 10; }

// The digits from `text` to `end`, a point among them or not, times 10^exponent. The first of them is not 0.
static double read_digit_by_digit(const char *text, const char *end, ptrdiff_t exponent)
{
    big digits;
    big_set(&digits, 0);
    int count = 0;
    bool more = false; // anything but zeros after the first MAX_BIG_DIGITS?
    for (; text < end; ++text) {
        if (*text == '.') continue;
        if (count++ < MAX_BIG_DIGITS) {
            big_multiply(&digits, 10, (uint32_t)(*text - '0'));
        } else {
            ++exponent;
            more |= *text != '0';
        }
    }
    if (more) {
        big_multiply(&digits, 10, 1);
        --exponent;
    }
    return divide_exactly(&digits, exponent);
}

// Any digits from `text` to `end`, a point among them or not; `exponent` is that of the last one.
static double read_any_digits(const char *text, const char *end, ptrdiff_t exponent)
{
    while (text < end && (*text == '0' || *text == '.')) ++text;

    uint64_t first = 0; // up to MAX_DIGITS of them
    ptrdiff_t count = 0;
    for (const char *at = text; at < end; ++at) {
        if (*at == '.') continue;
        if (count++ < MAX_DIGITS) first = first * 10 + (uint64_t)(*at - '0');
    }
    if (count == 0 || count + exponent < -330) return 0.0;
    if (count + exponent > 310) return round_to_double((uint64_t)1 << 63, false, 2000);

    // Nearly always the first digits settle it: all that the others can add rounds to the same double.
    ptrdiff_t rest = count > MAX_DIGITS ? count - MAX_DIGITS : 0;
    double low, high;
    if (scale_in_128_bits(first, exponent + rest, &low)) {
        if (rest == 0) return low;
        if (scale_in_128_bits(first + 1, exponent + rest, &high) && low == high) return low;
    }
    return read_digit_by_digit(text, end, exponent);
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
// 8 bytes of text, each as byte ^ '0', so that digits are 0 to 9; the lowest byte is the first.
static inline uint64_t load_digits(const char *text)
{
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    return bytes ^ 0x3030303030303030u;
}

// The high bit of the first byte that is no digit; bits above it mean nothing. 0 when all are digits.
static inline uint64_t first_other(uint64_t bytes)
{
    // A byte from 10 to 127 sets its high bit in the sum. A carry leaves only bytes from 128 on, so the first mark is right.
    return ((bytes + 0x7676767676767676u) | bytes) & 0x8080808080808080u;
}

// 8 digits as one number. Neighbours are joined to pairs p0 .. p3 in lanes of 16 bits; then p0 10^6 + p2 10^2 and p1 10^4 + p3 come out
// in the upper halves of two products.
static inline uint64_t join_digits(uint64_t bytes)
{
    const uint64_t every_other_pair = 0x000000FF000000FFu;
    uint64_t pairs = bytes * 10 + (bytes >> 8);
    uint64_t even = (pairs & every_other_pair) * ((1000000ull << 32) + 100);
    uint64_t odd = (pairs >> 16 & every_other_pair) * ((10000ull << 32) + 1);
    return (even + odd) >> 32;
}
#endif

// Appends the digits at `text` to *mantissa (modulo 2^64) and returns where they end.
static const char *read_digits(const char *text, const char *end, uint64_t *mantissa)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - text >= 8) {
        uint64_t bytes = load_digits(text);
        if (first_other(bytes)) break;
        *mantissa = *mantissa * 100000000 + join_digits(bytes);
        text += 8;
    }
#endif
    for (; text < end && is_digit(*text); ++text) *mantissa = *mantissa * 10 + (uint64_t)(*text - '0');
    return text;
}

// The exponent after the digits, "e-5"; leaves `text` alone when there is none.
static const char *read_exponent(const char *text, const char *end, ptrdiff_t *exponent)
{
    const char *at = text + 1;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) ++at;
    if (at == end || !is_digit(*at)) return text;

    ptrdiff_t value = 0;
    for (; at < end && is_digit(*at); ++at) {
        if (value < EXPONENT_LIMIT) value = value * 10 + (*at - '0');
    }
    *exponent += negative ? -value : value;
    return at;
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
// The numbers of most files, 1 to 7 digits, a point, 1 to 8 digits, without a branch that depends on them. NULL when it is another one.
static inline const char *read_usual(const char *text, double *value)
{
    const bool negative = *text == '-';
    const char *whole = text + (negative | (*text == '+'));
    uint64_t whole_bytes = load_digits(whole), whole_end = first_other(whole_bytes);
    if (!whole_end || whole_end & 0x80) return NULL; // 8 digits or none
    unsigned whole_bits = (unsigned)__builtin_ctzll(whole_end) - 7;

    const char *fraction = whole + whole_bits / 8 + 1;
    uint64_t bytes = load_digits(fraction), fraction_end = first_other(bytes);
    unsigned bits = fraction_end ? (unsigned)__builtin_ctzll(fraction_end) - 7 : 64;
    const char *end = fraction + bits / 8;
    if (fraction[-1] != '.' || bits == 0 || is_digit(*end) || (*end | 0x20) == 'e') return NULL;

    uint64_t mantissa = join_digits(whole_bytes << (64 - whole_bits)) * powers_of_10[bits / 8] + join_digits(bytes << (64 - bits));
    double magnitude = (double)(int64_t)mantissa / exact_powers[bits / 8]; // both exact
    *value = with_sign(magnitude, negative);
    return end;
}
enum { USUAL_LENGTH = 24 }; // as many bytes it may look at
#endif

RARE static const char *read_unusual(const char *text, const char *end, double *value)
{
    const char *at = text;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) ++at;

    const char *digits = at;
    uint64_t mantissa = 0;
    ptrdiff_t exponent = 0;
    at = read_digits(at, end, &mantissa);
    ptrdiff_t digit_count = at - digits;
    if (at < end && *at == '.') {
        const char *fraction = at + 1;
        at = read_digits(fraction, end, &mantissa);
        exponent = fraction - at;
        digit_count -= exponent;
    }
    if (digit_count == 0) return text;
    const char *digits_end = at;
    if (at < end && (*at == 'e' || *at == 'E')) at = read_exponent(at, end, &exponent);

    double magnitude;
    if (digit_count > MAX_DIGITS) {
        magnitude = read_any_digits(digits, digits_end, exponent);
    } else if (mantissa <= (uint64_t)1 << DOUBLE_BITS && exponent >= -22 && exponent <= 22) {
        // Both are doubles to the last bit, so one operation rounds once.
        magnitude = exponent < 0 ? (double)mantissa / exact_powers[-exponent] : (double)mantissa * exact_powers[exponent];
    } else if (!scale_in_128_bits(mantissa, exponent, &magnitude)) {
        magnitude = read_any_digits(digits, digits_end, exponent);
    }
    *value = with_sign(magnitude, negative);
    return at;
}

const char *ct_number_read(const char *text, const char *end, double *value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (end - text >= USUAL_LENGTH) {
        const char *usual_end = read_usual(text, value);
        if (usual_end) return usual_end;
    }
#endif
    return read_unusual(text, end, value);
}

// --- writing -----------------------------------------------------------------------------------------------------------------------

// The shortest digits that read back as mantissa * 2^exponent, a number of a type with `precision` bits whose smallest step is 2^lowest.
// The value is 0.d1 d2 d3 ... * 10^point. Steele and White, How to Print Floating-Point Numbers Accurately, 1990. Returns their count.
static int shortest_digits(uint64_t mantissa, int exponent, int precision, int lowest, char digits[20], int *point)
{
    // remainder / scale is the value; below / scale and above / scale are half the way to its neighbours. The neighbour below a power
    // of two is nearer. Twice or four times everything keeps the halves whole.
    bool uneven = mantissa == (uint64_t)1 << (precision - 1) && exponent > lowest;
    int doublings = uneven ? 2 : 1;
    big remainder, scale, below, above;
    big_set(&remainder, mantissa);
    big_set(&scale, 1);
    big_set(&below, 1);
    big_shift_left(&remainder, (size_t)(doublings + (exponent > 0 ? exponent : 0)));
    big_shift_left(&scale, (size_t)(doublings + (exponent < 0 ? -exponent : 0)));
    big_shift_left(&below, (size_t)(exponent > 0 ? exponent : 0));
    above = below;
    if (uneven) big_shift_left(&above, 1);

    // value >= 2^log2 > 10^(point - 1) for this first guess; it may be too low.
    int log2 = 63 - __builtin_clzll(mantissa) + exponent;
    int guess = (int)((double)log2 * 0.30102999566398114) - (log2 < 0);
    if (guess > 0) {
        big_multiply_by_power_of_5(&scale, (size_t)guess);
        big_shift_left(&scale, (size_t)guess);
    } else {
        big *const grown[] = {&remainder, &below, &above};
        for (int i = 0; i < 3; ++i) {
            big_multiply_by_power_of_5(grown[i], (size_t)-guess);
            big_shift_left(grown[i], (size_t)-guess);
        }
    }
    const int limit = (mantissa & 1) == 0 ? 0 : 1; // the middle to a neighbour reads back as the even one
    for (;; ++guess) {
        big sum = remainder;
        big_add(&sum, &above);
        if (big_compare(&sum, &scale) < limit) break;
        big_multiply(&scale, 10, 0);
    }
    *point = guess;

    for (int count = 0;;) {
        big_multiply(&remainder, 10, 0);
        big_multiply(&below, 10, 0);
        big_multiply(&above, 10, 0);
        int digit = 0;
        for (; big_compare(&remainder, &scale) >= 0; ++digit) big_subtract(&remainder, &scale);

        big sum = remainder;
        big_add(&sum, &above);
        bool low = big_compare(&remainder, &below) < 1 - limit; // this digit will do
        bool high = big_compare(&sum, &scale) > limit - 1;      // the next one will do
        if (!low && !high) {
            digits[count++] = (char)('0' + digit);
            continue;
        }
        if (low && high) {
            big_shift_left(&remainder, 1);
            high = big_compare(&remainder, &scale) >= 0;
        }
        digits[count++] = (char)('0' + digit + (high ? 1 : 0));
        return count;
    }
}

static size_t write_plain(bool negative, const char *digits, int count, int point, char *text)
{
    char *at = text;
    if (negative) *at++ = '-';
    if (point <= 0) *at++ = '0';
    for (int i = 0; i < point; ++i) *at++ = i < count ? digits[i] : '0';
    if (count > point) *at++ = '.';
    for (int i = point; i < count; ++i) *at++ = i < 0 ? '0' : digits[i];
    *at = '\0';
    return (size_t)(at - text);
}

// The number of a type as in shortest_digits whose exponent field is `field` and whose fraction bits are `fraction`.
static size_t write_shortest(bool negative, int field, uint64_t fraction, int precision, int lowest, char *text)
{
    uint64_t mantissa = field > 0 ? fraction | (uint64_t)1 << (precision - 1) : fraction;
    if (mantissa == 0) return write_plain(false, "0", 1, 1, text);

    char digits[20];
    int point;
    int count = shortest_digits(mantissa, (field > 0 ? field - 1 : 0) + lowest, precision, lowest, digits, &point);
    return write_plain(negative, digits, count, point, text);
}

size_t ct_number_write(double value, char text[CT_NUMBER_SIZE])
{
    assert(value - value == 0.0);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return write_shortest(bits >> 63, (int)(bits >> 52 & 2047), bits << 12 >> 12, DOUBLE_BITS, DOUBLE_LOWEST, text);
}

size_t ct_number_write_float(float value, char text[CT_NUMBER_SIZE])
{
    assert(value - value == 0.0f);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return write_shortest(bits >> 31, (int)(bits >> 23 & 255), bits << 9 >> 9, FLOAT_BITS, FLOAT_LOWEST, text);
}

// Writes the digits of `value` so that they end before `end`; returns the first.
static char *write_backwards(uint64_t value, char *end)
{
    do {
        *--end = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    return end;
}

// The mantissa (up to 54 bits) times 10^decimals over 2^shift (up to 100), rounded to even. The product has up to 84 bits and is exact.
static inline uint128 scale_and_round(uint64_t mantissa, int decimals, int shift)
{
    uint128 one = (uint128)1 << shift;
    uint128 sum = (uint128)mantissa * powers_of_10[decimals] + (one >> 1);
    uint128 rounded = sum >> shift;
    return sum & (one - 1) ? rounded : rounded & ~(uint128)1;
}

RARE static size_t write_slowly(uint64_t mantissa, int shift, bool negative, int decimals, char *text)
{
    uint128 rounded = scale_and_round(mantissa, decimals, shift);
    uint64_t whole = (uint64_t)(rounded / powers_of_10[decimals]), fraction = (uint64_t)(rounded % powers_of_10[decimals]);
    char *at = text;
    if (negative && rounded) *at++ = '-';
    char digits[20], *first = write_backwards(whole, digits + sizeof digits);
    size_t length = (size_t)(digits + sizeof digits - first);
    memcpy(at, first, length);
    at += length;
    if (fraction) {
        *at++ = '.';
        for (; fraction % 10 == 0; fraction /= 10) --decimals;
        char *last = at + decimals;
        for (char *digit = last; digit > at; fraction /= 10) *--digit = (char)('0' + fraction % 10);
        at = last;
    }
    *at = '\0';
    return (size_t)(at - text);
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
// A number below 10^8 as 8 digits in bytes, the lowest byte the first: the way back of join_digits. The divisions by 100 and by 10 are
// products that are right for numbers this small.
static inline uint64_t split_digits(uint32_t value)
{
    uint64_t fours = value / 10000 | (uint64_t)(value % 10000) << 32;
    uint64_t hundreds = (fours * 10486 >> 20) & 0x0000007F0000007Fu;
    uint64_t pairs = hundreds | (fours - 100 * hundreds) << 16;
    uint64_t tens = (pairs * 103 >> 10) & 0x000F000F000F000Fu;
    return tens | (pairs - 10 * tens) << 8;
}

static inline void store_digits(uint64_t bytes, char *text)
{
    bytes |= 0x3030303030303030u;
    memcpy(text, &bytes, sizeof bytes);
}

// Numbers below 10^8 with 1 to 8 decimals, again without branches that depend on the digits.
static inline size_t write_usual(uint32_t whole, uint32_t fraction, bool negative, int decimals, char *text)
{
    char *at = text;
    *at = '-';
    at += negative & ((whole | fraction) != 0);

    uint64_t bytes = split_digits(whole);
    int zeros = __builtin_ctzll(bytes | (uint64_t)1 << 56) / 8; // but the last digit stays
    store_digits(bytes >> 8 * zeros, at);
    at += 8 - zeros;
    if (fraction) {
        *at++ = '.';
        bytes = split_digits(fraction * (uint32_t)powers_of_10[8 - decimals]);
        store_digits(bytes, at);
        at += 8 - __builtin_clzll(bytes) / 8;
    }
    *at = '\0';
    return (size_t)(at - text);
}
#endif

size_t ct_number_write_fixed(double value, int decimals, char text[CT_NUMBER_SIZE])
{
    assert(decimals >= 0 && decimals <= 9);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int shift = 1075 - (int)(bits >> 52 & 2047); // |value| = mantissa / 2^shift
    if (shift <= 0) return ct_number_write(value, text);
    if (bits << 1 == 0) return memcpy(text, "0", 2), (size_t)1;
    if (shift > 100) shift = 100; // far below the last decimal, denormals too
    const uint64_t mantissa = bits << 12 >> 12 | (uint64_t)1 << 52;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    // The fraction as 64 bits, exactly; the high word of its product with 10^decimals are the digits, the low word what is cut off.
    if (shift < 64 && mantissa >> shift < 99999999 && decimals >= 1 && decimals <= 8) {
        uint128 product = (uint128)(mantissa << (64 - shift)) * powers_of_10[decimals];
        uint32_t digits = (uint32_t)(product >> 64);
        uint64_t cut = (uint64_t)product;
        const uint64_t half = (uint64_t)1 << 63;
        digits += cut > half || (cut == half && digits & 1);
        bool carry = digits == (uint32_t)powers_of_10[decimals];
        return write_usual((uint32_t)(mantissa >> shift) + carry, carry ? 0 : digits, bits >> 63, decimals, text);
    }
#endif
    return write_slowly(mantissa, shift, bits >> 63, decimals, text);
}
