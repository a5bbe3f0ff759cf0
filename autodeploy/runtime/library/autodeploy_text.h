/* Strings in cells: UTF-8, then zeros, one of them at least. Functions of the library read them. */
#ifndef AUTODEPLOY_TEXT_H
#define AUTODEPLOY_TEXT_H

#include "halide_buffer.h"

#include <string.h>

/* The bytes of a string, at most those of its cell. */
static inline size_t autodeploy_text_bytes(const uint8_t *cell, size_t width)
{
    const uint8_t *const end = (const uint8_t *)memchr(cell, 0, width);
    return end == NULL ? width : (size_t)(end - cell);
}

/* Read the character that begins at text, of which that many bytes are left, 1 at least. Returns how
 * many it has; 1 with a character of -1 where they are no UTF-8. */
static inline size_t autodeploy_text_character(const uint8_t *text, size_t left, int32_t *character)
{
    /* The least character of each length: what is written longer than it needs is none. */
    static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t first = text[0];
    const size_t bytes = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3
                         : first < 0xF5 ? 4 : 0;
    int32_t found = bytes == 1 ? first : (int32_t)(first & (0x7FU >> bytes));
    size_t i;
    *character = -1;
    if (bytes == 0 || bytes > left) {
        return 1;
    }
    for (i = 1; i < bytes; ++i) {
        if ((text[i] & 0xC0U) != 0x80U) {
            return 1;
        }
        found = found * 64 + (int32_t)(text[i] & 0x3FU);
    }
    if (found < least[bytes] || found > 0x10FFFF || (found >= 0xD800 && found <= 0xDFFF)) {
        return 1;
    }
    *character = found;
    return bytes;
}

/* The bytes of the white space that a text begins with, one character of it; 0 where there is none.
 * Some of the text is left. */
static inline size_t autodeploy_text_space(const uint8_t *text, size_t left)
{
    int32_t character;
    const size_t bytes = autodeploy_text_character(text, left, &character);
    const int is_space = (character >= 0x09 && character <= 0x0D) ||
                         (character >= 0x1C && character <= 0x20) || character == 0x85 ||
                         character == 0xA0 || character == 0x1680 ||
                         (character >= 0x2000 && character <= 0x200A) || character == 0x2028 ||
                         character == 0x2029 || character == 0x202F || character == 0x205F ||
                         character == 0x3000;
    return is_space ? bytes : 0;
}

/* The bytes of all white space that a text begins with. */
static inline size_t autodeploy_text_spaces(const uint8_t *text, size_t left)
{
    size_t at = 0, bytes;
    while (at < left && (bytes = autodeploy_text_space(text + at, left - at)) > 0) {
        at += bytes;
    }
    return at;
}

/* Write a character to at most 4 bytes; returns how many it takes. */
static inline size_t autodeploy_text_write(int32_t character, uint8_t *text)
{
    const uint32_t code = (uint32_t)character;
    const size_t bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const uint8_t marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
    size_t i;
    for (i = bytes - 1; i > 0; --i) {
        text[i] = (uint8_t)(0x80U | ((code >> (6 * (bytes - 1 - i))) & 0x3FU));
    }
    text[0] = (uint8_t)(marks[bytes] | (code >> (6 * (bytes - 1))));
    return bytes;
}

#endif
