// RUN: autodeploy-opt %s -t c-header | filecheck %s

// Constants, documentation and typed parameters follow from inputs and outputs.

driver.program @pair inputs ["left", "right"] outputs ["mask", "score"] arena 100 weights 32 {
^bb0(%l: memref<2x3xf32>, %r: memref<3xi64>, %m: memref<2xi1>, %s: memref<f16>):
  %w = driver.weight #nn.dense<1.5 : tensor<8xf32>> {offset = 0 : i64} : memref<8xf32>
}

// CHECK:      /* The network "pair".
// CHECK:       * Inputs:
// CHECK-NEXT:  *     0: left: float32 2x3
// CHECK-NEXT:  *     1: right: int64 3
// CHECK-NEXT:  * Outputs:
// CHECK-NEXT:  *     0: mask: bool 2
// CHECK-NEXT:  *     1: score: float16 scalar
// CHECK:      #ifndef PAIR_H
// CHECK-NEXT: #define PAIR_H
// CHECK:      extern "C" {
// CHECK:      #define PAIR_INPUT_COUNT 2 /* tensors */
// CHECK-NEXT: #define PAIR_OUTPUT_COUNT 2 /* tensors */
// CHECK-NEXT: #define PAIR_ARENA_BYTES 128 /* memory for intermediate tensors */
// CHECK-NEXT: #define PAIR_ARENA_ALIGNMENT 64
// CHECK-NEXT: #define PAIR_WEIGHTS_BYTES 128 /* the weight file, with its header */
// CHECK-NEXT: #define PAIR_WEIGHTS_ALIGNMENT 64
// CHECK-NEXT: #define PAIR_TENSOR_ALIGNMENT 8 /* of every input and output */
// CHECK:      typedef enum pair_status {
// CHECK-NEXT:     PAIR_OK = 0,
// CHECK:      typedef struct pair_context pair_context;
// CHECK:      PAIR_API pair_status pair_init(pair_context **context, const pair_options *options);
// CHECK:      PAIR_API pair_status pair_run(
// CHECK-NEXT:     pair_context *context, const void *const *inputs, void *const *outputs);
// CHECK:      PAIR_API pair_status pair_predict(
// CHECK-NEXT:     pair_context *context, const float *in_left, const int64_t *in_right, uint8_t *out_mask,
// CHECK-NEXT:     uint16_t *out_score);
// CHECK:      PAIR_API void pair_free(pair_context *context);
