/* Byte-level BPE. A text is cut into pieces by the rules of a pattern; the bytes of a piece are tokens,
 * and of all neighbours that have a merge, those of the first merge become one token, again and again. */
#include "tokenizer.h"

#include "tokenizer_tables.h"
#include "unicode_ranges.h"

#include <string.h>

enum { LETTER, NUMBER, SPACE, OTHER };

/* ---- Characters ---------------------------------------------------------------------------- */

/* Decode a character of UTF-8; a byte that is none counts for itself. */
static size_t read_point(const char *at, const char *end, unsigned *point)
{
    const unsigned char first = (unsigned char)*at;
    const size_t bytes = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    size_t i;
    *point = first;
    if (bytes == 1 || (size_t)(end - at) < bytes) {
        return 1;
    }
    *point = first & (0xFFu >> (bytes + 1));
    for (i = 1; i < bytes; ++i) {
        *point = *point << 6 | ((unsigned char)at[i] & 63);
    }
    return bytes;
}

static int is_in(const unicode_range *ranges, size_t count, unsigned point)
{
    size_t low = 0;
    while (count > low) {
        const size_t middle = (low + count) / 2;
        if (ranges[middle].last < point) {
            low = middle + 1;
        } else {
            count = middle;
        }
    }
    return ranges[low].first <= point && point <= ranges[low].last;
}

static int class_of(unsigned point)
{
    if ((point >= 9 && point <= 13) || point == 32 || point == 0x85 || point == 0xA0 ||
        point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
        point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000) {
        return SPACE;
    }
    if (is_in(letters, sizeof letters / sizeof letters[0] - 1, point)) {
        return LETTER;
    }
    return is_in(numbers, sizeof numbers / sizeof numbers[0] - 1, point) ? NUMBER : OTHER;
}

/* Pass characters of a class, at most so many; 0 is any number. */
static const char *pass(const char *at, const char *end, int class_, int most)
{
    unsigned point;
    int passed = 0;
    while (at < end && (most == 0 || passed++ < most)) {
        const size_t bytes = read_point(at, end, &point);
        if (class_of(point) != class_) {
            break;
        }
        at += bytes;
    }
    return at;
}

static int is_newline(char c)
{
    return c == '\r' || c == '\n';
}

static const char *pass_contraction(const char *at, const char *end, int any_case)
{
    static const char *const all[] = {"s", "t", "re", "ve", "m", "ll", "d"};
    size_t i, k;
    for (i = 0; i < sizeof all / sizeof all[0]; ++i) {
        const size_t length = strlen(all[i]);
        for (k = 0; k < length && at + k < end; ++k) {
            const char upper = (char)(all[i][k] - 'a' + 'A');
            if (at[k] != all[i][k] && !(any_case && at[k] == upper)) {
                break;
            }
        }
        if (k == length) {
            return at + length;
        }
    }
    return NULL;
}

/* The end of the piece that begins at a character: the first alternative of the pattern that fits. */
static const char *end_of_piece(const tokenizer *self, const char *at, const char *end)
{
    unsigned point;
    const char *const second = at + read_point(at, end, &point);
    const int class_ = class_of(point);
    const char *const start = *at == ' ' ? at + 1 : at;
    const char *next, *last;
    if (*at == '\'' && (next = pass_contraction(second, end, self->digits > 0)) != NULL) {
        return next;
    }
    if (self->digits > 0) {
        if (class_ == NUMBER) {
            return pass(at, end, NUMBER, self->digits);
        }
        next = pass(second, end, LETTER, 0);
        if (class_ == LETTER || (next > second && !is_newline(*at))) {
            return next;
        }
    } else if ((next = pass(start, end, LETTER, 0)) > start ||
               (next = pass(start, end, NUMBER, 0)) > start) {
        return next;
    }
    if ((next = pass(start, end, OTHER, 0)) > start) {
        while (self->digits > 0 && next < end && is_newline(*next)) {
            ++next;
        }
        return next;
    }
    next = pass(at, end, SPACE, 0);
    for (last = next; self->digits > 0 && last > at; --last) {
        if (is_newline(last[-1])) {
            return last;
        }
    }
    if (next < end && next > second) {
        /* The last one goes before a word. */
        for (--next; ((unsigned char)*next & 0xC0) == 0x80; --next) {
        }
    }
    return next;
}

/* ---- Tokens of a text ---------------------------------------------------------------------- */

/* Store the tokens of a piece. */
static size_t encode_piece(const tokenizer *self, const char *at, size_t bytes, int64_t *ids)
{
    size_t count, i;
    const int64_t whole = *tokenizer_slot(self, at, bytes);
    if (self->prefers_whole && whole >= 0 && !self->tokens[whole].is_added) {
        *ids = whole;
        return 1;
    }
    for (count = 0; count < bytes; ++count) {
        ids[count] = *tokenizer_slot(self, at + count, 1);
    }
    for (;;) {
        const merge *best = NULL;
        size_t place = 0;
        for (i = 0; i + 1 < count; ++i) {
            const merge *const found = tokenizer_merge(self, ids[i], ids[i + 1]);
            if (found->is_used && (best == NULL || found->rank < best->rank)) {
                best = found;
                place = i;
            }
        }
        if (best == NULL) {
            return count;
        }
        ids[place] = best->merged;
        --count;
        memmove(ids + place + 1, ids + place + 2, (count - place - 1) * sizeof *ids);
    }
}

/* The longest added token that a text begins with, -1 if there is none. */
static int64_t added_at(const tokenizer *self, const char *text)
{
    int64_t found = -1;
    size_t i;
    for (i = 0; i < self->count; ++i) {
        const token *const one = &self->tokens[i];
        if (one->is_added && one->bytes > 0 && *text == *one->text &&
            strncmp(text, one->text, one->bytes) == 0 &&
            (found < 0 || self->tokens[found].bytes < one->bytes)) {
            found = (int64_t)i;
        }
    }
    return found;
}

size_t tokenizer_encode(const tokenizer *self, const char *text, int64_t *ids)
{
    size_t count = 0;
    while (*text != '\0') {
        const char *end = text;
        int64_t added;
        while ((added = added_at(self, end)) < 0 && *end != '\0') {
            ++end;
        }
        while (text < end) {
            const char *const next = end_of_piece(self, text, end);
            count += encode_piece(self, text, (size_t)(next - text), ids + count);
            text = next;
        }
        if (added >= 0) {
            ids[count++] = added;
            text += self->tokens[added].bytes;
        }
    }
    return count;
}

const char *tokenizer_text(const tokenizer *self, int64_t id, size_t *bytes)
{
    const int is_known = id >= 0 && (size_t)id < self->count && self->tokens[id].text != NULL;
    *bytes = is_known ? self->tokens[id].bytes : 0;
    return is_known ? self->tokens[id].text : "";
}

int tokenizer_is_special(const tokenizer *self, int64_t id)
{
    return id >= 0 && (size_t)id < self->count && self->tokens[id].is_special;
}
