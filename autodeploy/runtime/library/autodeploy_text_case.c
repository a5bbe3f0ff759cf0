#include "autodeploy_library.h"
#include "autodeploy_text.h"

enum { TO = 3 }; /* characters that one becomes at most */

/* The characters that a character becomes, and behind the last one 0; NULL where it stays. */
static const int32_t *found(const int32_t *map, int32_t rows, int32_t character)
{
    int32_t low = 0, high = rows;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        const int32_t *const row = map + (size_t)middle * (TO + 1);
        if (row[0] == character) {
            return row + 1;
        }
        if (row[0] < character) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

int autodeploy_text_case(autodeploy_runtime *runtime, const halide_buffer_t *strings,
                         const halide_buffer_t *map, halide_buffer_t *result)
{
    const size_t width = (size_t)strings->dim[0].extent, wide = (size_t)result->dim[0].extent;
    const int32_t *const rows = (const int32_t *)(const void *)map->host;
    const int32_t count = strings->dim[1].extent;
    int32_t i;
    for (i = 0; i < count; ++i) {
        const uint8_t *const text = strings->host + (size_t)i * width;
        uint8_t *const to = result->host + (size_t)i * wide;
        const size_t bytes = autodeploy_text_bytes(text, width);
        size_t at = 0, used = 0;
        while (at < bytes) {
            int32_t character;
            const size_t own = autodeploy_text_character(text + at, bytes - at, &character);
            const int32_t *const others = found(rows, map->dim[1].extent, character);
            uint8_t written[4 * TO];
            size_t length = 0;
            int k;
            if (others == NULL) {
                memcpy(written, text + at, own);
                length = own;
            }
            for (k = 0; others != NULL && k < TO && others[k] != 0; ++k) {
                length += autodeploy_text_write(others[k], written + length);
            }
            if (length >= wide - used) {
                halide_error(runtime, "a string has no room in the other case");
                return 1;
            }
            memcpy(to + used, written, length);
            used += length;
            at += own;
        }
        memset(to + used, 0, wide - used);
    }
    return 0;
}
