// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide | filecheck %s

// The last tile of open columns reads the last one again, where tiles do not divide the largest number of them.

// CHECK:      halide.pipeline @matmul_0
// CHECK:      halide.update %matmul(x %x
// CHECK:        %[[LIKELY:.*]] = halide.likely %x
// CHECK-NEXT:   %[[LAST:.*]] = halide.const 64
// CHECK-NEXT:   %[[COLUMN:.*]] = halide.min %[[LIKELY]], %[[LAST]]
// CHECK-NEXT:   halide.load %in1[%[[COLUMN]], %k
// CHECK:      halide.pipeline @matmul_1
// CHECK-NOT:  halide.likely
// CHECK:      halide.pipeline @matmul_2
// CHECK:      halide.update %matmul(x %x
// CHECK:        %[[LIKELY:.*]] = halide.likely %x
// CHECK-NEXT:   %[[LAST:.*]] = halide.const 64
// CHECK-NEXT:   halide.min %[[LIKELY]], %[[LAST]]
func.func @f(%q: tensor<4x1x32xf32>, %p: tensor<4x6x32xf32>, %c: tensor<4x32x65xf32, #nn.extents<[4, 32, d0], "n", 1 to 65>>, %d: tensor<4x32x64xf32, #nn.extents<[4, 32, d0], "n", 1 to 64>>) -> (tensor<4x1x65xf32, #nn.extents<[4, 1, d0], "n", 1 to 65>>, tensor<4x1x64xf32, #nn.extents<[4, 1, d0], "n", 1 to 64>>, tensor<4x6x65xf32, #nn.extents<[4, 6, d0], "n", 1 to 65>>) {
  %odd = nn.kernel(%q, %c) {config = #nn.config<gemv, tile = [32], unroll = [4]>} : (tensor<4x1x32xf32>, tensor<4x32x65xf32, #nn.extents<[4, 32, d0], "n", 1 to 65>>) -> tensor<4x1x65xf32, #nn.extents<[4, 1, d0], "n", 1 to 65>> {
  ^bb0(%a: tensor<4x1x32xf32>, %b: tensor<4x32x65xf32, #nn.extents<[4, 32, d0], "n", 1 to 65>>):
    %y = nn.matmul %a, %b : (tensor<4x1x32xf32>, tensor<4x32x65xf32, #nn.extents<[4, 32, d0], "n", 1 to 65>>) -> tensor<4x1x65xf32, #nn.extents<[4, 1, d0], "n", 1 to 65>>
    nn.yield %y : tensor<4x1x65xf32, #nn.extents<[4, 1, d0], "n", 1 to 65>>
  }
  %even = nn.kernel(%q, %d) {config = #nn.config<gemv, tile = [32], unroll = [4]>} : (tensor<4x1x32xf32>, tensor<4x32x64xf32, #nn.extents<[4, 32, d0], "n", 1 to 64>>) -> tensor<4x1x64xf32, #nn.extents<[4, 1, d0], "n", 1 to 64>> {
  ^bb0(%a: tensor<4x1x32xf32>, %b: tensor<4x32x64xf32, #nn.extents<[4, 32, d0], "n", 1 to 64>>):
    %y = nn.matmul %a, %b : (tensor<4x1x32xf32>, tensor<4x32x64xf32, #nn.extents<[4, 32, d0], "n", 1 to 64>>) -> tensor<4x1x64xf32, #nn.extents<[4, 1, d0], "n", 1 to 64>>
    nn.yield %y : tensor<4x1x64xf32, #nn.extents<[4, 1, d0], "n", 1 to 64>>
  }
  %rows = nn.kernel(%p, %c) {config = #nn.config<gemm>} : (tensor<4x6x32xf32>, tensor<4x32x65xf32, #nn.extents<[4, 32, d0], "n", 1 to 65>>) -> tensor<4x6x65xf32, #nn.extents<[4, 6, d0], "n", 1 to 65>> {
  ^bb0(%a: tensor<4x6x32xf32>, %b: tensor<4x32x65xf32, #nn.extents<[4, 32, d0], "n", 1 to 65>>):
    %y = nn.matmul %a, %b : (tensor<4x6x32xf32>, tensor<4x32x65xf32, #nn.extents<[4, 32, d0], "n", 1 to 65>>) -> tensor<4x6x65xf32, #nn.extents<[4, 6, d0], "n", 1 to 65>>
    nn.yield %y : tensor<4x6x65xf32, #nn.extents<[4, 6, d0], "n", 1 to 65>>
  }
  func.return %odd, %even, %rows : tensor<4x1x65xf32, #nn.extents<[4, 1, d0], "n", 1 to 65>>, tensor<4x1x64xf32, #nn.extents<[4, 1, d0], "n", 1 to 64>>, tensor<4x6x65xf32, #nn.extents<[4, 6, d0], "n", 1 to 65>>
}
