/* Tensors of any type; see autodeploy_tensor.h. */
#include "autodeploy_tensor.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const autodeploy_element_type ELEMENT_TYPES[] = {
    {AUTODEPLOY_FLOAT32, 4, "float32", "f4"}, {AUTODEPLOY_UINT8, 1, "uint8", "u1"},
    {AUTODEPLOY_INT8, 1, "int8", "i1"}, {AUTODEPLOY_UINT16, 2, "uint16", "u2"},
    {AUTODEPLOY_INT16, 2, "int16", "i2"}, {AUTODEPLOY_INT32, 4, "int32", "i4"},
    {AUTODEPLOY_INT64, 8, "int64", "i8"}, {AUTODEPLOY_STRING, 1, "string", "S"},
    {AUTODEPLOY_BOOL, 1, "bool", "b1"},
    {AUTODEPLOY_FLOAT16, 2, "float16", "f2"}, {AUTODEPLOY_FLOAT64, 8, "float64", "f8"},
    {AUTODEPLOY_UINT32, 4, "uint32", "u4"}, {AUTODEPLOY_UINT64, 8, "uint64", "u8"},
    {AUTODEPLOY_BFLOAT16, 2, "bfloat16", "V2"},
    {AUTODEPLOY_FLOAT8_E4M3FN, 1, "float8_e4m3fn", "V1"},
    {AUTODEPLOY_FLOAT8_E4M3FNUZ, 1, "float8_e4m3fnuz", "V1"},
    {AUTODEPLOY_FLOAT8_E5M2, 1, "float8_e5m2", "V1"},
    {AUTODEPLOY_FLOAT8_E5M2FNUZ, 1, "float8_e5m2fnuz", "V1"},
    {AUTODEPLOY_UINT4, 1, "uint4", "V1"}, {AUTODEPLOY_INT4, 1, "int4", "V1"},
    {AUTODEPLOY_FLOAT4_E2M1FN, 1, "float4_e2m1fn", "V1"},
    {AUTODEPLOY_FLOAT8_E8M0FNU, 1, "float8_e8m0fnu", "V1"},
    {AUTODEPLOY_UINT2, 1, "uint2", "V1"}, {AUTODEPLOY_INT2, 1, "int2", "V1"},
};

static const autodeploy_element_type UNKNOWN_TYPE = {0, 1, "unknown type", "V1"};

const autodeploy_element_type *autodeploy_find_type(int64_t dtype)
{
    size_t i;
    for (i = 0; i < sizeof ELEMENT_TYPES / sizeof ELEMENT_TYPES[0]; ++i) {
        if (ELEMENT_TYPES[i].dtype == dtype) {
            return &ELEMENT_TYPES[i];
        }
    }
    return &UNKNOWN_TYPE;
}

size_t autodeploy_element_count(const autodeploy_tensor *tensor)
{
    size_t count = 1;
    int i;
    for (i = 0; i < tensor->rank; ++i) {
        count *= (size_t)tensor->shape[i];
    }
    return count;
}

size_t autodeploy_cell_bytes(const autodeploy_tensor *tensor)
{
    const size_t count = autodeploy_element_count(tensor);
    return count == 0 ? 0 : tensor->bytes / count;
}

/* The value of 16 bits that hold a sign, exponent_bits bits of exponent, and a fraction. */
static double small_float(uint16_t bits, int exponent_bits)
{
    const int fraction_bits = 15 - exponent_bits;
    const int largest = (1 << exponent_bits) - 1;
    const int exponent = (bits >> fraction_bits) & largest;
    const int fraction = bits & ((1 << fraction_bits) - 1);
    const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
    if (exponent == largest) {
        return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
    }
    if (exponent == 0) {
        return sign * ldexp(fraction, 2 - (1 << (exponent_bits - 1)) - fraction_bits);
    }
    return sign * ldexp(
        fraction + (1 << fraction_bits),
        exponent + 1 - (1 << (exponent_bits - 1)) - fraction_bits);
}

/* The value of few bits that hold a sign, an exponent and a fraction, infinities and nans apart. */
static double tiny_float(unsigned bits, int exponent_bits, int fraction_bits, int bias)
{
    const int exponent = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    const int fraction = (int)bits & ((1 << fraction_bits) - 1);
    const double sign = (bits >> (exponent_bits + fraction_bits)) != 0 ? -1.0 : 1.0;
    if (exponent == 0) {
        return sign * ldexp(fraction, 1 - bias - fraction_bits);
    }
    return sign * ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

/* The bits of an element, of which several lie in a byte; the first one is in the low bits. */
static unsigned few_bits(const void *data, size_t index, unsigned bits)
{
    const unsigned byte = ((const uint8_t *)data)[index * bits / 8];
    return (byte >> (index * bits % 8)) & ((1U << bits) - 1);
}

static double few_signed_bits(const void *data, size_t index, unsigned bits)
{
    const int value = (int)few_bits(data, index, bits);
    return (double)(value < 1 << (bits - 1) ? value : value - (1 << bits));
}

double autodeploy_element(int dtype, const void *data, size_t index)
{
    const uint8_t *const codes = (const uint8_t *)data;
    switch (dtype) {
    case AUTODEPLOY_FLOAT8_E4M3FN:
        return (codes[index] & 0x7FU) == 0x7FU ? (double)NAN : tiny_float(codes[index], 4, 3, 7);
    case AUTODEPLOY_FLOAT8_E4M3FNUZ:
        return codes[index] == 0x80U ? (double)NAN : tiny_float(codes[index], 4, 3, 8);
    case AUTODEPLOY_FLOAT8_E5M2:
        return small_float((uint16_t)(codes[index] << 8), 5);
    case AUTODEPLOY_FLOAT8_E5M2FNUZ:
        return codes[index] == 0x80U ? (double)NAN : tiny_float(codes[index], 5, 2, 16);
    case AUTODEPLOY_FLOAT8_E8M0FNU:
        return codes[index] == 0xFFU ? (double)NAN : ldexp(1.0, (int)codes[index] - 127);
    case AUTODEPLOY_FLOAT4_E2M1FN:
        return tiny_float(few_bits(data, index, 4), 2, 1, 1);
    case AUTODEPLOY_UINT4:
        return (double)few_bits(data, index, 4);
    case AUTODEPLOY_INT4:
        return few_signed_bits(data, index, 4);
    case AUTODEPLOY_UINT2:
        return (double)few_bits(data, index, 2);
    case AUTODEPLOY_INT2:
        return few_signed_bits(data, index, 2);
    case AUTODEPLOY_FLOAT32:
        return (double)((const float *)data)[index];
    case AUTODEPLOY_FLOAT64:
        return ((const double *)data)[index];
    case AUTODEPLOY_FLOAT16:
        return small_float(((const uint16_t *)data)[index], 5);
    case AUTODEPLOY_BFLOAT16:
        return small_float(((const uint16_t *)data)[index], 8);
    case AUTODEPLOY_INT8:
        return (double)((const int8_t *)data)[index];
    case AUTODEPLOY_INT16:
        return (double)((const int16_t *)data)[index];
    case AUTODEPLOY_INT32:
        return (double)((const int32_t *)data)[index];
    case AUTODEPLOY_INT64:
        return (double)((const int64_t *)data)[index];
    case AUTODEPLOY_UINT16:
        return (double)((const uint16_t *)data)[index];
    case AUTODEPLOY_UINT32:
        return (double)((const uint32_t *)data)[index];
    case AUTODEPLOY_UINT64:
        return (double)((const uint64_t *)data)[index];
    default:
        return (double)codes[index];
    }
}

/* The bytes of the first of `left` bytes of UTF-8 where that is no character to be shown: a control
 * character, or one that ends lines, has no width or changes the direction of writing; else 0. */
static size_t hidden_bytes(const uint8_t *at, size_t left)
{
    if (at[0] < 0x20 || at[0] == 0x7F) {
        return 1;
    }
    if (left >= 2 && at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0) {
        return 2;
    }
    if (left >= 3 && at[0] == 0xE2 && at[1] == 0x80) {
        return (at[2] >= 0x8B && at[2] <= 0x8F) || (at[2] >= 0xA8 && at[2] <= 0xAE) ? 3 : 0;
    }
    return left >= 3 && at[0] == 0xE2 && at[1] == 0x81 && at[2] >= 0xA0 && at[2] < 0xB0 ? 3 : 0;
}

/* Print text up to a zero byte, hidden bytes in octal, those in `marked` behind a backslash. */
static void print_bytes(FILE *file, const uint8_t *text, size_t bytes, const char *marked)
{
    size_t i, hidden = 0;
    for (i = 0; i < bytes && text[i] != 0; ++i) {
        if (hidden == 0) {
            hidden = hidden_bytes(text + i, bytes - i);
        }
        if (hidden > 0) {
            (void)fprintf(file, "\\%03o", (unsigned)text[i]);
            --hidden;
        } else {
            if (strchr(marked, text[i]) != NULL) {
                (void)fputc('\\', file);
            }
            (void)fputc(text[i], file);
        }
    }
}

void autodeploy_print_text(FILE *file, const char *text)
{
    print_bytes(file, (const uint8_t *)text, strlen(text), "");
}

static void print_string(FILE *file, const uint8_t *cell, size_t bytes)
{
    (void)fputc('"', file);
    print_bytes(file, cell, bytes, "\"\\");
    (void)fputc('"', file);
}

void autodeploy_print_element(
    FILE *file, const autodeploy_tensor *tensor, const void *data, size_t index)
{
    const int dtype = tensor->dtype;
    if (dtype == AUTODEPLOY_STRING) {
        const size_t bytes = autodeploy_cell_bytes(tensor);
        print_string(file, (const uint8_t *)data + index * bytes, bytes);
    } else if (dtype == AUTODEPLOY_INT32 || dtype == AUTODEPLOY_UINT32) {
        (void)fprintf(file, "%.0f", autodeploy_element(dtype, data, index));
    } else if (dtype == AUTODEPLOY_INT64) {
        (void)fprintf(file, "%" PRId64, ((const int64_t *)data)[index]);
    } else if (dtype == AUTODEPLOY_UINT64) {
        (void)fprintf(file, "%" PRIu64, ((const uint64_t *)data)[index]);
    } else {
        (void)fprintf(file, "%.8g", autodeploy_element(dtype, data, index));
    }
}

void autodeploy_describe_shape(char *text, size_t bytes, int rank, const int64_t *shape)
{
    int i;
    (void)snprintf(text, bytes, "%s", rank == 0 ? "scalar" : "");
    for (i = 0; i < rank; ++i) {
        const size_t used = strlen(text);
        (void)snprintf(text + used, bytes - used, "%s%" PRId64, i == 0 ? "" : "x", shape[i]);
    }
}
