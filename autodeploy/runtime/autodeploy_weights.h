/* The weight file: reading it, and checking it before anything is computed with it.
 *
 * Layout, all numbers in the byte order of the machine that the model was compiled for:
 *
 *     byte  0   8 bytes   magic: 0x89 "ADW" CR LF 0x1A LF (changes when moved as text)
 *     byte  8   uint32    byte order mark 0x01020304
 *     byte 12   uint32    format version, 1
 *     byte 16   uint64    bytes of this header, 64: where the data begins
 *     byte 24   uint64    bytes of the data, a multiple of 64
 *     byte 32   16 bytes  fingerprint of the model that the weights belong to
 *     byte 48   uint64    checksum of the data, see autodeploy_weights_sum
 *     byte 56   8 bytes   zero, and checked: a later format may use them
 *     byte 64             the data: each weight dense and row-major, at a multiple of 64
 */
#ifndef AUTODEPLOY_WEIGHTS_H
#define AUTODEPLOY_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    AUTODEPLOY_WEIGHTS_HEADER_BYTES = 64,
    AUTODEPLOY_WEIGHTS_ALIGNMENT = 64,
    AUTODEPLOY_WEIGHTS_VERSION = 1,
    AUTODEPLOY_WEIGHTS_FINGERPRINT_BYTES = 16
};

/* What can be wrong with a weight file. */
typedef enum autodeploy_weights_status {
    AUTODEPLOY_WEIGHTS_OK = 0,
    AUTODEPLOY_WEIGHTS_NOT_FOUND,  /* the file cannot be opened */
    AUTODEPLOY_WEIGHTS_UNREADABLE, /* reading failed midway */
    AUTODEPLOY_WEIGHTS_TRUNCATED,  /* ends before its header or its data does */
    AUTODEPLOY_WEIGHTS_FORMAT,     /* is something else than a weight file */
    AUTODEPLOY_WEIGHTS_OTHER_VERSION,
    AUTODEPLOY_WEIGHTS_BYTE_ORDER, /* made for a machine of the other byte order */
    AUTODEPLOY_WEIGHTS_OTHER_MODEL,
    AUTODEPLOY_WEIGHTS_SIZE,       /* its data, or the file, is too long or too short */
    AUTODEPLOY_WEIGHTS_CHECKSUM,   /* the data was changed */
    AUTODEPLOY_WEIGHTS_ALIGNMENT_WRONG,
    AUTODEPLOY_WEIGHTS_MEMORY      /* no memory for the data */
} autodeploy_weights_status;

/* A part of the data: where it begins, and its size; multiples of 64 bytes. */
typedef struct autodeploy_weights_part {
    uint64_t offset;
    uint64_t bytes;
} autodeploy_weights_part;

/* What a model expects of its weight file. Where parts is not NULL it reads these part_count parts
 * alone, in rising order, and checksum is the sum of them, each with the numbers that its words have
 * in the whole data. */
typedef struct autodeploy_weights_expected {
    uint8_t fingerprint[AUTODEPLOY_WEIGHTS_FINGERPRINT_BYTES];
    uint64_t data_bytes;
    const autodeploy_weights_part *parts;
    size_t part_count;
    uint64_t checksum;
} autodeploy_weights_expected;

/* Check a whole weight file in memory and set *data to its data, inside it; of the data the parts
 * that are read are checked.
 *
 * file must be aligned to AUTODEPLOY_WEIGHTS_ALIGNMENT bytes. Nothing is copied or kept. On any
 * status but OK, *data is NULL and message, of message_bytes bytes (0 for none), says in one line
 * what was found.
 */
autodeploy_weights_status autodeploy_weights_check(
    const void *file, size_t file_bytes, const autodeploy_weights_expected *expected,
    const uint8_t **data, char *message, size_t message_bytes);

/* Read and check a weight file; set *block to memory that the caller gives to free(), and *data to
 * the data inside it, aligned to AUTODEPLOY_WEIGHTS_ALIGNMENT bytes: the parts that are read, one
 * behind the other. Otherwise as above; on any status but OK, *block is NULL too.
 */
autodeploy_weights_status autodeploy_weights_read(
    const char *path, const autodeploy_weights_expected *expected, void **block,
    const uint8_t **data, char *message, size_t message_bytes);

/* The checksum of bytes bytes, a multiple of 8, as the words first_word, first_word + 1, … of the
 * data; the sums of parts add up to the sum of the whole. It is meant to find damage, not forgery.
 */
uint64_t autodeploy_weights_sum(const uint8_t *data, size_t bytes, uint64_t first_word);

#ifdef __cplusplus
}
#endif

#endif
