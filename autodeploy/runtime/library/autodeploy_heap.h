/* A heap of numbers whose root comes last, in place. It sorts without memory of its own.
 *
 * A source that includes this header defines before it: the type `heap_number` of the numbers, the
 * type `heap_rows` of what they number, and
 * `int comes_before(const heap_rows *rows, heap_number a, heap_number b)`, which no two numbers
 * leave undecided. */
#ifndef AUTODEPLOY_HEAP_H
#define AUTODEPLOY_HEAP_H

/* Let numbers[at] sink until none below it comes after it. */
static void heap_sink(const heap_rows *rows, heap_number *numbers, int64_t at, int64_t count)
{
    const heap_number moved = numbers[at];
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child >= count) {
            break;
        }
        if (child + 1 < count && comes_before(rows, numbers[child], numbers[child + 1])) {
            ++child;
        }
        if (!comes_before(rows, moved, numbers[child])) {
            break;
        }
        numbers[at] = numbers[child];
        at = child;
    }
    numbers[at] = moved;
}

/* Make a heap of the numbers of the first `count` rows. */
static void heap_fill(const heap_rows *rows, heap_number *numbers, int64_t count)
{
    int64_t i;
    for (i = 0; i < count; ++i) {
        numbers[i] = (heap_number)i;
    }
    for (i = count / 2 - 1; i >= 0; --i) {
        heap_sink(rows, numbers, i, count);
    }
}

/* Sort the numbers of a heap: what comes first stands first. */
static void heap_sort(const heap_rows *rows, heap_number *numbers, int64_t count)
{
    int64_t i;
    for (i = count - 1; i > 0; --i) {
        const heap_number last = numbers[0];
        numbers[0] = numbers[i];
        numbers[i] = last;
        heap_sink(rows, numbers, 0, i);
    }
}

#endif
