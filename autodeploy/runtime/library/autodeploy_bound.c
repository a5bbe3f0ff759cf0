#include "autodeploy_library.h"

#include <string.h>

/* The most bytes of what numbers are called that a message holds. */
enum { NAME_BYTES = 80 };

static char *append(char *to, const char *text, size_t most)
{
    while (*text != '\0' && most-- > 0) {
        *to++ = *text++;
    }
    *to = '\0';
    return to;
}

static char *append_number(char *to, int64_t number)
{
    char digits[21];
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    size_t place = sizeof digits - 1;
    digits[place] = '\0';
    do {
        digits[--place] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (number < 0) {
        *to++ = '-';
    }
    return append(to, digits + place, sizeof digits);
}

int autodeploy_bound(autodeploy_runtime *runtime, const halide_buffer_t *given,
                     const halide_buffer_t *name, halide_buffer_t *numbers, int64_t least,
                     int64_t most)
{
    const int64_t *const from = (const int64_t *)(const void *)given->host;
    const int32_t count = given->dim[0].extent;
    int32_t i;
    for (i = 0; i < count; ++i) {
        if (from[i] < least || from[i] > most) {
            char text[NAME_BYTES + 80];
            char *end = append(text, (const char *)name->host, NAME_BYTES);
            end = append_number(append(end, " is ", 4), from[i]);
            if (from[i] > most) {
                append_number(append(end, ", its bound is ", 15), most);
            } else {
                append(append_number(append(end, ", expected ", 11), least), " at least", 9);
            }
            halide_error(runtime, text);
            return 1;
        }
    }
    memcpy(numbers->host, from, (size_t)count * sizeof *from);
    return 0;
}
