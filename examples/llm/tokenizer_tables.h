/* What a tokenizer has read; no part of the interface. */
#ifndef TOKENIZER_TABLES_H
#define TOKENIZER_TABLES_H

#include "tokenizer.h"

typedef struct {
    char *text;
    size_t bytes;
    int is_added, is_special;
} token;

typedef struct {
    int64_t left, right, merged, rank;
    int is_used;
} merge;

struct tokenizer {
    int digits;
    int prefers_whole; /* a piece that is a token is not built by merges */
    token *tokens;
    size_t count;
    int64_t *by_text; /* a hash table of tokens, -1 where there is none */
    merge *merges;    /* a hash table of pairs */
    size_t slots, merge_slots;
};

/* The slot of a token with a text, or of none. */
int64_t *tokenizer_slot(const tokenizer *self, const char *text, size_t bytes);

/* The entry of a pair of tokens, which is not used if the pair has no merge. */
merge *tokenizer_merge(const tokenizer *self, int64_t left, int64_t right);

#endif
