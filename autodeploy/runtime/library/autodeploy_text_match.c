#include "autodeploy_library.h"
#include "autodeploy_text.h"

/* The class of a character: that of the last range that begins at or below it. */
static int32_t class_of(const int32_t *starts, const int32_t *classes, int32_t count,
                        int32_t character)
{
    int32_t low = 0, high = count - 1;
    while (low < high) {
        const int32_t middle = low + (high - low + 1) / 2;
        if (starts[middle] <= character) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return classes[low];
}

int autodeploy_text_match(autodeploy_runtime *runtime, const halide_buffer_t *strings,
                          const halide_buffer_t *starts, const halide_buffer_t *classes,
                          const halide_buffer_t *steps, halide_buffer_t *matched)
{
    const size_t width = (size_t)strings->dim[0].extent;
    const int32_t columns = steps->dim[0].extent;
    const int32_t *const from = (const int32_t *)(const void *)starts->host;
    const int32_t *const kinds = (const int32_t *)(const void *)classes->host;
    const int32_t *const table = (const int32_t *)(const void *)steps->host;
    const int32_t count = strings->dim[1].extent;
    int32_t i;
    (void)runtime;
    for (i = 0; i < count; ++i) {
        const uint8_t *const text = strings->host + (size_t)i * width;
        const size_t bytes = autodeploy_text_bytes(text, width);
        size_t at = 0;
        int32_t state = 0;
        while (at < bytes && state >= 0) {
            int32_t character;
            at += autodeploy_text_character(text + at, bytes - at, &character);
            state = character < 0 ? -1
                                  : table[(size_t)state * (size_t)columns +
                                          (size_t)class_of(from, kinds, starts->dim[0].extent,
                                                           character)];
        }
        /* The last column tells whether a string may end here. */
        matched->host[i] =
            (uint8_t)(state >= 0 && table[(size_t)(state + 1) * (size_t)columns - 1] != 0);
    }
    return 0;
}
