#include "autodeploy_library.h"
#include "autodeploy_natural.h"
#include "autodeploy_text.h"

/* More digits than any number has that is halfway between two doubles. */
enum { DIGITS = 800 };

/* The bits of a double: the closest one to digits times a power of ten, the even one of two. */
static uint64_t closest(autodeploy_natural *digits, int32_t power)
{
    autodeploy_natural divisor = autodeploy_natural_of(1);
    uint64_t found = 0;
    int32_t exponent, bits, i;
    int rest;
    autodeploy_natural_raise(power < 0 ? &divisor : digits, 10, power < 0 ? -power : power);
    exponent = autodeploy_natural_bits(digits) - autodeploy_natural_bits(&divisor);
    autodeploy_natural_raise(exponent > 0 ? &divisor : digits, 2,
                             exponent > 0 ? exponent : -exponent);
    if (autodeploy_natural_compare(digits, &divisor) < 0) {
        autodeploy_natural_scale(digits, 2, 0);
        --exponent;
    }
    /* The quotient is from 1 to below 2 now; a subnormal double has fewer bits of it. */
    bits = exponent < -1022 ? 53 + 1022 + exponent : 53;
    if (bits < 0 || exponent > 1023) {
        return bits < 0 ? 0 : (uint64_t)0x7FF << 52;
    }
    for (i = 0; i < bits; ++i) {
        found = 2 * found + (uint64_t)autodeploy_natural_take(digits, &divisor);
        autodeploy_natural_scale(digits, 2, 0);
    }
    rest = autodeploy_natural_compare(digits, &divisor);
    found += rest > 0 || (rest == 0 && found % 2 == 1);
    /* The first bit of a normal number is 1 in the exponent. */
    return found + (exponent < -1022 ? 0 : (uint64_t)(exponent + 1022) << 52);
}

/* The bytes of a word at the start of a text, in any case; 0 where it is another one. */
static size_t word_at(const uint8_t *text, size_t bytes, const char *word)
{
    size_t i;
    for (i = 0; word[i] != '\0'; ++i) {
        if (i == bytes || (text[i] | 0x20) != word[i]) {
            return 0;
        }
    }
    return i;
}

/* Read digits with a point and an exponent; returns the bytes, 0 where there is no digit. */
static size_t read_number(const uint8_t *text, size_t bytes, uint64_t *number)
{
    autodeploy_natural digits = autodeploy_natural_of(0);
    int32_t power = 0, kept = 0, has_point = 0, has_digits = 0, more = 0, shift = 0;
    size_t at, end;
    for (at = 0; at < bytes; ++at) {
        const uint32_t digit = (uint32_t)text[at] - '0';
        if (text[at] == '.' && !has_point) {
            has_point = 1;
            continue;
        }
        if (digit > 9) {
            break;
        }
        has_digits = 1;
        if (kept < DIGITS) {
            autodeploy_natural_scale(&digits, 10, digit);
            kept += digits.used > 0;
            power -= has_point;
        } else {
            more |= digit != 0;
            power += !has_point;
        }
    }
    if (!has_digits) {
        return 0;
    }
    if (at < bytes && (text[at] | 0x20) == 'e') {
        const int is_signed = at + 1 < bytes && (text[at + 1] == '-' || text[at + 1] == '+');
        for (end = at + 1 + (size_t)is_signed; end < bytes && text[end] >= '0' && text[end] <= '9';
             ++end) {
            shift = shift < 1000000 ? 10 * shift + (text[end] - '0') : shift;
        }
        if (end > at + 1 + (size_t)is_signed) {
            power += text[at + 1] == '-' ? -shift : shift;
            at = end;
        }
    }
    if (more) { /* that digits are left out tells on which side of a half a number is */
        autodeploy_natural_scale(&digits, 10, 1);
        --power;
    }
    if (digits.used == 0 || kept + power < -330) {
        *number = 0;
    } else {
        *number = kept + power > 310 ? (uint64_t)0x7FF << 52 : closest(&digits, power);
    }
    return at;
}

/* Read a number and white space around it; returns 0 where the text is none. */
static int read_text(const uint8_t *text, size_t bytes, double *result)
{
    uint64_t number = 0;
    const size_t start = autodeploy_text_spaces(text, bytes);
    const int is_signed = start < bytes && (text[start] == '-' || text[start] == '+');
    const uint8_t *const from = text + start + is_signed;
    const size_t left = bytes - start - (size_t)is_signed;
    size_t used;
    if ((used = word_at(from, left, "infinity")) > 0 || (used = word_at(from, left, "inf")) > 0) {
        number = (uint64_t)0x7FF << 52;
    } else if ((used = word_at(from, left, "nan")) > 0) {
        number = (uint64_t)0xFFF << 51;
    } else {
        used = read_number(from, left, &number);
    }
    number |= (uint64_t)(is_signed && text[start] == '-') << 63;
    memcpy(result, &number, sizeof number);
    return used > 0 && used + autodeploy_text_spaces(from + used, left - used) == left;
}

int autodeploy_text_to_float(autodeploy_runtime *runtime, const halide_buffer_t *strings,
                             const halide_buffer_t *rows, halide_buffer_t *numbers)
{
    const size_t width = (size_t)strings->dim[0].extent;
    const int32_t *const wanted = (const int32_t *)(const void *)rows->host;
    double *const result = (double *)(void *)numbers->host;
    const int32_t count = rows->dim[0].extent;
    int32_t i;
    for (i = 0; i < count; ++i) {
        result[i] = 0.0;
        if (wanted[i] >= 0) {
            const uint8_t *const text = strings->host + (size_t)wanted[i] * width;
            if (!read_text(text, autodeploy_text_bytes(text, width), result + i)) {
                halide_error(runtime, "a string that is cast to a number is none");
                return 1;
            }
        }
    }
    return 0;
}
