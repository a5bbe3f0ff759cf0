// RUN: autodeploy-opt %s -t c-header | filecheck %s

// Without an operating system nothing is allocated, and the header does not say so. What a run takes of the stack is
// that of kernels, and of calls.

driver.program @model inputs ["x"] outputs ["y"] arena 64 weights 0 embedded freestanding stack 96 {
^bb0(%x: memref<1xf32>, %y: memref<1xf32>):
}

// CHECK-NOT:  allocated
// CHECK:      There is no heap: the caller brings the memory of the arena and of the context.
// CHECK-NOT:  allocated
// CHECK:      #define MODEL_ARENA_BYTES 64
// CHECK:      #define MODEL_STACK_BYTES 736 /* of the stack for a run, by compilers that optimise */
// CHECK:      _ERROR_MEMORY, /* not returned here, as nothing is allocated */
// CHECK-NOT:  allocated
// CHECK:      which alone uses it. NULL is an error. */
// CHECK-NEXT: void *arena;
// CHECK-NOT:  allocated
// CHECK:      It must outlive the context. NULL is an error. */
// CHECK-NEXT: void *context;
// CHECK-NOT:  allocated
