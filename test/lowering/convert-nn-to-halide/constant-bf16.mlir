// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// A number of sixteen bits inside a kernel.

func.func @f(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %c = nn.constant #nn.dense<"0xc03f" : tensor<bf16>>
  %y = nn.mul %x, %c : (tensor<4xbf16>, tensor<bf16>) -> tensor<4xbf16>
  func.return %y : tensor<4xbf16>
}

// CHECK:      halide.pipeline @mul_0(%in0: !halide.buffer<bf16, [4]>) to (%result0: !halide.buffer<bf16, [4]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x) in [4] : bf16 {
// CHECK-NEXT:     %0 = halide.load %in0[%x] : !halide.buffer<bf16, [4]> to bf16
// CHECK-NEXT:     %1 = halide.const 1.5 : bf16
// CHECK-NEXT:     %2 = halide.cast %0 : bf16 to f32
// CHECK-NEXT:     %3 = halide.cast %1 : bf16 to f32
// CHECK-NEXT:     %4 = halide.mul %2, %3 : f32
// CHECK-NEXT:     %5 = halide.eq %4, %4 : f32
// CHECK-NEXT:     %6 = halide.cast %4 : f32 to bf16
// CHECK-NEXT:     %7 = halide.const nan : bf16
// CHECK-NEXT:     %8 = halide.select %5, %6, %7 : bf16
// CHECK-NEXT:     halide.yield %8 : bf16
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<bf16, 1> in !halide.buffer<bf16, [4]>
// CHECK-NEXT: }
