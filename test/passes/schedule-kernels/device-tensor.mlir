// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=cuda-sm_80 --place-kernels=products=tf32 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=cuda-sm_80 --place-kernels=products=tf32 --configure-kernels --convert-nn-to-halide --schedule-kernels | autodeploy-opt | filecheck %s

// Tensor cores compute the sums of parts from a padded image, which is stored before. The parts are summed after that.

func.func @main(%x: tensor<1x9x9x16xf32>, %w: tensor<3x3x16x32xf32>, %b: tensor<32xf32>) -> tensor<1x5x5x32xf32> {
  %y = nn.kernel(%x, %w, %b) : (tensor<1x9x9x16xf32>, tensor<3x3x16x32xf32>, tensor<32xf32>) -> tensor<1x5x5x32xf32> {
  ^bb0(%i: tensor<1x9x9x16xf32>, %j: tensor<3x3x16x32xf32>, %k: tensor<32xf32>):
    %r = nn.conv %i, %j, %k {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x9x9x16xf32>, tensor<3x3x16x32xf32>, tensor<32xf32>) -> tensor<1x5x5x32xf32>
    nn.yield %r : tensor<1x5x5x32xf32>
  }
  func.return %y : tensor<1x5x5x32xf32>
}

// CHECK:      %padded = halide.func "padded"(c %c, x %x, y %y, n %n) in [16, 11, 11, 1] : f32 {
// CHECK:      halide.update %part(c %c_2, x %x_2, y %y_2, n %n_2, part %part_2) over (ci %ci in 0 to 16, kx %kx in 0 to 3, ky %ky in 0 to 3)
// CHECK:      %part_sums = halide.func "part_sums"
// CHECK:      halide.schedule {
// CHECK-NEXT: halide.tensor_cores %part_sums "tf32" in 32 by 32 : !halide.func<f32, 5>
// CHECK-NEXT: halide.compute_root %padded
// CHECK:      halide.gpu_threads %padded
// CHECK-NOT:  %part
// CHECK:      halide.compute_at %total at
// CHECK-NOT:  %part
