// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// A single number has no loops.

func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %y = nn.kernel(%x) {config = #nn.config<plain>} : (tensor<f32>) -> tensor<f32> {
  ^bb0(%x_: tensor<f32>):
    %v = nn.exp %x_ : (tensor<f32>) -> tensor<f32>
    nn.yield %v : tensor<f32>
  }
  func.return %y : tensor<f32>
}

// CHECK:     halide.schedule {
// CHECK-NOT: halide.{{split|vectorize|compute}}
