// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=4 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Vectors of four; folds of more than two steps are loops; as many rows are shared as make an iteration for each core.

func.func @f(%x: tensor<4x512x200xf32>) -> tensor<4x512x200xf32> {
  %y = nn.kernel(%x) {config = #nn.config<row, vector = [16], unroll = [2], shares = [1]>} : (tensor<4x512x200xf32>) -> tensor<4x512x200xf32> {
  ^bb0(%i: tensor<4x512x200xf32>):
    %v = nn.softmax %i {axis = 2 : i64} : (tensor<4x512x200xf32>) -> tensor<4x512x200xf32>
    nn.yield %v : tensor<4x512x200xf32>
  }
  func.return %y : tensor<4x512x200xf32>
}

// CHECK:     config<row, vector = [16], unroll = [2], shares = [1]>
// CHECK:     halide.vectorize %out "x" by 4 : !halide.func<f32, 3>
// CHECK:     halide.vectorize %largest_lanes "lanei" {stage = 1 : i64}
// CHECK-NOT: halide.unroll %largest_lanes "block"
// CHECK:     halide.parallel %out "z"
