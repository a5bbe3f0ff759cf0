/* Putting messages together without a library for text. */
#ifndef AUTODEPLOY_MESSAGE_H
#define AUTODEPLOY_MESSAGE_H

#include <stddef.h>
#include <string.h>

/* Put at most `most` characters of a text behind a message, as far as its `bytes` bytes allow. */
static inline void autodeploy_message_add(
    char *message, size_t bytes, const char *text, size_t most)
{
    size_t used = strlen(message);
    while (most > 0 && *text != '\0' && used + 1 < bytes) {
        message[used++] = *text++;
        --most;
    }
    message[used] = '\0';
}

/* Put a number behind a message. */
static inline void autodeploy_message_add_number(char *message, size_t bytes, int number)
{
    char digits[12];
    char *first = digits + sizeof digits - 1;
    unsigned rest = number < 0 ? 0U - (unsigned)number : (unsigned)number;
    *first = '\0';
    do {
        *--first = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest != 0);
    if (number < 0) {
        *--first = '-';
    }
    autodeploy_message_add(message, bytes, first, sizeof digits);
}

#endif
