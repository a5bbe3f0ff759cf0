// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Factors and bias are widened to the type of the sums before anything is multiplied.

// CHECK-LABEL:  halide.pipeline @matmul_0
// CHECK:          %matmul = halide.func "matmul"(x %x, y %y) in [4, 2] : i32
// CHECK-NEXT:       %0 = halide.load %in2[%x]
// CHECK-NEXT:       halide.yield %0 : i32
// CHECK:          halide.update
// CHECK:            halide.cast {{.*}}i8 to i32
// CHECK:            halide.cast {{.*}}i8 to i32
// CHECK:            halide.mul {{.*}}: i32
// CHECK:          halide.output {{.*}}in !halide.buffer<i32, [4, 2]>
func.func @f(%x: tensor<2x3xi8>, %w: tensor<3x4xi8>, %b: tensor<4xi32>) -> tensor<2x4xi32> {
  %y = nn.kernel(%x, %w, %b) : (tensor<2x3xi8>, tensor<3x4xi8>, tensor<4xi32>) -> tensor<2x4xi32> {
  ^bb0(%i: tensor<2x3xi8>, %k: tensor<3x4xi8>, %c: tensor<4xi32>):
    %m = nn.matmul %i, %k, %c {accumulator = i32} : (tensor<2x3xi8>, tensor<3x4xi8>, tensor<4xi32>) -> tensor<2x4xi32>
    nn.yield %m : tensor<2x4xi32>
  }
  func.return %y : tensor<2x4xi32>
}
