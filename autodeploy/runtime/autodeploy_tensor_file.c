/* Tensors in files; see autodeploy_tensor_file.h. */
#include "autodeploy_tensor_file.h"

#include "autodeploy_tensor_reader.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPE_TEXT = 200 };

/* ---- What the formats share ---------------------------------------------------------------- */

int autodeploy_reader_fail(const autodeploy_reader *in, const char *format, ...)
{
    va_list arguments;
    const int used = snprintf(in->message, in->message_bytes, "'%s' ", in->path);
    if (used >= 0 && (size_t)used < in->message_bytes) {
        va_start(arguments, format);
        (void)vsnprintf(in->message + used, in->message_bytes - (size_t)used, format, arguments);
        va_end(arguments);
    }
    return -1;
}

size_t autodeploy_reader_left(const autodeploy_reader *in)
{
    return (size_t)(in->end - in->at);
}

int autodeploy_little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

int autodeploy_reader_check_shape(const autodeploy_reader *in, int rank, const int64_t *shape)
{
    const autodeploy_tensor *const tensor = in->tensor;
    char found[SHAPE_TEXT];
    char expected[SHAPE_TEXT];
    int same = rank == tensor->rank;
    int i;
    for (i = 0; same && tensor->found != NULL && i < rank; ++i) {
        tensor->found[i] = shape[i];
    }
    for (i = 0; same && i < rank; ++i) {
        same = shape[i] == tensor->shape[i];
    }
    if (same) {
        return 0;
    }
    autodeploy_describe_shape(found, sizeof found, rank, shape);
    autodeploy_describe_shape(expected, sizeof expected, tensor->rank, tensor->shape);
    return autodeploy_reader_fail(
        in, "has shape %s, but '%s' has shape %s", found, tensor->name, expected);
}

int autodeploy_reader_check_type(const autodeploy_reader *in, int64_t dtype)
{
    if (dtype != in->tensor->dtype) {
        return autodeploy_reader_fail(
            in, "holds %s, but '%s' takes %s", autodeploy_find_type(dtype)->name,
            in->tensor->name, autodeploy_find_type(in->tensor->dtype)->name);
    }
    return 0;
}

int autodeploy_reader_copy(
    const autodeploy_reader *in, const uint8_t *from, size_t bytes, void *data)
{
    size_t i;
    if (bytes != in->tensor->bytes) {
        return autodeploy_reader_fail(
            in, "holds %.0f bytes of elements, but '%s' takes %.0f", (double)bytes,
            in->tensor->name, (double)in->tensor->bytes);
    }
    for (i = 0; in->tensor->dtype == AUTODEPLOY_BOOL && i < bytes; ++i) {
        if (from[i] > 1) {
            return autodeploy_reader_fail(
                in, "holds the byte %d where a bool is 0 or 1", (int)from[i]);
        }
    }
    if (bytes > 0) {
        memcpy(data, from, bytes);
    }
    return 0;
}

int autodeploy_reader_copy_string(
    const autodeploy_reader *in, const uint8_t *from, size_t bytes, size_t index, void *data)
{
    const size_t width = autodeploy_cell_bytes(in->tensor);
    uint8_t *const cell = (uint8_t *)data + index * width;
    if (bytes >= width) {
        return autodeploy_reader_fail(
            in, "holds a string of %.0f bytes, but '%s' takes %.0f at most", (double)bytes,
            in->tensor->name, (double)width - 1);
    }
    if (bytes > 0 && memchr(from, 0, bytes) != NULL) {
        return autodeploy_reader_fail(in, "holds a string with a zero byte");
    }
    memset(cell, 0, width);
    if (bytes > 0) {
        memcpy(cell, from, bytes);
    }
    return 0;
}

/* ---- NumPy files --------------------------------------------------------------------------- */

static int malformed(const autodeploy_reader *in, const char *what)
{
    return autodeploy_reader_fail(in, "has a malformed header: %s", what);
}

/* Step over spaces, then over text if it stands there; return whether it did. */
static int skip(autodeploy_reader *in, const char *text)
{
    const size_t length = strlen(text);
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\n')) {
        ++in->at;
    }
    if (autodeploy_reader_left(in) >= length && memcmp(in->at, text, length) == 0) {
        in->at += length;
        return 1;
    }
    return 0;
}

/* Read '...' into text. */
static int read_quoted(autodeploy_reader *in, char *text, size_t bytes)
{
    const char quote = skip(in, "'") ? '\'' : skip(in, "\"") ? '"' : '\0';
    size_t length = 0;
    if (quote == '\0') {
        return malformed(in, "expected a quoted word");
    }
    while (in->at < in->end && *in->at != (uint8_t)quote) {
        if (length + 1 >= bytes || *in->at < 0x20 || *in->at > 0x7E) {
            return malformed(in, "too long or strange a word");
        }
        text[length++] = (char)*in->at++;
    }
    text[length] = '\0';
    if (in->at == in->end) {
        return malformed(in, "a word without an end");
    }
    ++in->at;
    return 0;
}

/* Read (1, 28, 28), (10,) or (). */
static int read_tuple(autodeploy_reader *in, int *rank, int64_t *extents)
{
    *rank = 0;
    if (!skip(in, "(")) {
        return malformed(in, "the shape is no tuple");
    }
    while (!skip(in, ")")) {
        int64_t extent = 0;
        int digits = 0;
        (void)skip(in, "");
        while (in->at < in->end && *in->at >= '0' && *in->at <= '9') {
            if (++digits > 18) {
                return malformed(in, "an extent is too large");
            }
            extent = extent * 10 + (*in->at++ - '0');
        }
        if (digits == 0 || *rank == AUTODEPLOY_MAX_RANK) {
            return malformed(in, "the shape is no tuple of numbers");
        }
        extents[(*rank)++] = extent;
        if (!skip(in, ",") && (in->at == in->end || *in->at != ')')) {
            return malformed(in, "the shape is no tuple of numbers");
        }
    }
    return 0;
}

/* Check the type of strings, "|S12", and find out their bytes. */
static int check_strings(const autodeploy_reader *in, const char *descr, size_t *bytes)
{
    const char *digit = descr + 2;
    *bytes = 0;
    if (descr[0] == '\0' || descr[1] != 'S' || *digit == '\0') {
        return autodeploy_reader_fail(
            in, "holds elements of type '%s', but '%s' takes strings ('|S')", descr,
            in->tensor->name);
    }
    for (; *digit != '\0'; ++digit) {
        if (*digit < '0' || *digit > '9' || digit - descr > 10) {
            return malformed(in, "a strange type of strings");
        }
        *bytes = *bytes * 10 + (size_t)(*digit - '0');
    }
    return 0;
}

static int check_descr(const autodeploy_reader *in, const char *descr)
{
    const autodeploy_element_type *const expected = autodeploy_find_type(in->tensor->dtype);
    const char order = descr[0];
    const char host = autodeploy_little_endian() ? '<' : '>';
    if (order == '\0' || strcmp(descr + 1, expected->npy) != 0) {
        return autodeploy_reader_fail(
            in, "holds elements of type '%s', but '%s' takes %s", descr, in->tensor->name,
            expected->name);
    }
    if (expected->bytes > 1 && order != host && order != '=' &&
        !(order == '|' && expected->npy[0] == 'V')) {
        return autodeploy_reader_fail(
            in, "holds elements of type '%s', of the other byte order", descr);
    }
    return 0;
}

/* Read the dictionary {'descr': ..., 'fortran_order': ..., 'shape': ...} and check what it says.
 * *string_bytes are those of each string. */
static int read_npy_header(autodeploy_reader *in, size_t *string_bytes)
{
    char descr[16] = "";
    int64_t extents[AUTODEPLOY_MAX_RANK];
    int rank = -1;
    int fortran = -1;
    if (!skip(in, "{")) {
        return malformed(in, "expected a dictionary");
    }
    while (!skip(in, "}")) {
        char key[16];
        if (read_quoted(in, key, sizeof key) != 0) {
            return -1;
        }
        if (!skip(in, ":")) {
            return malformed(in, "a key without a value");
        }
        if (strcmp(key, "descr") == 0) {
            if (read_quoted(in, descr, sizeof descr) != 0) {
                return -1;
            }
        } else if (strcmp(key, "shape") == 0) {
            if (read_tuple(in, &rank, extents) != 0) {
                return -1;
            }
        } else if (strcmp(key, "fortran_order") == 0) {
            fortran = skip(in, "True") ? 1 : skip(in, "False") ? 0 : -1;
        } else {
            return malformed(in, "an unknown key");
        }
        (void)skip(in, ",");
    }
    if (descr[0] == '\0' || rank < 0 || fortran < 0) {
        return malformed(in, "it lacks descr, shape or fortran_order");
    }
    if ((in->tensor->dtype == AUTODEPLOY_STRING ? check_strings(in, descr, string_bytes)
                                                : check_descr(in, descr)) != 0 ||
        autodeploy_reader_check_shape(in, rank, extents) != 0) {
        return -1;
    }
    if (fortran == 1 && rank > 1) {
        return autodeploy_reader_fail(
            in, "is in Fortran order; save it in C order (numpy.ascontiguousarray)");
    }
    return 0;
}

/* Copy strings that lie in a number of bytes each, with zeros behind them. */
static int copy_strings(const autodeploy_reader *in, size_t bytes, void *data)
{
    const size_t count = autodeploy_element_count(in->tensor);
    size_t i;
    if (autodeploy_reader_left(in) / (bytes > 0 ? bytes : 1) < (bytes > 0 ? count : 0) ||
        autodeploy_reader_left(in) != count * bytes) {
        return autodeploy_reader_fail(in, "does not hold as many strings as its shape says");
    }
    for (i = 0; i < count; ++i) {
        const uint8_t *const text = in->at + i * bytes;
        size_t length = bytes;
        while (length > 0 && text[length - 1] == 0) {
            --length;
        }
        if (autodeploy_reader_copy_string(in, text, length, i, data) != 0) {
            return -1;
        }
    }
    return 0;
}

static int read_npy(autodeploy_reader *in, void *data)
{
    size_t string_bytes = 0;
    static const uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    const uint8_t *const end = in->end;
    size_t length_bytes;
    size_t length = 0;
    size_t i;
    if (autodeploy_reader_left(in) < 10 || memcmp(in->at, magic, sizeof magic) != 0) {
        return autodeploy_reader_fail(in, "is not a NumPy file");
    }
    if (in->at[6] < 1 || in->at[6] > 3) {
        return autodeploy_reader_fail(
            in, "is a NumPy file of version %d, expected 1 to 3", (int)in->at[6]);
    }
    length_bytes = in->at[6] == 1 ? 2 : 4;
    in->at += 8;
    if (autodeploy_reader_left(in) < length_bytes) {
        return autodeploy_reader_fail(in, "ends inside its header");
    }
    for (i = 0; i < length_bytes; ++i) {
        length |= (size_t)in->at[i] << (8 * i);
    }
    in->at += length_bytes;
    if (autodeploy_reader_left(in) < length) {
        return autodeploy_reader_fail(in, "ends inside its header");
    }
    in->end = in->at + length;
    if (read_npy_header(in, &string_bytes) != 0) {
        return -1;
    }
    in->at = in->end;
    in->end = end;
    if (in->tensor->dtype == AUTODEPLOY_STRING) {
        return copy_strings(in, string_bytes, data);
    }
    return autodeploy_reader_copy(in, in->at, autodeploy_reader_left(in), data);
}

/* ---- Files --------------------------------------------------------------------------------- */

static int ends_in(const char *path, const char *suffix)
{
    const size_t length = strlen(path);
    const size_t wanted = strlen(suffix);
    return length > wanted && strcmp(path + length - wanted, suffix) == 0;
}

/* Read a whole file, but no more than it can sensibly hold; *bytes is the caller's to free. */
static int read_file(autodeploy_reader *in, FILE *file, uint8_t **bytes)
{
    /* A number of a TensorProto takes at most ten bytes, also where its element takes one. */
    const size_t limit = in->tensor->bytes * 11 + ((size_t)1 << 20);
    size_t capacity = in->tensor->bytes + 4096;
    size_t used = 0;
    *bytes = NULL;
    for (;;) {
        uint8_t *const grown = (uint8_t *)realloc(*bytes, capacity);
        if (grown == NULL) {
            return autodeploy_reader_fail(in, "needs more memory than there is");
        }
        *bytes = grown;
        used += fread(grown + used, 1, capacity - used, file);
        if (ferror(file)) {
            return autodeploy_reader_fail(in, "cannot be read");
        }
        if (used < capacity) {
            break;
        }
        if (used >= limit) {
            return autodeploy_reader_fail(
                in, "is larger than any file that holds '%s'", in->tensor->name);
        }
        capacity *= 2;
    }
    in->at = *bytes;
    in->end = *bytes + used;
    return 0;
}

int autodeploy_read_tensor(
    const char *path, const autodeploy_tensor *tensor, void *data, char *message,
    size_t message_bytes)
{
    autodeploy_reader in = {NULL, NULL, path, tensor, message, message_bytes};
    uint8_t *bytes = NULL;
    FILE *file;
    int result;
    if (!ends_in(path, ".bin") && !ends_in(path, ".npy") && !ends_in(path, ".pb")) {
        return autodeploy_reader_fail(&in, "ends neither in .bin nor in .npy nor in .pb");
    }
    file = fopen(path, "rb");
    if (file == NULL) {
        return autodeploy_reader_fail(&in, "cannot be opened");
    }
    result = read_file(&in, file, &bytes);
    (void)fclose(file);
    if (result == 0) {
        result = ends_in(path, ".npy")  ? read_npy(&in, data)
                 : ends_in(path, ".pb") ? autodeploy_read_proto(&in, data)
                                        : autodeploy_reader_copy(
                                              &in, in.at, autodeploy_reader_left(&in), data);
    }
    free(bytes);
    return result;
}

/* Write NumPy's header, version 1, so long that the elements begin at a multiple of 64. */
static int write_npy_header(const autodeploy_reader *out, FILE *file)
{
    const autodeploy_element_type *const type = autodeploy_find_type(out->tensor->dtype);
    const char *const order = type->npy[0] == 'V' || type->bytes == 1 ? "|"
                              : autodeploy_little_endian()            ? "<"
                                                                      : ">";
    char shape[1024] = "";
    char width[24] = "";
    char text[1400];
    uint8_t start[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 0, 0};
    size_t length;
    int i;
    for (i = 0; i < out->tensor->rank; ++i) {
        const size_t used = strlen(shape);
        (void)snprintf(
            shape + used, sizeof shape - used, "%.0f, ", (double)out->tensor->shape[i]);
    }
    if (out->tensor->dtype == AUTODEPLOY_STRING) {
        (void)snprintf(
            width, sizeof width, "%lu", (unsigned long)autodeploy_cell_bytes(out->tensor));
    }
    (void)snprintf(
        text, sizeof text, "{'descr': '%s%s%s', 'fortran_order': False, 'shape': (%s), }", order,
        type->npy, width, shape);
    length = (sizeof start + strlen(text) + 1 + 63) / 64 * 64 - sizeof start;
    start[8] = (uint8_t)(length & 0xFF);
    start[9] = (uint8_t)(length >> 8);
    if (fwrite(start, 1, sizeof start, file) != sizeof start) {
        return -1;
    }
    return fprintf(file, "%-*s\n", (int)length - 1, text) < 0 ? -1 : 0;
}

int autodeploy_write_tensor(
    const char *path, const autodeploy_tensor *tensor, const void *data, char *message,
    size_t message_bytes)
{
    const autodeploy_reader out = {NULL, NULL, path, tensor, message, message_bytes};
    FILE *file;
    int result = 0;
    if (!ends_in(path, ".bin") && !ends_in(path, ".npy")) {
        return autodeploy_reader_fail(&out, "ends neither in .bin nor in .npy");
    }
    file = fopen(path, "wb");
    if (file == NULL) {
        return autodeploy_reader_fail(&out, "cannot be opened for writing");
    }
    if (ends_in(path, ".npy")) {
        result = write_npy_header(&out, file);
    }
    if (result == 0 && fwrite(data, 1, tensor->bytes, file) != tensor->bytes) {
        result = -1;
    }
    if (fclose(file) != 0) {
        result = -1;
    }
    if (result != 0) {
        (void)remove(path);
        return autodeploy_reader_fail(&out, "cannot be written in full");
    }
    return 0;
}
