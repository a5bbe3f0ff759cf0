#include "autodeploy_library.h"
#include "autodeploy_text.h"

/* Skip digits, of which `number` becomes the integer unless it is NULL; returns where they end, and
 * a place behind the text where the integer has more than 64 bits. */
static size_t skip_digits(const uint8_t *text, size_t at, size_t bytes, uint64_t *number)
{
    for (; at < bytes && text[at] >= '0' && text[at] <= '9'; ++at) {
        const uint64_t digit = (uint64_t)(text[at] - '0');
        if (number != NULL && *number > (UINT64_MAX - digit) / 10) {
            return bytes + 1;
        }
        if (number != NULL) {
            *number = 10 * *number + digit;
        }
    }
    return at;
}

/* Read an integer, digits behind a point and white space around it; returns 0 where the text is
 * none, or one that is not from `-least` to `most`. */
static int read_text(const uint8_t *text, size_t bytes, uint64_t least, uint64_t most,
                     int64_t *result)
{
    uint64_t number = 0;
    const size_t start = autodeploy_text_spaces(text, bytes);
    const int is_signed = start < bytes && (text[start] == '-' || text[start] == '+');
    const int is_negative = is_signed && text[start] == '-';
    const size_t from = start + (size_t)is_signed;
    size_t at = skip_digits(text, from, bytes, &number);
    if (at == from || at > bytes || number > (is_negative ? least : most)) {
        return 0;
    }
    if (at < bytes && text[at] == '.') {
        at = skip_digits(text, at + 1, bytes, NULL);
    }
    number = is_negative ? 0 - number : number;
    memcpy(result, &number, sizeof number);
    return at + autodeploy_text_spaces(text + at, bytes - at) == bytes;
}

int autodeploy_text_to_integer(autodeploy_runtime *runtime, const halide_buffer_t *strings,
                               const halide_buffer_t *rows, halide_buffer_t *numbers, int64_t bits,
                               int64_t is_signed)
{
    const size_t width = (size_t)strings->dim[0].extent;
    const int32_t *const wanted = (const int32_t *)(const void *)rows->host;
    int64_t *const result = (int64_t *)(void *)numbers->host;
    const int32_t count = rows->dim[0].extent;
    const uint64_t half = (uint64_t)1 << (bits - 1);
    int32_t i;
    for (i = 0; i < count; ++i) {
        result[i] = 0;
        if (wanted[i] >= 0) {
            const uint8_t *const text = strings->host + (size_t)wanted[i] * width;
            if (!read_text(text, autodeploy_text_bytes(text, width), is_signed ? half : 0,
                           is_signed ? half - 1 : half - 1 + half, result + i)) {
                halide_error(runtime, "a string that is cast to an integer is none of its type");
                return 1;
            }
        }
    }
    return 0;
}
