/* Tokens of text by a tokenizer.json: byte-level BPE, as GPT-2, Llama 3 and Qwen 2 have it. */
#ifndef TOKENIZER_H
#define TOKENIZER_H

#include <stddef.h>
#include <stdint.h>

typedef struct tokenizer tokenizer;

/* Read a file; NULL if there is none or it is of another kind, then the message states the reason. */
tokenizer *tokenizer_load(const char *path, char *message, size_t message_bytes);
void tokenizer_free(tokenizer *self);

/* Store the tokens of a text, a zero at its end, and return their number: at most strlen(text).
 * The text is in UTF-8 and in Unicode's normal form C; special tokens in it become tokens. */
size_t tokenizer_encode(const tokenizer *self, const char *text, int64_t *ids);

/* The bytes of a token, which may be a part of a character; none of one that does not exist. */
const char *tokenizer_text(const tokenizer *self, int64_t id, size_t *bytes);

/* Whether a token is special, such as the end of a text. */
int tokenizer_is_special(const tokenizer *self, int64_t id);

#endif
