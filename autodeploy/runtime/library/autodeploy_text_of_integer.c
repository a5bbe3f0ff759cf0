#include "autodeploy_library.h"

#include <string.h>

int autodeploy_text_of_integer(autodeploy_runtime *runtime, const halide_buffer_t *numbers,
                               halide_buffer_t *strings, int64_t is_signed)
{
    const size_t width = (size_t)strings->dim[0].extent;
    const int32_t count = strings->dim[1].extent;
    int32_t i;
    (void)runtime;
    for (i = 0; i < count; ++i) {
        uint8_t *const text = strings->host + (size_t)i * width;
        uint8_t digits[20];
        size_t used = 0, at = 0;
        uint64_t number;
        memcpy(&number, numbers->host + (size_t)i * sizeof number, sizeof number);
        memset(text, 0, width);
        if (is_signed && number >> 63 != 0) {
            text[at++] = '-';
            number = 0 - number;
        }
        do {
            digits[used++] = (uint8_t)('0' + number % 10);
            number /= 10;
        } while (number > 0);
        while (used > 0) {
            text[at++] = digits[--used];
        }
    }
    return 0;
}
