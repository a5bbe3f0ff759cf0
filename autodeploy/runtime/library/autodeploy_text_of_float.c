#include "autodeploy_library.h"
#include "autodeploy_natural.h"

#include <string.h>

enum { DIGITS = 8 };

/* Write the closest number of 8 digits, the even one of two, to a double above 0, which is
 * `fraction` times a power of two. Returns the power of ten of the first digit. */
static int32_t decimal(uint64_t fraction, int32_t power, uint8_t *digits)
{
    autodeploy_natural number = autodeploy_natural_of(fraction), unit = autodeploy_natural_of(1);
    int32_t exponent = autodeploy_natural_bits(&number) - 1 + power;
    int32_t i;
    int rest;
    /* The logarithm of 2 is 0.30103: this is one more than the power, or up to two. */
    exponent = (exponent * 30103 - (exponent < 0 ? 99999 : 0)) / 100000 + 1;
    autodeploy_natural_raise(power < 0 ? &unit : &number, 2, power < 0 ? -power : power);
    autodeploy_natural_raise(exponent < 0 ? &number : &unit, 10,
                             exponent < 0 ? -exponent : exponent);
    while (autodeploy_natural_compare(&number, &unit) < 0) {
        autodeploy_natural_scale(&number, 10, 0);
        --exponent;
    }
    for (i = 0; i < DIGITS; ++i) {
        digits[i] = 0;
        while (autodeploy_natural_take(&number, &unit)) {
            ++digits[i];
        }
        autodeploy_natural_scale(&number, 10, 0);
    }
    autodeploy_natural_scale(&unit, 5, 0);
    rest = autodeploy_natural_compare(&number, &unit);
    if (rest > 0 || (rest == 0 && digits[DIGITS - 1] % 2 == 1)) {
        for (i = DIGITS - 1; i >= 0 && ++digits[i] == 10; --i) {
            digits[i] = 0;
        }
        if (i < 0) {
            digits[0] = 1;
            ++exponent;
        }
    }
    return exponent;
}

/* Write a number above 0 as %.8g of printf does; returns the bytes. */
static size_t write_number(uint64_t fraction, int32_t power, uint8_t *text)
{
    uint8_t digits[DIGITS];
    const int32_t exponent = decimal(fraction, power, digits);
    const int is_plain = exponent >= -4 && exponent < DIGITS;
    int32_t kept = DIGITS, point = is_plain ? exponent : 0, i;
    size_t used = 0;
    while (kept > 1 && digits[kept - 1] == 0) {
        --kept;
    }
    for (i = point < 0 ? point : 0; i < kept || i <= point; ++i) {
        if (i == point + 1) {
            text[used++] = '.';
        }
        text[used++] = (uint8_t)('0' + (i < 0 || i >= kept ? 0 : digits[i]));
    }
    if (!is_plain) {
        const int32_t size = exponent < 0 ? -exponent : exponent;
        text[used++] = 'e';
        text[used++] = exponent < 0 ? '-' : '+';
        if (size >= 100) {
            text[used++] = (uint8_t)('0' + size / 100);
        }
        text[used++] = (uint8_t)('0' + size / 10 % 10);
        text[used++] = (uint8_t)('0' + size % 10);
    }
    return used;
}

int autodeploy_text_of_float(autodeploy_runtime *runtime, const halide_buffer_t *numbers,
                             halide_buffer_t *strings)
{
    const size_t width = (size_t)strings->dim[0].extent;
    const int32_t count = strings->dim[1].extent;
    int32_t i;
    (void)runtime;
    for (i = 0; i < count; ++i) {
        uint8_t *const text = strings->host + (size_t)i * width;
        uint64_t bits, fraction;
        int32_t exponent;
        size_t used = 0;
        memcpy(&bits, numbers->host + (size_t)i * sizeof bits, sizeof bits);
        exponent = (int32_t)(bits >> 52 & 0x7FF);
        fraction = bits & (((uint64_t)1 << 52) - 1);
        memset(text, 0, width);
        if (exponent == 0x7FF && fraction != 0) {
            memcpy(text, "NaN", 3);
            continue;
        }
        if (bits >> 63 != 0) {
            text[used++] = '-';
        }
        if (exponent == 0x7FF) {
            memcpy(text + used, "INF", 3);
        } else if (exponent == 0 && fraction == 0) {
            text[used] = '0';
        } else if (exponent == 0) {
            write_number(fraction, -1074, text + used);
        } else {
            write_number(fraction | (uint64_t)1 << 52, exponent - 1075, text + used);
        }
    }
    return 0;
}
