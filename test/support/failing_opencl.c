/* OpenCL whose call OPENCL_FAIL fails, such as clCreateBuffer, or clCreateBuffer:3 for the third.
 *
 * OPENCL_LOG is a file for the names of all calls; the last line says how many objects are left
 * behind. It is linked with OpenCL's library, which does all else. Arguments and results are
 * numbers and addresses, which all fit into registers.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef intptr_t word;
typedef word (*function)(word, word, word, word, word, word, word, word, word);

enum { OUT_OF_RESOURCES = -5 };

static FILE *log_file;
static int left;

__attribute__((constructor)) static void begin(void)
{
    const char *const name = getenv("OPENCL_LOG");
    log_file = name == NULL ? NULL : fopen(name, "w");
}

__attribute__((destructor)) static void end(void)
{
    if (log_file != NULL) {
        (void)fprintf(log_file, "left %d\n", left);
        (void)fclose(log_file);
    }
}

/* Note a call; whether it is the one that fails. */
static int fails(const char *name)
{
    static int calls;
    const char *const wanted = getenv("OPENCL_FAIL");
    const size_t length = strlen(name);
    if (log_file != NULL) {
        (void)fprintf(log_file, "%s\n", name);
    }
    if (wanted == NULL || strncmp(wanted, name, length) != 0) {
        return 0;
    }
    if (wanted[length] == '\0') {
        return 1;
    }
    return wanted[length] == ':' && ++calls == atoi(wanted + length + 1);
}

/* A function; a positive number is that of the parameter for the code of one that makes an object,
 * and a negative one is that of an object less, also if the call fails. */
#define FUNCTION(name, kind)                                                                       \
    word name(word a, word b, word c, word d, word e, word f, word g, word h, word i);             \
    word name(word a, word b, word c, word d, word e, word f, word g, word h, word i)              \
    {                                                                                              \
        const word arguments[] = {a, b, c, d, e, f, g, h, i};                                      \
        function next;                                                                             \
        void *const found = dlsym(RTLD_NEXT, #name);                                               \
        word result;                                                                               \
        if (fails(#name)) {                                                                        \
            if ((kind) <= 0) {                                                                     \
                left += (kind);                                                                    \
                return OUT_OF_RESOURCES;                                                           \
            }                                                                                      \
            *(int32_t *)arguments[(kind) - 1] = OUT_OF_RESOURCES;                                  \
            return 0;                                                                              \
        }                                                                                          \
        memcpy(&next, &found, sizeof found);                                                       \
        result = next(a, b, c, d, e, f, g, h, i);                                                  \
        left += (kind) > 0 ? result != 0 : (kind);                                                 \
        return result;                                                                             \
    }

FUNCTION(clGetPlatformIDs, 0)
FUNCTION(clGetDeviceIDs, 0)
FUNCTION(clGetDeviceInfo, 0)
FUNCTION(clCreateContext, 6)
FUNCTION(clCreateCommandQueue, 4)
FUNCTION(clCreateBuffer, 5)
FUNCTION(clCreateSubBuffer, 5)
FUNCTION(clCreateProgramWithSource, 5)
FUNCTION(clCreateProgramWithBinary, 7)
FUNCTION(clGetProgramInfo, 0)
FUNCTION(clBuildProgram, 0)
FUNCTION(clGetProgramBuildInfo, 0)
FUNCTION(clCreateKernel, 3)
FUNCTION(clSetKernelArg, 0)
FUNCTION(clEnqueueNDRangeKernel, 0)
FUNCTION(clEnqueueWriteBuffer, 0)
FUNCTION(clEnqueueReadBuffer, 0)
FUNCTION(clFinish, 0)
FUNCTION(clReleaseMemObject, -1)
FUNCTION(clReleaseKernel, -1)
FUNCTION(clReleaseProgram, -1)
FUNCTION(clReleaseCommandQueue, -1)
FUNCTION(clReleaseContext, -1)
