/* Reading an ONNX TensorProto: just as much of protobuf's wire format as that needs. */
#include "autodeploy_tensor_reader.h"

#include <string.h>

/* Protobuf's kinds of field. */
enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

/* The numbers of TensorProto's fields, from the ONNX specification. */
enum {
    DIMS = 1,
    DATA_TYPE = 2,
    SEGMENT = 3,
    FLOAT_DATA = 4,
    INT32_DATA = 5,
    STRING_DATA = 6,
    INT64_DATA = 7,
    RAW_DATA = 9,
    DOUBLE_DATA = 10,
    UINT64_DATA = 11,
    EXTERNAL_DATA = 13,
    DATA_LOCATION = 14
};

/* One field: its number, its kind, and its value, a number or the bytes of value. */
typedef struct {
    uint64_t number;
    int kind;
    uint64_t value;
    autodeploy_reader bytes;
} field;

/* What was found so far. */
typedef struct {
    int rank;
    int64_t shape[AUTODEPLOY_MAX_RANK];
    int64_t dtype;
    const uint8_t *raw; /* raw_data; NULL where there was none */
    size_t raw_bytes;
    size_t numbers; /* elements, or bytes of several, that came as numbers; or strings */
} contents;

static int malformed(const autodeploy_reader *in)
{
    return autodeploy_reader_fail(in, "is not an ONNX TensorProto");
}

static int read_varint(autodeploy_reader *in, uint64_t *value)
{
    int shift;
    *value = 0;
    for (shift = 0; shift < 70 && in->at < in->end; shift += 7) {
        const uint8_t byte = *in->at++;
        if (shift == 63 && byte > 1) {
            return malformed(in);
        }
        *value |= (uint64_t)(byte & 0x7FU) << shift;
        if ((byte & 0x80U) == 0) {
            return 0;
        }
    }
    return malformed(in);
}

/* Read a number of 4 or 8 bytes, the least significant first. */
static int read_fixed(autodeploy_reader *in, int count, uint64_t *value)
{
    int i;
    *value = 0;
    if (autodeploy_reader_left(in) < (size_t)count) {
        return malformed(in);
    }
    for (i = 0; i < count; ++i) {
        *value |= (uint64_t)*in->at++ << (8 * i);
    }
    return 0;
}

static int read_field(autodeploy_reader *in, field *found)
{
    uint64_t key;
    if (read_varint(in, &key) != 0) {
        return -1;
    }
    found->number = key >> 3;
    found->kind = (int)(key & 7U);
    found->value = 0;
    found->bytes = *in;
    switch (found->kind) {
    case VARINT:
        return read_varint(in, &found->value);
    case FIXED64:
        return read_fixed(in, 8, &found->value);
    case FIXED32:
        return read_fixed(in, 4, &found->value);
    case BYTES:
        if (read_varint(in, &found->value) != 0) {
            return -1;
        }
        if (found->value > autodeploy_reader_left(in)) {
            return malformed(in);
        }
        found->bytes.at = in->at;
        in->at += found->value;
        found->bytes.end = in->at;
        return 0;
    default:
        return malformed(in);
    }
}

/* The kind that the numbers of a field have one by one; BYTES for other fields. */
static int number_kind(uint64_t number)
{
    switch (number) {
    case DIMS:
    case DATA_TYPE:
    case INT32_DATA:
    case INT64_DATA:
    case UINT64_DATA:
    case DATA_LOCATION:
        return VARINT;
    case FLOAT_DATA:
        return FIXED32;
    case DOUBLE_DATA:
        return FIXED64;
    default:
        return BYTES;
    }
}

/* Whether a field of numbers holds elements of a type. */
static int holds(uint64_t number, int dtype)
{
    switch (dtype) {
    case AUTODEPLOY_STRING:
        return 0;
    case AUTODEPLOY_FLOAT32:
        return number == FLOAT_DATA;
    case AUTODEPLOY_FLOAT64:
        return number == DOUBLE_DATA;
    case AUTODEPLOY_INT64:
        return number == INT64_DATA;
    case AUTODEPLOY_UINT32:
    case AUTODEPLOY_UINT64:
        return number == UINT64_DATA;
    default:
        return number == INT32_DATA;
    }
}

/* Whether a number of int32_data or uint64_data is in the range of a type. */
static int in_range(uint64_t value, int dtype)
{
    /* Negative numbers come as 64 bits in two's complement. */
    const int64_t number = value <= (uint64_t)INT64_MAX ? (int64_t)value
                                                        : -1 - (int64_t)(UINT64_MAX - value);
    switch (dtype) {
    case AUTODEPLOY_BOOL:
        return value <= 1;
    case AUTODEPLOY_UINT8:
        return value <= UINT8_MAX;
    case AUTODEPLOY_INT8:
        return number >= INT8_MIN && number <= INT8_MAX;
    case AUTODEPLOY_INT16:
        return number >= INT16_MIN && number <= INT16_MAX;
    case AUTODEPLOY_UINT16:
    case AUTODEPLOY_FLOAT16:
    case AUTODEPLOY_BFLOAT16:
        return value <= UINT16_MAX;
    case AUTODEPLOY_INT32:
        return number >= INT32_MIN && number <= INT32_MAX;
    case AUTODEPLOY_UINT32:
        return value <= UINT32_MAX;
    default:
        return dtype <= AUTODEPLOY_BFLOAT16 || value <= UINT8_MAX;
    }
}

/* How many numbers, or strings, a tensor takes. */
static size_t number_count(const autodeploy_tensor *tensor)
{
    if (tensor->dtype == AUTODEPLOY_STRING) {
        return autodeploy_element_count(tensor);
    }
    return tensor->bytes / autodeploy_find_type(tensor->dtype)->bytes;
}

/* Store the low bytes of value as the next element. */
static int add_element(const autodeploy_reader *in, contents *found, uint64_t value, void *data)
{
    const size_t bytes = autodeploy_find_type(in->tensor->dtype)->bytes;
    uint8_t *const to = (uint8_t *)data + found->numbers * bytes;
    const uint8_t low8 = (uint8_t)(value & 0xFFU);
    const uint16_t low16 = (uint16_t)(value & 0xFFFFU);
    const uint32_t low32 = (uint32_t)(value & 0xFFFFFFFFU);
    if (found->numbers >= number_count(in->tensor)) {
        return autodeploy_reader_fail(in, "holds more elements than its shape says");
    }
    if (!in_range(value, in->tensor->dtype)) {
        return autodeploy_reader_fail(in, "holds a number that is out of the range of its type");
    }
    switch (bytes) {
    case 1:
        memcpy(to, &low8, bytes);
        break;
    case 2:
        memcpy(to, &low16, bytes);
        break;
    case 4:
        memcpy(to, &low32, bytes);
        break;
    default:
        memcpy(to, &value, sizeof value);
        break;
    }
    ++found->numbers;
    return 0;
}

static int add_number(
    const autodeploy_reader *in, uint64_t number, uint64_t value, contents *found, void *data)
{
    switch (number) {
    case DIMS:
        if (found->rank == AUTODEPLOY_MAX_RANK || value > (uint64_t)INT64_MAX) {
            return malformed(in);
        }
        found->shape[found->rank++] = (int64_t)value;
        return 0;
    case DATA_TYPE:
        found->dtype = value > (uint64_t)INT64_MAX ? 0 : (int64_t)value;
        return 0;
    case DATA_LOCATION:
        return value == 0 ? 0 : autodeploy_reader_fail(in, "keeps its elements in another file");
    default:
        if (found->dtype != 0 && autodeploy_reader_check_type(in, found->dtype) != 0) {
            return -1;
        }
        if (!holds(number, in->tensor->dtype)) {
            return autodeploy_reader_fail(
                in, "holds numbers of another type than %s, which '%s' takes",
                autodeploy_find_type(in->tensor->dtype)->name, in->tensor->name);
        }
        return add_element(in, found, value, data);
    }
}

/* Take the numbers of a field: one, or many packed into bytes. */
static int add_field(field *next, contents *found, void *data)
{
    const int kind = number_kind(next->number);
    if (next->kind == kind) {
        return add_number(&next->bytes, next->number, next->value, found, data);
    }
    if (next->kind != BYTES) {
        return malformed(&next->bytes);
    }
    while (next->bytes.at < next->bytes.end) {
        uint64_t value;
        const int result = kind == VARINT
                               ? read_varint(&next->bytes, &value)
                               : read_fixed(&next->bytes, kind == FIXED32 ? 4 : 8, &value);
        if (result != 0 || add_number(&next->bytes, next->number, value, found, data) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Take the next string. */
static int append_string(const field *next, contents *found, void *data)
{
    const autodeploy_reader *const in = &next->bytes;
    if (next->kind != BYTES) {
        return malformed(in);
    }
    if (in->tensor->dtype != AUTODEPLOY_STRING) {
        return autodeploy_reader_fail(
            in, "holds strings, but '%s' takes %s", in->tensor->name,
            autodeploy_find_type(in->tensor->dtype)->name);
    }
    if (found->numbers >= number_count(in->tensor)) {
        return autodeploy_reader_fail(in, "holds more elements than its shape says");
    }
    return autodeploy_reader_copy_string(
        in, in->at, autodeploy_reader_left(in), found->numbers++, data);
}

static int read_fields(autodeploy_reader *in, contents *found, void *data)
{
    while (in->at < in->end) {
        field next;
        if (read_field(in, &next) != 0) {
            return -1;
        }
        if ((next.number == RAW_DATA || next.number == SEGMENT || next.number == EXTERNAL_DATA) &&
            next.kind != BYTES) {
            return malformed(in);
        }
        if (next.number == RAW_DATA) {
            found->raw = next.bytes.at;
            found->raw_bytes = autodeploy_reader_left(&next.bytes);
        } else if (next.number == SEGMENT || next.number == EXTERNAL_DATA) {
            return autodeploy_reader_fail(in, "keeps its elements elsewhere");
        } else if (next.number == STRING_DATA) {
            if (append_string(&next, found, data) != 0) {
                return -1;
            }
        } else if (number_kind(next.number) != BYTES && add_field(&next, found, data) != 0) {
            return -1;
        }
    }
    return 0;
}

int autodeploy_read_proto(autodeploy_reader *in, void *data)
{
    contents found;
    memset(&found, 0, sizeof found);
    if (in->at == in->end) {
        return malformed(in);
    }
    if (read_fields(in, &found, data) != 0 ||
        autodeploy_reader_check_type(in, found.dtype) != 0 ||
        autodeploy_reader_check_shape(in, found.rank, found.shape) != 0) {
        return -1;
    }
    if (found.raw != NULL) {
        if (in->tensor->dtype == AUTODEPLOY_STRING) {
            return autodeploy_reader_fail(in, "holds strings as raw data");
        }
        if (found.numbers > 0) {
            return autodeploy_reader_fail(in, "holds its elements twice");
        }
        if (!autodeploy_little_endian()) {
            return autodeploy_reader_fail(in, "holds elements of the other byte order");
        }
        return autodeploy_reader_copy(in, found.raw, found.raw_bytes, data);
    }
    if (found.numbers != number_count(in->tensor)) {
        return autodeploy_reader_fail(
            in, "holds %.0f elements, but '%s' takes %.0f", (double)found.numbers,
            in->tensor->name, (double)number_count(in->tensor));
    }
    return 0;
}
