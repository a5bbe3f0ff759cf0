/* A file that keeps what is slow to make, from one start to the next. */
#include "autodeploy_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the file begins with, in the byte order of the machine that wrote it. */
typedef struct {
    char magic[8];
    uint64_t key;
    uint64_t count;
    uint64_t checksum;
} cache_header;

static const char MAGIC[8] = {'A', 'D', 'C', 'A', 'C', 'H', 'E', '1'};

/* FNV-1a. */
uint64_t autodeploy_cache_key(uint64_t before, const void *bytes, size_t count)
{
    const unsigned char *const from = (const unsigned char *)bytes;
    uint64_t key = before ^ UINT64_C(0xcbf29ce484222325);
    size_t i;
    for (i = 0; i < count; ++i) {
        key = (key ^ from[i]) * UINT64_C(0x100000001b3);
    }
    return key;
}

/* Read the content after a header; a file that ends early, or later than it says, is damaged. */
static void *read_content(FILE *file, const cache_header *header)
{
    const size_t count = (size_t)header->count;
    long size = -1;
    void *content;
    if (fseek(file, 0, SEEK_END) == 0) {
        size = ftell(file);
    }
    if (size < (long)sizeof *header || (uint64_t)size - sizeof *header != header->count ||
        count == 0 || fseek(file, (long)sizeof *header, SEEK_SET) != 0) {
        return NULL;
    }
    content = malloc(count);
    if (content != NULL && (fread(content, 1, count, file) != count ||
                            autodeploy_cache_key(0, content, count) != header->checksum)) {
        free(content);
        content = NULL;
    }
    return content;
}

void *autodeploy_cache_read(const char *path, uint64_t key, size_t *count)
{
    FILE *const file = fopen(path, "rb");
    cache_header header;
    void *content = NULL;
    if (file == NULL) {
        return NULL;
    }
    if (fread(&header, sizeof header, 1, file) == 1 &&
        memcmp(header.magic, MAGIC, sizeof MAGIC) == 0 && header.key == key) {
        content = read_content(file, &header);
        *count = (size_t)header.count;
    }
    (void)fclose(file);
    return content;
}

void autodeploy_cache_write(const char *path, uint64_t key, const void *content, size_t count)
{
    static const char NEW[] = ".new";
    const size_t length = strlen(path);
    char *const made = (char *)malloc(length + sizeof NEW);
    cache_header header;
    FILE *file;
    int is_whole;
    if (made == NULL) {
        return;
    }
    memcpy(made, path, length);
    memcpy(made + length, NEW, sizeof NEW);
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    header.key = key;
    header.count = count;
    header.checksum = autodeploy_cache_key(0, content, count);
    file = fopen(made, "wb");
    if (file != NULL) {
        is_whole = fwrite(&header, sizeof header, 1, file) == 1 &&
                   fwrite(content, 1, count, file) == count;
        is_whole = fclose(file) == 0 && is_whole;
#if defined(_WIN32)
        (void)remove(path); /* nothing is renamed to a file that is there */
#endif
        if (!is_whole || rename(made, path) != 0) {
            (void)remove(made);
        }
    }
    free(made);
}
