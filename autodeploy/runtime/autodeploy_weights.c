/* Reading and checking weight files; see autodeploy_weights.h. */
#include "autodeploy_weights.h"

#include "autodeploy_memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So much is read and summed at a time, so that the sum finds it in the cache. */
static const size_t CHUNK_BYTES = (size_t)1 << 20;

typedef struct {
    uint32_t byte_order;
    uint32_t version;
    uint64_t header_bytes;
    uint64_t data_bytes;
    uint8_t fingerprint[AUTODEPLOY_WEIGHTS_FINGERPRINT_BYTES];
    uint64_t checksum;
} weights_header;

/* Where an error is described, and in which file: NULL stands for one in memory. */
typedef struct {
    char *text;
    size_t bytes;
    const char *path;
} message_buffer;

static const uint8_t MAGIC[8] = {0x89, 'A', 'D', 'W', '\r', '\n', 0x1A, '\n'};
static const uint8_t RESERVED[8] = {0}; /* at the end of the header, for later formats */
static const uint32_t BYTE_ORDER_MARK = 0x01020304U;
static const uint32_t BYTE_ORDER_SWAPPED = 0x04030201U;

/* Write which file it is, and after it what is wrong with that file. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static autodeploy_weights_status
fail(autodeploy_weights_status status, const message_buffer *message, const char *format, ...)
{
    va_list arguments;
    size_t used;
    if (message->text == NULL || message->bytes == 0) {
        return status;
    }
    if (message->path != NULL) {
        (void)snprintf(message->text, message->bytes, "weight file '%s' ", message->path);
    } else {
        (void)snprintf(message->text, message->bytes, "the weight file in memory ");
    }
    used = strlen(message->text);
    va_start(arguments, format);
    (void)vsnprintf(message->text + used, message->bytes - used, format, arguments);
    va_end(arguments);
    return status;
}

uint64_t autodeploy_weights_sum(const uint8_t *data, size_t bytes, uint64_t first_word)
{
    /* Each word is mixed with its index and made to depend on all its bits; then all are added. */
    const uint64_t step = 0x9E3779B97F4A7C15U;
    uint64_t index = (first_word + 1) * step;
    uint64_t sum = 0;
    size_t at;
    for (at = 0; at + sizeof(uint64_t) <= bytes; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, data + at, sizeof word);
        word = (word ^ index) * 0xD6E8FEB86659FD93U;
        word = (word ^ (word >> 32)) * 0xD6E8FEB86659FD93U;
        sum += word ^ (word >> 32);
        index += step;
    }
    return sum;
}

/* Read the header from the first bytes of a file, and check all that it says. */
static autodeploy_weights_status read_header(
    const uint8_t *file, size_t file_bytes, const autodeploy_weights_expected *expected,
    weights_header *header, const message_buffer *message)
{
    const size_t magic_bytes = file_bytes < sizeof MAGIC ? file_bytes : sizeof MAGIC;
    if (memcmp(file, MAGIC, magic_bytes) != 0) {
        return fail(AUTODEPLOY_WEIGHTS_FORMAT, message, "is not a weight file of autodeploy");
    }
    if (file_bytes < AUTODEPLOY_WEIGHTS_HEADER_BYTES) {
        return fail(AUTODEPLOY_WEIGHTS_TRUNCATED, message,
                    "ends after %lu bytes, inside its header",
                    (unsigned long)file_bytes);
    }
    memcpy(&header->byte_order, file + 8, sizeof header->byte_order);
    memcpy(&header->version, file + 12, sizeof header->version);
    memcpy(&header->header_bytes, file + 16, sizeof header->header_bytes);
    memcpy(&header->data_bytes, file + 24, sizeof header->data_bytes);
    memcpy(header->fingerprint, file + 32, sizeof header->fingerprint);
    memcpy(&header->checksum, file + 48, sizeof header->checksum);
    if (header->byte_order == BYTE_ORDER_SWAPPED) {
        return fail(AUTODEPLOY_WEIGHTS_BYTE_ORDER, message,
                    "was made for a machine of the other byte order");
    }
    if (header->byte_order != BYTE_ORDER_MARK) {
        return fail(AUTODEPLOY_WEIGHTS_FORMAT, message,
                    "has a damaged byte order mark");
    }
    if (header->version != AUTODEPLOY_WEIGHTS_VERSION) {
        return fail(AUTODEPLOY_WEIGHTS_OTHER_VERSION, message,
                    "has format version %lu, this program reads version %d",
                    (unsigned long)header->version, (int)AUTODEPLOY_WEIGHTS_VERSION);
    }
    if (header->header_bytes != AUTODEPLOY_WEIGHTS_HEADER_BYTES) {
        return fail(AUTODEPLOY_WEIGHTS_FORMAT, message,
                    "says that its header has %.0f bytes, expected %d",
                    (double)header->header_bytes, (int)AUTODEPLOY_WEIGHTS_HEADER_BYTES);
    }
    if (memcmp(file + 56, RESERVED, sizeof RESERVED) != 0) {
        return fail(AUTODEPLOY_WEIGHTS_FORMAT, message,
                    "has other bytes than zeros where its header has nothing to say");
    }
    if (memcmp(header->fingerprint, expected->fingerprint, sizeof header->fingerprint) != 0) {
        return fail(AUTODEPLOY_WEIGHTS_OTHER_MODEL, message,
                    "belongs to another model, or to another build of this one");
    }
    if (header->data_bytes != expected->data_bytes) {
        return fail(AUTODEPLOY_WEIGHTS_SIZE, message,
                    "holds %.0f bytes of data, expected %.0f",
                    (double)header->data_bytes, (double)expected->data_bytes);
    }
    return AUTODEPLOY_WEIGHTS_OK;
}

static autodeploy_weights_status truncated(
    uint64_t found, const weights_header *header, const message_buffer *message)
{
    return fail(AUTODEPLOY_WEIGHTS_TRUNCATED, message,
                "ends after %.0f bytes of data, expected %.0f", (double)found,
                (double)header->data_bytes);
}

/* The parts that are read: those that are expected, or the whole data. */
typedef struct {
    autodeploy_weights_part whole;
    const autodeploy_weights_part *parts;
    size_t count;
    uint64_t checksum;
} parts_to_read;

static void choose_parts(
    const autodeploy_weights_expected *expected, const weights_header *header, parts_to_read *chosen)
{
    chosen->whole.offset = 0;
    chosen->whole.bytes = header->data_bytes;
    chosen->parts = expected->parts == NULL ? &chosen->whole : expected->parts;
    chosen->count = expected->parts == NULL ? 1 : expected->part_count;
    chosen->checksum = expected->parts == NULL ? header->checksum : expected->checksum;
}

static autodeploy_weights_status check_sum(
    uint64_t sum, const parts_to_read *chosen, const message_buffer *message)
{
    if (sum != chosen->checksum) {
        return fail(AUTODEPLOY_WEIGHTS_CHECKSUM, message,
                    "is damaged: the checksum of its data is wrong");
    }
    return AUTODEPLOY_WEIGHTS_OK;
}

autodeploy_weights_status autodeploy_weights_check(
    const void *file, size_t file_bytes, const autodeploy_weights_expected *expected,
    const uint8_t **data, char *message, size_t message_bytes)
{
    const message_buffer errors = {message, message_bytes, NULL};
    const uint8_t *bytes = (const uint8_t *)file;
    weights_header header;
    parts_to_read chosen;
    autodeploy_weights_status status;
    size_t data_bytes, i;
    uint64_t sum = 0;
    *data = NULL;
    if ((uintptr_t)file % AUTODEPLOY_WEIGHTS_ALIGNMENT != 0) {
        return fail(AUTODEPLOY_WEIGHTS_ALIGNMENT_WRONG, &errors,
                    "is not aligned to %d bytes",
                    (int)AUTODEPLOY_WEIGHTS_ALIGNMENT);
    }
    status = read_header(bytes, file_bytes, expected, &header, &errors);
    if (status != AUTODEPLOY_WEIGHTS_OK) {
        return status;
    }
    data_bytes = file_bytes - AUTODEPLOY_WEIGHTS_HEADER_BYTES;
    if (data_bytes < header.data_bytes) {
        return truncated(data_bytes, &header, &errors);
    }
    if (data_bytes > header.data_bytes) {
        return fail(AUTODEPLOY_WEIGHTS_SIZE, &errors,
                    "goes on for %.0f bytes after its data",
                    (double)(data_bytes - header.data_bytes));
    }
    bytes += AUTODEPLOY_WEIGHTS_HEADER_BYTES;
    choose_parts(expected, &header, &chosen);
    for (i = 0; i < chosen.count; ++i) {
        const autodeploy_weights_part *const part = &chosen.parts[i];
        sum += autodeploy_weights_sum(
            bytes + part->offset, (size_t)part->bytes, part->offset / sizeof(uint64_t));
    }
    status = check_sum(sum, &chosen, &errors);
    if (status == AUTODEPLOY_WEIGHTS_OK) {
        *data = bytes;
    }
    return status;
}

/* Move on in a file; a long may be too small for the whole way. */
static int skip(FILE *file, uint64_t bytes)
{
    const uint64_t most = (uint64_t)1 << 30;
    while (bytes > 0) {
        const uint64_t step = bytes < most ? bytes : most;
        if (fseek(file, (long)step, SEEK_CUR) != 0) {
            return 0;
        }
        bytes -= step;
    }
    return 1;
}

/* The file has ended, or cannot be read. Behind its end one may be by moving, too. */
static autodeploy_weights_status ended(
    FILE *file, uint64_t at, const weights_header *header, const message_buffer *message)
{
    long end;
    if (ferror(file)) {
        return fail(AUTODEPLOY_WEIGHTS_UNREADABLE, message, "cannot be read");
    }
    end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (end >= AUTODEPLOY_WEIGHTS_HEADER_BYTES) {
        at = (uint64_t)end - AUTODEPLOY_WEIGHTS_HEADER_BYTES;
    }
    return truncated(at, header, message);
}

/* Read the parts of the data into data, one behind the other, and check them. The file stands
 * behind its header. */
static autodeploy_weights_status read_data(
    FILE *file, const weights_header *header, const parts_to_read *chosen, uint8_t *data,
    const message_buffer *message)
{
    uint64_t sum = 0, at = 0;
    size_t i;
    for (i = 0; i < chosen->count; ++i) {
        const uint64_t end = chosen->parts[i].offset + chosen->parts[i].bytes;
        if (!skip(file, chosen->parts[i].offset - at)) {
            return fail(AUTODEPLOY_WEIGHTS_UNREADABLE, message, "cannot be read");
        }
        at = chosen->parts[i].offset;
        while (at < end) {
            const size_t wanted = end - at < CHUNK_BYTES ? (size_t)(end - at) : CHUNK_BYTES;
            const size_t found = fread(data, 1, wanted, file);
            if (found < wanted) {
                return ended(file, at + found, header, message);
            }
            sum += autodeploy_weights_sum(data, wanted, at / sizeof(uint64_t));
            data += wanted;
            at += wanted;
        }
    }
    if (at < header->data_bytes) {
        if (!skip(file, header->data_bytes - at - 1)) {
            return fail(AUTODEPLOY_WEIGHTS_UNREADABLE, message, "cannot be read");
        }
        if (fgetc(file) == EOF) {
            return ended(file, at, header, message);
        }
    }
    if (fgetc(file) != EOF) {
        return fail(AUTODEPLOY_WEIGHTS_SIZE, message,
                    "goes on after the %.0f bytes of its data", (double)header->data_bytes);
    }
    return check_sum(sum, chosen, message);
}

static autodeploy_weights_status read_file(
    FILE *file, const autodeploy_weights_expected *expected, void **block, const uint8_t **data,
    const message_buffer *message)
{
    uint8_t start[AUTODEPLOY_WEIGHTS_HEADER_BYTES];
    weights_header header;
    parts_to_read chosen;
    autodeploy_weights_status status;
    uint64_t bytes = 0;
    size_t i;
    void *memory = NULL;
    uint8_t *aligned = NULL;
    const size_t found = fread(start, 1, sizeof start, file);
    if (ferror(file)) {
        return fail(AUTODEPLOY_WEIGHTS_UNREADABLE, message, "cannot be read");
    }
    status = read_header(start, found, expected, &header, message);
    if (status != AUTODEPLOY_WEIGHTS_OK) {
        return status;
    }
    choose_parts(expected, &header, &chosen);
    for (i = 0; i < chosen.count; ++i) {
        bytes += chosen.parts[i].bytes;
    }
    if (bytes <= (uint64_t)SIZE_MAX) {
        aligned = (uint8_t *)autodeploy_memory_take((size_t)bytes, &memory);
    }
    if (aligned == NULL) {
        return fail(AUTODEPLOY_WEIGHTS_MEMORY, message,
                    "takes %.0f bytes of memory, which there are not", (double)bytes);
    }
    status = read_data(file, &header, &chosen, aligned, message);
    if (status != AUTODEPLOY_WEIGHTS_OK) {
        free(memory);
        return status;
    }
    *block = memory;
    *data = aligned;
    return AUTODEPLOY_WEIGHTS_OK;
}

autodeploy_weights_status autodeploy_weights_read(
    const char *path, const autodeploy_weights_expected *expected, void **block,
    const uint8_t **data, char *message, size_t message_bytes)
{
    const message_buffer errors = {message, message_bytes, path};
    autodeploy_weights_status status;
    FILE *file;
    *block = NULL;
    *data = NULL;
    file = fopen(path, "rb");
    if (file == NULL) {
        return fail(AUTODEPLOY_WEIGHTS_NOT_FOUND, &errors, "cannot be opened");
    }
    status = read_file(file, expected, block, data, &errors);
    (void)fclose(file);
    return status;
}
