// RUN: autodeploy-opt -t c-driver %s | filecheck %s
// RUN: autodeploy-opt -t c-header %s | filecheck %s --check-prefix=HEADER

// An input with a default may be left out: its pointer is null then. Its value stands in the program as bits.

driver.program @net inputs ["x", "k", "h"] outputs ["y"] arena 0 weights 0 defaults [unit, #nn.dense<[2.0, -0.0] : tensor<2xf32>>, #nn.dense<1.0 : tensor<f16>>] {
^bb0(%x: memref<4xf32>, %k: memref<2xf32>, %h: memref<f16>, %y: memref<4xf32>):
  driver.copy %x to %y : memref<4xf32> to memref<4xf32>
}

// CHECK:      static const uint32_t input_default_1[] = {UINT32_C(0x40000000), UINT32_C(0x80000000)};
// CHECK-NEXT: static const uint16_t input_default_2[] = {UINT16_C(0x3c00)};
// CHECK-NEXT: static const void *const input_defaults[NET_INPUT_COUNT] = {NULL, input_default_1, input_default_2};

// CHECK:      if (inputs[i] == NULL && input_defaults[i] != NULL) {
// CHECK-NEXT: continue;

// CHECK:      context->buffers[INPUT_X].host = address(inputs[0]);
// CHECK-NEXT: context->buffers[INPUT_K].host = address(inputs[1] == NULL ? input_defaults[1] : inputs[1]);
// CHECK-NEXT: context->buffers[INPUT_H].host = address(inputs[2] == NULL ? input_defaults[2] : inputs[2]);

// HEADER:      0: x: float32 4
// HEADER-NEXT: 1: k: float32 2
// HEADER-NEXT: NULL: the default of the model
// HEADER-NEXT: 2: h: float16 scalar
// HEADER-NEXT: NULL: the default of the model

// HEADER:      An input that has a default may be NULL: then the run computes with the default.
