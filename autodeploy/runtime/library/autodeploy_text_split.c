#include "autodeploy_library.h"
#include "autodeploy_text.h"

/* A string that is cut, what it is cut at, and where its pieces go. */
typedef struct {
    const uint8_t *text;
    size_t bytes;
    const uint8_t *delimiter;
    size_t delimiter_bytes;
    uint8_t *pieces;
    size_t width;
    int64_t room;
    int64_t count;
} cut;

static int add_piece(cut *one, size_t from, size_t to)
{
    uint8_t *const piece = one->pieces + (size_t)one->count * one->width;
    if (one->count >= one->room || to - from >= one->width) {
        return 1;
    }
    memcpy(piece, one->text + from, to - from);
    memset(piece + (to - from), 0, one->width - (to - from));
    ++one->count;
    return 0;
}

static int cut_at_delimiter(cut *one, int64_t most)
{
    size_t from = 0, at = 0;
    int result = 0;
    while (result == 0 && one->count < most && at + one->delimiter_bytes <= one->bytes) {
        if (memcmp(one->text + at, one->delimiter, one->delimiter_bytes) != 0) {
            ++at;
            continue;
        }
        result = add_piece(one, from, at);
        at += one->delimiter_bytes;
        from = at;
    }
    return result != 0 ? result : add_piece(one, from, one->bytes);
}

static int cut_at_space(cut *one, int64_t most)
{
    size_t at = 0;
    for (;;) {
        size_t from;
        at += autodeploy_text_spaces(one->text + at, one->bytes - at);
        if (at == one->bytes) {
            return 0;
        }
        from = at;
        if (one->count >= most) {
            return add_piece(one, from, one->bytes);
        }
        while (at < one->bytes && autodeploy_text_space(one->text + at, one->bytes - at) == 0) {
            ++at;
        }
        if (add_piece(one, from, at) != 0) {
            return 1;
        }
    }
}

int autodeploy_text_split(autodeploy_runtime *runtime, const halide_buffer_t *strings,
                          const halide_buffer_t *rows, const halide_buffer_t *delimiter,
                          halide_buffer_t *pieces, halide_buffer_t *counts, int64_t most,
                          int64_t at_space)
{
    const size_t width = (size_t)strings->dim[0].extent;
    const int32_t *const numbers = (const int32_t *)(const void *)rows->host;
    int64_t *const found = (int64_t *)(void *)counts->host;
    const int32_t total = rows->dim[0].extent;
    cut one;
    int32_t i;
    one.delimiter = delimiter->host;
    one.delimiter_bytes = (size_t)delimiter->dim[0].extent;
    one.width = (size_t)pieces->dim[0].extent;
    one.room = pieces->dim[1].extent;
    for (i = 0; i < total; ++i) {
        one.text = strings->host + (size_t)numbers[i] * width;
        one.bytes = autodeploy_text_bytes(one.text, width);
        one.pieces = pieces->host + (size_t)i * (size_t)one.room * one.width;
        one.count = 0;
        if ((at_space ? cut_at_space(&one, most) : cut_at_delimiter(&one, most)) != 0) {
            halide_error(runtime, "a string has more pieces than there is room for");
            return 1;
        }
        found[i] = one.count;
        memset(one.pieces + (size_t)one.count * one.width, 0,
               (size_t)(one.room - one.count) * one.width);
    }
    return 0;
}
