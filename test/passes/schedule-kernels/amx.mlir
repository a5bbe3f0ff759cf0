// RUN: autodeploy-opt %s --set-machine=machine=x86-64-sapphirerapids --configure-kernels --pack-weights --fold-nn-constants --convert-nn-to-halide --schedule-kernels | filecheck %s

// The sums of a tile of the output pass from a tile register through memory; the last tile of columns is filled up.

func.func @main(%x: tensor<49x144xui8>) -> tensor<49x72xi32> {
  %w = nn.constant #nn.dense<1 : tensor<144x72xi8>>
  %y = nn.kernel(%x, %w) : (tensor<49x144xui8>, tensor<144x72xi8>) -> tensor<49x72xi32> {
  ^bb0(%p: tensor<49x144xui8>, %q: tensor<144x72xi8>):
    %m = nn.matmul %p, %q {accumulator = i32} : (tensor<49x144xui8>, tensor<144x72xi8>) -> tensor<49x72xi32>
    nn.yield %m : tensor<49x72xi32>
  }
  func.return %y : tensor<49x72xi32>
}

// CHECK:      halide.pipeline @matmul_0(%in0: !halide.buffer<ui8, [144, 49]>, %in1: !halide.buffer<i8, [4, 96, 36, 1]>) to (%result0: !halide.buffer<i32, [72, 49]>) config<amx, tile = [48, 48], pack = [96, 96], dot = [4]> {
// CHECK-NEXT: %matmul = halide.func "matmul"(x %x, y %y) in [72, 49] : i32 {
// CHECK-NEXT: %0 = halide.const 0 : i32
// CHECK-NEXT: halide.yield %0 : i32
// CHECK-NEXT: }
// CHECK-NEXT: halide.update %matmul(x %x_1, y %y_1) over (k %k in 0 to 144) : !halide.func<i32, 2> {
// CHECK-NEXT: %1 = halide.load %matmul[%x_1, %y_1] : !halide.func<i32, 2> to i32
// CHECK-NEXT: %2 = halide.const 4 : i32
// CHECK-NEXT: %3 = halide.div %k, %2 : i32
// CHECK-NEXT: %4 = halide.mod %k, %2 : i32
// CHECK-NEXT: %5 = halide.const 0 : i32
// CHECK-NEXT: %6 = halide.load %in1[%4, %x_1, %3, %5] : !halide.buffer<i8, [4, 96, 36, 1]> to i8
// CHECK-NEXT: %7 = halide.cast %6 : i8 to i32
// CHECK-NEXT: %8 = halide.load %in0[%k, %y_1] : !halide.buffer<ui8, [144, 49]> to ui8
// CHECK-NEXT: %9 = halide.cast %8 : ui8 to i32
// CHECK-NEXT: %10 = halide.mul %9, %7 : i32
// CHECK-NEXT: %11 = halide.add %1, %10 : i32
// CHECK-NEXT: halide.yield %11 : i32
// CHECK-NEXT: }
// CHECK-NEXT: %sums = halide.func "sums"(x %x_2, y %y_2) in [72, 49] : i32 {
// CHECK-NEXT: %12 = halide.load %matmul[%x_2, %y_2] : !halide.func<i32, 2> to i32
// CHECK-NEXT: halide.yield %12 : i32
// CHECK-NEXT: }
// CHECK-NEXT: %out = halide.func "out"(x %x_3, y %y_3) in [72, 49] : i32 {
// CHECK-NEXT: %13 = halide.load %sums[%x_3, %y_3] : !halide.func<i32, 2> to i32
// CHECK-NEXT: halide.yield %13 : i32
// CHECK-NEXT: }
// CHECK-NEXT: halide.output %out in %result0 : !halide.func<i32, 2> in !halide.buffer<i32, [72, 49]>
// CHECK-NEXT: halide.schedule {
// CHECK-NEXT: halide.split %out "x" to "no", "nt" by 48 {tail = #halide<tail guard_with_if>} : !halide.func<i32, 2>
// CHECK-NEXT: halide.split %out "y" to "mo", "mt" by 16 {tail = #halide<tail shift_inwards>} : !halide.func<i32, 2>
// CHECK-NEXT: halide.reorder %out ["nt", "mt", "mo", "no"] : !halide.func<i32, 2>
// CHECK-NEXT: halide.vectorize %out "nt" by 16 : !halide.func<i32, 2>
// CHECK-NEXT: halide.unroll %out "nt" : !halide.func<i32, 2>
// CHECK-NEXT: halide.compute_at %sums at %out "mo" : !halide.func<i32, 2> at !halide.func<i32, 2>
// CHECK-NEXT: halide.bound_extent %sums "x" extent 48 : !halide.func<i32, 2>
// CHECK-NEXT: halide.split %sums "x" to "x", "nx" by 16 : !halide.func<i32, 2>
// CHECK-NEXT: halide.split %sums "y" to "y", "mx" by 16 : !halide.func<i32, 2>
// CHECK-NEXT: halide.reorder %sums ["nx", "mx", "x", "y"] : !halide.func<i32, 2>
// CHECK-NEXT: halide.vectorize %sums "nx" : !halide.func<i32, 2>
// CHECK-NEXT: halide.vectorize %sums "mx" : !halide.func<i32, 2>
// CHECK-NEXT: halide.compute_at %matmul at %sums "x" : !halide.func<i32, 2> at !halide.func<i32, 2>
// CHECK-NEXT: halide.store_in %matmul in amx_tile : !halide.func<i32, 2>
// CHECK-NEXT: halide.split %matmul "x" to "x", "nx" by 16 : !halide.func<i32, 2>
// CHECK-NEXT: halide.split %matmul "y" to "y", "mx" by 16 : !halide.func<i32, 2>
// CHECK-NEXT: halide.reorder %matmul ["nx", "mx", "x", "y"] : !halide.func<i32, 2>
// CHECK-NEXT: halide.vectorize %matmul "nx" : !halide.func<i32, 2>
// CHECK-NEXT: halide.vectorize %matmul "mx" : !halide.func<i32, 2>
// CHECK-NEXT: halide.split %matmul "x" to "x", "nx" by 16 {stage = 1 : i64} : !halide.func<i32, 2>
// CHECK-NEXT: halide.split %matmul "y" to "y", "mx" by 16 {stage = 1 : i64} : !halide.func<i32, 2>
// CHECK-NEXT: halide.split %matmul "k" to "k", "dot" by 48 {stage = 1 : i64} : !halide.func<i32, 2>
// CHECK-NEXT: halide.reorder %matmul ["dot", "nx", "mx", "k", "x", "y"] {stage = 1 : i64} : !halide.func<i32, 2>
// CHECK-NEXT: halide.atomic %matmul {stage = 1 : i64} : !halide.func<i32, 2>
// CHECK-NEXT: halide.vectorize %matmul "dot" {stage = 1 : i64} : !halide.func<i32, 2>
// CHECK-NEXT: halide.vectorize %matmul "nx" {stage = 1 : i64} : !halide.func<i32, 2>
// CHECK-NEXT: halide.vectorize %matmul "mx" {stage = 1 : i64} : !halide.func<i32, 2>
// CHECK-NEXT: }
// CHECK-NEXT: }
