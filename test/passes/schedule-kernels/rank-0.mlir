// RUN: autodeploy-opt %s --convert-nn-to-halide --set-machine=machine=x86-64-avx2 --schedule-kernels | filecheck %s

// A single number has no loops.

func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %y = nn.kernel(%x) {algorithm = #nn<algorithm pointwise>} : (tensor<f32>) -> tensor<f32> {
  ^bb0(%x_: tensor<f32>):
    %v = nn.exp %x_ : (tensor<f32>) -> tensor<f32>
    nn.yield %v : tensor<f32>
  }
  func.return %y : tensor<f32>
}

// CHECK:     halide.schedule {
// CHECK-NOT: halide.{{split|vectorize|compute}}
