// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// An inner axis of one element is still a variable that the products read.

func.func @f(%x: tensor<3x1xf32>, %y: tensor<1x4xf32>) -> tensor<3x4xf32> {
  %z = nn.matmul %x, %y : (tensor<3x1xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
  func.return %z : tensor<3x4xf32>
}

// CHECK:      halide.pipeline @matmul_0(%in0: !halide.buffer<f32, [1, 3]>, %in1: !halide.buffer<f32, [4, 1]>) to (%result0: !halide.buffer<f32, [4, 3]>) fast_math {
// CHECK-NEXT:   %matmul = halide.func "matmul"(x %x, y %y) in [4, 3] : f32 {
// CHECK-NEXT:     %0 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %matmul(x %x_1, y %y_1) over (k %k in 0 to 1) : !halide.func<f32, 2> {
// CHECK-NEXT:     %1 = halide.load %matmul[%x_1, %y_1] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %2 = halide.load %in1[%x_1, %k] : !halide.buffer<f32, [4, 1]> to f32
// CHECK-NEXT:     %3 = halide.load %in0[%k, %y_1] : !halide.buffer<f32, [1, 3]> to f32
// CHECK-NEXT:     %4 = halide.mul %3, %2 : f32
// CHECK-NEXT:     %5 = halide.add %1, %4 : f32
// CHECK-NEXT:     halide.yield %5 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_2, y %y_2) in [4, 3] : f32 {
// CHECK-NEXT:     %6 = halide.load %matmul[%x_2, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     halide.yield %6 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [4, 3]>
// CHECK-NEXT: }
