/* Runs a program and prints the most memory that it had, in KiB.
 *
 * A process counts what the one had that started it, up to the moment of its start; so this one,
 * which has next to nothing, stands between the program and the interpreter of the tests.
 */
#define _DEFAULT_SOURCE

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int status = 1;
    struct rusage usage;
    const pid_t child = argc > 1 ? fork() : -1;
    if (child < 0) {
        return 1;
    }
    if (child == 0) {
        (void)execv(argv[1], argv + 1);
        _exit(127);
    }
    if (waitpid(child, &status, 0) != child || getrusage(RUSAGE_CHILDREN, &usage) != 0) {
        return 1;
    }
    (void)printf("\npeak %ld\n", usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
