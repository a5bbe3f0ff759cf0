/* Reads tokenizer.json into the tables of a tokenizer. */
#include "json.h"
#include "tokenizer_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOKENS = 1 << 24 };

#define START "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|"
#define REST "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"

/* Patterns by the most digits of a piece; 0 has the rules of GPT-2, and any number of them. */
static const struct {
    const char *regex;
    int digits;
} patterns[] = {
    {"'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+", 0},
    {START "\\p{N}" REST, 1},
    {START "\\p{N}{1,3}" REST, 3},
};

/* ---- Tables -------------------------------------------------------------------------------- */

static size_t hash(const void *data, size_t bytes)
{
    const unsigned char *const in = (const unsigned char *)data;
    uint64_t found = UINT64_C(14695981039346656037);
    size_t i;
    for (i = 0; i < bytes; ++i) {
        found = (found ^ in[i]) * UINT64_C(1099511628211);
    }
    return (size_t)(found ^ found >> 32);
}

int64_t *tokenizer_slot(const tokenizer *self, const char *text, size_t bytes)
{
    size_t i = hash(text, bytes) % self->slots;
    while (self->by_text[i] >= 0) {
        const token *const known = &self->tokens[self->by_text[i]];
        if (known->bytes == bytes && memcmp(known->text, text, bytes) == 0) {
            break;
        }
        i = (i + 1) % self->slots;
    }
    return &self->by_text[i];
}

merge *tokenizer_merge(const tokenizer *self, int64_t left, int64_t right)
{
    const int64_t pair[] = {left, right};
    size_t i = hash(pair, sizeof pair) % self->merge_slots;
    while (self->merges[i].is_used &&
           (self->merges[i].left != left || self->merges[i].right != right)) {
        i = (i + 1) % self->merge_slots;
    }
    return &self->merges[i];
}

/* ---- The file ------------------------------------------------------------------------------ */

static char *read_file(const char *path)
{
    FILE *const file = fopen(path, "rb");
    char *text = NULL;
    long bytes;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0 && (bytes = ftell(file)) >= 0 &&
        fseek(file, 0, SEEK_SET) == 0 && (text = (char *)calloc((size_t)bytes + 1, 1)) != NULL &&
        fread(text, 1, (size_t)bytes, file) != (size_t)bytes) {
        free(text);
        text = NULL;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return text;
}

/* Make bytes of the characters that stand for them: printable ones of Latin-1 for themselves, and those
 * from 256 on for the others. Returns how many there are; a text with another character stays. */
static size_t to_bytes(char *text, size_t length)
{
    unsigned char others[256];
    size_t in, out = 0, count = 0;
    unsigned byte;
    int writes;
    for (byte = 0; byte < 256; ++byte) {
        if (byte < 33 || (byte > 126 && byte < 161) || byte == 173) {
            others[count++] = (unsigned char)byte;
        }
    }
    for (writes = 0; writes < 2; ++writes) {
        for (in = 0, out = 0; in < length; ++in, ++out) {
            unsigned point = (unsigned char)text[in];
            if (point >= 0x80 && (point < 0xC0 || point >= 0xE0 || ++in == length)) {
                return length;
            }
            if (point >= 0x80) {
                point = (point & 31) << 6 | ((unsigned char)text[in] & 63);
            }
            if (point >= 256 + count) {
                return length;
            }
            if (writes) {
                text[out] = (char)(point < 256 ? point : others[point - 256]);
            }
        }
    }
    text[out] = '\0';
    return out;
}

/* Store a token, whose text is the tokenizer's from now on. */
static int add_token(tokenizer *self, long id, char *text, size_t bytes)
{
    if (text == NULL || id < 0 || id >= MOST_TOKENS) {
        free(text);
        return 0;
    }
    if ((size_t)id >= self->count) {
        const size_t room = (size_t)id + 1 + self->count;
        token *const grown = (token *)realloc(self->tokens, room * sizeof *grown);
        if (grown == NULL) {
            free(text);
            return 0;
        }
        memset(grown + self->count, 0, (room - self->count) * sizeof *grown);
        self->tokens = grown;
        self->count = room;
    }
    free(self->tokens[id].text);
    self->tokens[id].text = text;
    self->tokens[id].bytes = bytes;
    return 1;
}

static int read_tokens(tokenizer *self, json vocabulary, const json *file)
{
    json in = vocabulary, added;
    size_t bytes, i;
    if (!json_pass(&in, '{')) {
        return 0;
    }
    while (json_next(&in, '}')) {
        char *const text = json_string(&in, &bytes);
        if (text == NULL || !json_pass(&in, ':') ||
            !add_token(self, json_number(&in), text, to_bytes(text, bytes))) {
            return 0;
        }
    }
    if (json_find(file, "added_tokens", &added) && json_pass(&added, '[')) {
        while (json_next(&added, ']')) {
            const json one = added;
            json id, content;
            char *text;
            long number;
            if (!json_find(&one, "id", &id) || !json_find(&one, "content", &content)) {
                return 0;
            }
            number = json_number(&id);
            text = json_string(&content, &bytes);
            if (!add_token(self, number, text, bytes)) {
                return 0;
            }
            self->tokens[number].is_added = 1;
            self->tokens[number].is_special = json_is_true(&one, "special");
            json_skip(&added);
        }
        in.at = added.at != NULL ? in.at : NULL;
    }
    self->slots = 2 * self->count + 1;
    self->by_text = (int64_t *)malloc(self->slots * sizeof *self->by_text);
    for (i = 0; self->by_text != NULL && i < self->slots; ++i) {
        self->by_text[i] = -1;
    }
    for (i = 0; self->by_text != NULL && i < self->count; ++i) {
        if (self->tokens[i].text != NULL) {
            *tokenizer_slot(self, self->tokens[i].text, self->tokens[i].bytes) = (int64_t)i;
        }
    }
    return in.at != NULL && self->by_text != NULL;
}

/* Read a merge, which is a list of two texts or one text with a blank between them. */
static int read_merge(tokenizer *self, json *in, int64_t rank)
{
    const int is_list = json_pass(in, '[');
    size_t bytes = 0, more = 0;
    char *left = json_string(in, &bytes), *right = NULL, *both, *blank;
    int64_t pair[2] = {-1, -1}, merged = -1;
    if (is_list) {
        (void)json_pass(in, ',');
        right = json_string(in, &more);
        in->at = json_pass(in, ']') ? in->at : NULL;
    } else if (left != NULL && (blank = strchr(left, ' ')) != NULL) {
        more = bytes - (size_t)(blank - left) - 1;
        right = (char *)malloc(more + 1);
        bytes = (size_t)(blank - left);
        if (right != NULL) {
            memcpy(right, blank + 1, more + 1);
        }
    }
    both = left != NULL && right != NULL ? (char *)malloc(bytes + more + 1) : NULL;
    if (both != NULL) {
        bytes = to_bytes(left, bytes);
        more = to_bytes(right, more);
        memcpy(both, left, bytes);
        memcpy(both + bytes, right, more);
        pair[0] = *tokenizer_slot(self, left, bytes);
        pair[1] = *tokenizer_slot(self, right, more);
        merged = *tokenizer_slot(self, both, bytes + more);
    }
    free(left);
    free(right);
    free(both);
    if (pair[0] < 0 || pair[1] < 0 || merged < 0) {
        return 0;
    }
    if (!tokenizer_merge(self, pair[0], pair[1])->is_used) {
        const merge found = {pair[0], pair[1], merged, rank, 1};
        *tokenizer_merge(self, pair[0], pair[1]) = found;
    }
    return 1;
}

static int read_merges(tokenizer *self, json in)
{
    json counted = in;
    size_t count = 0;
    int64_t rank = 0;
    if (!json_pass(&in, '[') || !json_pass(&counted, '[')) {
        return 0;
    }
    for (; json_next(&counted, ']'); ++count) {
        json_skip(&counted);
    }
    self->merge_slots = 2 * count + 1;
    self->merges = (merge *)calloc(self->merge_slots, sizeof *self->merges);
    while (self->merges != NULL && json_next(&in, ']')) {
        if (!read_merge(self, &in, rank++)) {
            return 0;
        }
    }
    return self->merges != NULL && in.at != NULL;
}

/* Read how a text is cut: by a pattern, or by the rules of GPT-2. */
static int read_pattern(tokenizer *self, json cut)
{
    json list, pattern;
    size_t i;
    if (json_is_true(&cut, "add_prefix_space")) {
        return 0;
    }
    if (json_is_text(&cut, "type", "Sequence") && json_find(&cut, "pretokenizers", &list) &&
        json_pass(&list, '[')) {
        self->digits = -1;
        while (json_next(&list, ']')) {
            const json one = list;
            if (json_find(&one, "pattern", &pattern)) {
                for (i = 0; i < sizeof patterns / sizeof patterns[0]; ++i) {
                    if (json_is_text(&pattern, "Regex", patterns[i].regex)) {
                        self->digits = patterns[i].digits;
                    }
                }
            } else if (!json_is_text(&one, "type", "ByteLevel") ||
                       json_is_true(&one, "add_prefix_space") || json_is_true(&one, "use_regex")) {
                return 0;
            }
            json_skip(&list);
        }
        return self->digits >= 0 && list.at != NULL;
    }
    return json_is_text(&cut, "type", "ByteLevel") && json_is_true(&cut, "use_regex");
}

static const char *read_all(tokenizer *self, const char *text)
{
    const json file = {text, 0};
    json model, cut, vocabulary, merges, normalizer;
    int byte;
    if (!json_find(&file, "model", &model) || !json_is_text(&model, "type", "BPE") ||
        !json_find(&model, "vocab", &vocabulary) || !json_find(&model, "merges", &merges)) {
        return "it has no BPE model";
    }
    if (json_find(&file, "normalizer", &normalizer) && *normalizer.at != 'n' &&
        !json_is_text(&normalizer, "type", "NFC")) {
        return "its normalizer is not NFC";
    }
    if (!json_find(&file, "pre_tokenizer", &cut) || !read_pattern(self, cut)) {
        return "its pre_tokenizer is not that of GPT-2, Llama 3 or Qwen 2";
    }
    self->prefers_whole = json_is_true(&model, "ignore_merges");
    if (!read_tokens(self, vocabulary, &file)) {
        return "its tokens are malformed";
    }
    for (byte = 0; byte < 256; ++byte) {
        const char one = (char)byte;
        if (*tokenizer_slot(self, &one, 1) < 0) {
            return "it has not a token for each byte";
        }
    }
    return read_merges(self, merges) ? NULL : "its merges are malformed";
}

tokenizer *tokenizer_load(const char *path, char *message, size_t message_bytes)
{
    tokenizer *self = (tokenizer *)calloc(1, sizeof *self);
    char *const text = read_file(path);
    const char *error = "it cannot be read";
    if (self != NULL && text != NULL) {
        error = read_all(self, text);
    }
    free(text);
    if (error != NULL) {
        (void)snprintf(message, message_bytes, "tokenizer '%.200s': %s", path, error);
        tokenizer_free(self);
        return NULL;
    }
    return self;
}

void tokenizer_free(tokenizer *self)
{
    size_t i;
    for (i = 0; self != NULL && i < self->count; ++i) {
        free(self->tokens[i].text);
    }
    if (self != NULL) {
        free(self->tokens);
        free(self->by_text);
        free(self->merges);
    }
    free(self);
}
