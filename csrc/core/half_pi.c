#include "half_pi.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// The binary digits of 2/pi after the point, 64 zeros before them. M. Payne and R. Hanek, Radian reduction for trigonometric functions
// (1983): of a product with 2^e only the digits around e matter, since whole multiples of 4 are full turns.
static const uint32_t two_over_pi[] = {
    0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
    0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
    0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab,
};
enum { ZEROS = 64, WORDS = 6 };

double ct_reduce_half_pi(double x, int *quadrant)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int biased = (int)(bits >> 52 & 0x7ff);
    *quadrant = 0;
    if (biased == 0x7ff) return (double)NAN;
    if (biased < 1023) return x;

    // |x| = mantissa 2^exponent. `window` is 192 digits from the one of weight 2 / 2^exponent on: those before give multiples of 4.
    uint64_t mantissa = (bits & ((1ULL << 52) - 1)) | 1ULL << 52;
    int exponent = biased - 1075;
    unsigned start = (unsigned)(exponent - 2 + ZEROS);
    uint32_t window[WORDS];
    for (unsigned i = 0; i < WORDS; ++i) {
        uint64_t pair = (uint64_t)two_over_pi[start / 32 + i] << 32 | two_over_pi[start / 32 + i + 1];
        window[i] = (uint32_t)(pair >> (32 - start % 32));
    }

    // product = mantissa * window, its lowest 192 bits: two bits of quadrant, then the fraction.
    uint32_t product[WORDS] = {0};
    uint32_t digits[2] = {(uint32_t)mantissa, (uint32_t)(mantissa >> 32)};
    for (int d = 0; d < 2; ++d) {
        uint64_t carry = 0;
        for (int i = WORDS - 1 - d; i >= 0; --i) {
            carry += (uint64_t)digits[d] * window[i + d] + product[i];
            product[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    uint32_t turns = product[0] >> 30;
    for (int i = 0; i < WORDS - 1; ++i) product[i] = product[i] << 2 | product[i + 1] >> 30;
    product[WORDS - 1] <<= 2;

    // To the nearest multiple: a fraction of 1/2 or more counts down from the next one.
    int negative = product[0] >> 31 != 0;
    if (negative) {
        ++turns;
        for (int i = 0; i < WORDS; ++i) product[i] = ~product[i]; // off by 2^-190 of what matters
    }

    // The first 62 digits of the fraction times pi/2, in integers; the double takes the 53 it has room for.
    int shift = 0;
    while (shift < 128 && !(product[0] >> 31)) {
        for (int i = 0; i < WORDS - 1; ++i) product[i] = product[i] << 1 | product[i + 1] >> 31;
        product[WORDS - 1] <<= 1;
        ++shift;
    }
    uint64_t high = product[0], low = product[1];
    uint64_t const half_pi_high = 0xc90fdaa2, half_pi_low = 0x2168c235; // pi/2 * 2^63
    uint64_t sum = high * half_pi_high + ((high * half_pi_low) >> 32) + ((low * half_pi_high) >> 32);
    double r = ldexp((double)(int64_t)(sum >> 1), -62 - shift);
    if (bits >> 63) {
        r = -r;
        turns = 0u - turns;
    }
    *quadrant = (int)(turns & 3);
    return negative ? -r : r;
}
