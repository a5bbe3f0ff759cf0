// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx2:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// What counts is all that the shared loop would do: sums and squares of the rows and the result.

func.func @each_row(%x: tensor<64x200xf32>, %s: tensor<200xf32>) -> tensor<64x200xf32> {
  %y = nn.layer_norm %x, %s {axis = 1 : i64, epsilon = 0.5 : f64} : (tensor<64x200xf32>, tensor<200xf32>) -> tensor<64x200xf32>
  func.return %y : tensor<64x200xf32>
}

// CHECK: halide.pipeline @layer_norm_0
// CHECK: halide.parallel %out "y"

// The sums of all are computed beforehand, outside of the loop; the rest is too little.

func.func @all(%x: tensor<64x200xf32>, %s: tensor<64x200xf32>) -> tensor<64x200xf32> {
  %y = nn.layer_norm %x, %s {axis = 0 : i64, epsilon = 0.5 : f64} : (tensor<64x200xf32>, tensor<64x200xf32>) -> tensor<64x200xf32>
  func.return %y : tensor<64x200xf32>
}

// CHECK: halide.pipeline @layer_norm_1
// CHECK: halide.compute_root
// CHECK-NOT: parallel
// CHECK: func.func
