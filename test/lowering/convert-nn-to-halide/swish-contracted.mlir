// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// A swish that ends a kernel may be contracted. What it is computed from is strict.

func.func @ends_a_kernel(%x: tensor<4x8xf32>, %m: tensor<8xf32>) -> tensor<4x8xf32> {
  %y = nn.kernel(%x, %m) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> {
  ^bb0(%x_: tensor<4x8xf32>, %m_: tensor<8xf32>):
    %s = nn.sub %x_, %m_ : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    %v = nn.swish %s : (tensor<4x8xf32>) -> tensor<4x8xf32>
    nn.yield %v : tensor<4x8xf32>
  }
  func.return %y : tensor<4x8xf32>
}

// CHECK:     halide.pipeline @sub_swish_0{{.*}} fast_math {
// CHECK:       halide.func "out"
// CHECK:         %[[SUB:.*]] = halide.sub {{.*}} : f32
// CHECK-NEXT:    halide.strict %[[SUB]]
// CHECK:         halide.div
// CHECK-NOT:     halide.strict
// CHECK:         halide.yield

func.func @is_added_to(%x: tensor<4x8xf32>, %m: tensor<8xf32>) -> tensor<4x8xf32> {
  %y = nn.kernel(%x, %m) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> {
  ^bb0(%x_: tensor<4x8xf32>, %m_: tensor<8xf32>):
    %v = nn.swish %x_ : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %s = nn.add %v, %m_ : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    nn.yield %s : tensor<4x8xf32>
  }
  func.return %y : tensor<4x8xf32>
}

// CHECK-LABEL: halide.pipeline @swish_add_1
// CHECK-NOT:   fast_math
// CHECK:       halide.func "out"

func.func @has_16_bits(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %y = nn.kernel(%x) : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%x_: tensor<4x8xf16>):
    %v = nn.swish %x_ : (tensor<4x8xf16>) -> tensor<4x8xf16>
    nn.yield %v : tensor<4x8xf16>
  }
  func.return %y : tensor<4x8xf16>
}

// CHECK-LABEL: halide.pipeline @swish_2
// CHECK-NOT:   fast_math
// CHECK:       halide.func "out"
