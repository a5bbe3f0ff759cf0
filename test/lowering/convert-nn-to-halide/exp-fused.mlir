// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --convert-nn-to-halide=objects=true | filecheck %s --check-prefixes=CHECK,FUSED
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --convert-nn-to-halide | filecheck %s --check-prefixes=CHECK,APART
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-sse41 --convert-nn-to-halide=objects=true | filecheck %s --check-prefixes=CHECK,APART

// Where products and sums are one instruction, an exponential is contracted from its bounds on, and a negation is the
// sign of a constant. C++ is compiled without, and what is read by another op is strict.

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x_: tensor<4xf32>):
    %v = nn.sigmoid %x_ : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: halide.pipeline @sigmoid_0
// FUSED:         %[[X:.*]] = halide.load %in0
// FUSED:         %[[BELOW:.*]] = halide.max %{{.*}}, %[[X]] : f32
// FUSED-NEXT:    %[[BOUNDED:.*]] = halide.min %{{.*}}, %[[BELOW]] : f32
// FUSED-NEXT:    %[[STRICT:.*]] = halide.strict %[[BOUNDED]] : f32
// FUSED-NEXT:    %[[STEPS:.*]] = halide.const -1.44{{.*}} : f32
// FUSED-NEXT:    halide.mul %[[STRICT]], %[[STEPS]] : f32
// FUSED:         halide.cast %{{.*}} : i32 to f32
// APART:         halide.const -1.0 : f32
// APART:         halide.const 1.44
// APART:         halide.strict
// APART:         halide.strict
// APART-NOT:     halide.cast
// CHECK:         halide.div
// CHECK-NOT:     halide.strict
// CHECK:         halide.yield

func.func @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x_: tensor<4xf32>):
    %s = nn.sigmoid %x_ : (tensor<4xf32>) -> tensor<4xf32>
    %v = nn.sigmoid %s : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: halide.pipeline @sigmoid_sigmoid_1
// CHECK-NOT:     halide.cast
// CHECK:         %[[INNER:.*]] = halide.div
// CHECK-NEXT:    halide.strict %[[INNER]] : f32
// FUSED:         halide.cast %{{.*}} : i32 to f32
// APART-NOT:     halide.cast
// CHECK:         halide.yield
