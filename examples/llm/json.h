/* A reader of JSON in memory: a position that moves on. */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>

/* The next character; NULL once something is malformed. */
typedef struct {
    const char *at;
    int depth;
} json;

/* Pass a character after blanks, if it is the next one. */
int json_pass(json *in, char expected);

/* Read a string into memory that the caller frees; NULL if there is none. */
char *json_string(json *in, size_t *bytes);

/* Pass a value of any kind. */
void json_skip(json *in);

/* Find the value of a member of an object; 0 if it has none of this name. */
int json_find(const json *object, const char *name, json *value);

/* Whether a member of an object is true, or is a string. */
int json_is_true(const json *object, const char *name);
int json_is_text(const json *object, const char *name, const char *text);

/* Pass to the next item of a list or an object after its bracket; 0 at the end. */
int json_next(json *in, char closing);

/* Read a number. */
long json_number(json *in);

/* Store a code point in UTF-8, and return its bytes, 1 to 4. */
size_t json_put_utf8(char *out, unsigned point);

#endif
