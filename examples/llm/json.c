#include "json.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

int json_pass(json *in, char expected)
{
    while (in->at != NULL && *in->at != '\0' && strchr(" \t\r\n", *in->at) != NULL) {
        ++in->at;
    }
    if (in->at == NULL || *in->at != expected) {
        return 0;
    }
    ++in->at;
    return 1;
}

size_t json_put_utf8(char *out, unsigned point)
{
    const size_t more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned first[] = {0, 0xC0, 0xE0, 0xF0};
    size_t i;
    out[0] = (char)(first[more] | point >> 6 * more);
    for (i = 1; i <= more; ++i) {
        out[i] = (char)(0x80 | (point >> 6 * (more - i) & 63));
    }
    return more + 1;
}

/* Read four hexadecimal digits. */
static unsigned read_hex(json *in)
{
    unsigned found = 0;
    int i;
    for (i = 0; i < 4 && in->at != NULL; ++i) {
        static const char digits[] = "0123456789abcdefABCDEF";
        const char *const known = *in->at != '\0' ? strchr(digits, *in->at) : NULL;
        if (known == NULL) {
            in->at = NULL;
            return 0;
        }
        found = found * 16 + (unsigned)(known - digits - (known - digits > 15 ? 6 : 0));
        ++in->at;
    }
    return found;
}

/* Read what follows a backslash. */
static size_t read_escape(json *in, char *out)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *known;
    unsigned point;
    if (*in->at == 'u') {
        ++in->at;
        point = read_hex(in);
        if (in->at != NULL && point >> 10 == 0x36 && strncmp(in->at, "\\u", 2) == 0) {
            in->at += 2;
            point = 0x10000 + ((point & 0x3FF) << 10) + (read_hex(in) & 0x3FF);
        }
        return json_put_utf8(out, point);
    }
    known = *in->at != '\0' ? strchr(names, *in->at) : NULL;
    if (known == NULL) {
        in->at = NULL;
        return 0;
    }
    ++in->at;
    *out = meanings[known - names];
    return 1;
}

char *json_string(json *in, size_t *bytes)
{
    const char *end;
    char *out, *to;
    if (!json_pass(in, '"')) {
        in->at = NULL;
        return NULL;
    }
    for (end = in->at; *end != '"' && *end != '\0'; ++end) {
        end += *end == '\\' && end[1] != '\0';
    }
    /* No escape is longer than its text. */
    to = out = *end == '"' ? (char *)malloc((size_t)(end - in->at) + 1) : NULL;
    while (out != NULL && in->at != NULL && *in->at != '"') {
        if (*in->at == '\\') {
            ++in->at;
            to += read_escape(in, to);
        } else {
            *to++ = *in->at++;
        }
    }
    if (out == NULL || in->at == NULL) {
        free(out);
        in->at = NULL;
        return NULL;
    }
    ++in->at;
    *to = '\0';
    *bytes = (size_t)(to - out);
    return out;
}

int json_next(json *in, char closing)
{
    (void)json_pass(in, ',');
    if (json_pass(in, closing)) {
        return 0;
    }
    if (in->at != NULL && *in->at == '\0') {
        in->at = NULL;
    }
    return in->at != NULL;
}

void json_skip(json *in)
{
    const int is_object = json_pass(in, '{');
    size_t bytes;
    if (++in->depth > DEEPEST) {
        in->at = NULL;
    }
    if (is_object || json_pass(in, '[')) {
        while (json_next(in, is_object ? '}' : ']')) {
            if (is_object) {
                free(json_string(in, &bytes));
                in->at = json_pass(in, ':') ? in->at : NULL;
            }
            json_skip(in);
        }
    } else if (in->at != NULL && *in->at == '"') {
        free(json_string(in, &bytes));
    } else if (in->at != NULL) {
        const size_t length = strcspn(in->at, " \t\r\n,:[]{}\"");
        in->at = length > 0 ? in->at + length : NULL;
    }
    --in->depth;
}

int json_find(const json *object, const char *name, json *value)
{
    json in = *object;
    size_t bytes;
    if (!json_pass(&in, '{')) {
        return 0;
    }
    while (json_next(&in, '}')) {
        char *const key = json_string(&in, &bytes);
        const int is_it = key != NULL && strcmp(key, name) == 0;
        free(key);
        if (!json_pass(&in, ':')) {
            return 0;
        }
        (void)json_pass(&in, ' ');
        *value = in;
        if (is_it) {
            return 1;
        }
        json_skip(&in);
    }
    return 0;
}

int json_is_true(const json *object, const char *name)
{
    json value;
    return json_find(object, name, &value) && strncmp(value.at, "true", 4) == 0;
}

int json_is_text(const json *object, const char *name, const char *text)
{
    json value;
    size_t bytes;
    char *const found = json_find(object, name, &value) ? json_string(&value, &bytes) : NULL;
    const int is_same = found != NULL && strcmp(found, text) == 0;
    free(found);
    return is_same;
}

long json_number(json *in)
{
    char *end = NULL;
    const long found = in->at != NULL ? strtol(in->at, &end, 10) : 0;
    in->at = end != in->at ? end : NULL;
    return found;
}
