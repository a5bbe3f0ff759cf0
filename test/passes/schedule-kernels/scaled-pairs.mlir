// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Rows of codes: an instruction adds two products to 16 bits, which the codes of 16 bytes do not
// exceed; another one adds two of these sums to 32 bits.

func.func @f(%x: tensor<1x64xi8>, %xs: tensor<1x2xf32>) -> tensor<1x40xf32> {
  %w = nn.constant #nn.dense<1 : tensor<3x2x4x2x8x4xui8>>
  %s = nn.constant #nn.dense<1.0 : tensor<3x2x16xf32>>
  %z = nn.constant #nn.dense<1 : tensor<3x2x16xui8>>
  %a = nn.kernel(%x, %w, %s, %z, %xs) {config = #nn.config<scaled>} : (tensor<1x64xi8>, tensor<3x2x4x2x8x4xui8>, tensor<3x2x16xf32>, tensor<3x2x16xui8>, tensor<1x2xf32>) -> tensor<1x40xf32> {
  ^bb0(%l: tensor<1x64xi8>, %c: tensor<3x2x4x2x8x4xui8>, %t: tensor<3x2x16xf32>, %p: tensor<3x2x16xui8>, %r: tensor<1x2xf32>):
    %v = nn.scaled_matmul %l, %c, %t, %p, %r {block = 32 : i64, columns = 40 : i64} : (tensor<1x64xi8>, tensor<3x2x4x2x8x4xui8>, tensor<3x2x16xf32>, tensor<3x2x16xui8>, tensor<1x2xf32>) -> tensor<1x40xf32>
    nn.yield %v : tensor<1x40xf32>
  }
  func.return %a : tensor<1x40xf32>
}

// CHECK: config<scaled, tile = [16, 1], pack = [16, 8], dot = [4], pairs = [16]>
// CHECK:      halide.update %pair_sums2(x %x_5, y %y_5, z %z_3, w %w_3, u %u_3) over (neighbour %neighbour_1 in 0 to 2, group %group_1 in 0 to 4) : !halide.func<i16, 5> {
// CHECK-NEXT: %44 = halide.load %pair_sums2[%x_5, %y_5, %z_3, %w_3, %u_3] : !halide.func<i16, 5> to i16
// CHECK-NEXT: %45 = halide.const 16 : i32
// CHECK-NEXT: %46 = halide.mul %w_3, %45 : i32
// CHECK-NEXT: %47 = halide.const 4 : i32
// CHECK-NEXT: %48 = halide.mul %group_1, %47 : i32
// CHECK-NEXT: %49 = halide.const 2 : i32
// CHECK-NEXT: %50 = halide.mul %x_5, %49 : i32
// CHECK-NEXT: %51 = halide.add %50, %neighbour_1 : i32
// CHECK-NEXT: %52 = halide.add %48, %51 : i32
// CHECK-NEXT: %53 = halide.add %46, %52 : i32
// CHECK-NEXT: %54 = halide.div %y_5, %45 : i32
// CHECK-NEXT: %55 = halide.div %53, %47 : i32
// CHECK-NEXT: %56 = halide.const 8 : i32
// CHECK-NEXT: %57 = halide.div %y_5, %56 : i32
// CHECK-NEXT: %58 = halide.mod %57, %49 : i32
// CHECK-NEXT: %59 = halide.mod %y_5, %56 : i32
// CHECK-NEXT: %60 = halide.mod %53, %47 : i32
// CHECK-NEXT: %61 = halide.load %in1[%60, %59, %58, %55, %u_3, %54] : !halide.buffer<ui8, [4, 8, 2, 4, 2, 3]> to ui8
// CHECK-NEXT: %62 = halide.const 16 : ui8
// CHECK-NEXT: %63 = halide.div %61, %62 : ui8
// CHECK-NEXT: %64 = halide.extent %in0 1 : !halide.buffer<i8, [64, 1]>
// CHECK-NEXT: %65 = halide.const 1 : i32
// CHECK-NEXT: %66 = halide.sub %64, %65 : i32
// CHECK-NEXT: %67 = halide.cast %66 : i32 to i8
// CHECK-NEXT: %68 = halide.cast %67 : i8 to ui8
// CHECK-NEXT: %69 = halide.const 15 : ui8
// CHECK-NEXT: %70 = halide.add %68, %69 : ui8
// CHECK-NEXT: %71 = halide.bit_and %63, %70 : ui8
// CHECK-NEXT: %72 = halide.add %53, %45 : i32
// CHECK-NEXT: %73 = halide.const 32 : i32
// CHECK-NEXT: %74 = halide.mul %u_3, %73 : i32
// CHECK-NEXT: %75 = halide.add %74, %72 : i32
// CHECK-NEXT: %76 = halide.load %in0[%75, %z_3] : !halide.buffer<i8, [64, 1]> to i8
// CHECK-NEXT: %77 = halide.cast %71 : ui8 to i16
// CHECK-NEXT: %78 = halide.cast %76 : i8 to i16
// CHECK-NEXT: %79 = halide.mul %77, %78 : i16
// CHECK-NEXT: %80 = halide.saturating_add %44, %79 : i16
// CHECK-NEXT: halide.yield %80 : i16
// CHECK:      halide.update %block_sums(x %x_7, y %y_7, z %z_5) over (pair %pair in 0 to 2, chunk %chunk in 0 to 1) : !halide.func<i32, 3> {
// CHECK-NEXT: %90 = halide.load %block_sums[%x_7, %y_7, %z_5] : !halide.func<i32, 3> to i32
// CHECK-NEXT: %91 = halide.load %pair_sums[%pair, %x_7, %y_7, %chunk, %z_5] : !halide.func<i16, 5> to i16
// CHECK-NEXT: %92 = halide.load %pair_sums2[%pair, %x_7, %y_7, %chunk, %z_5] : !halide.func<i16, 5> to i16
// CHECK-NEXT: %93 = halide.add %91, %92 : i16
// CHECK-NEXT: %94 = halide.cast %93 : i16 to i32
// CHECK-NEXT: %95 = halide.add %90, %94 : i32
// CHECK-NEXT: halide.yield %95 : i32
// CHECK:      halide.compute_at %block_sums at %matmul "block" : !halide.func<i32, 3> at !halide.func<f32, 2>
// CHECK-NEXT: halide.bound_extent %block_sums "x" extent 16 : !halide.func<i32, 3>
// CHECK-NEXT: halide.bound_extent %block_sums "y" extent 1 : !halide.func<i32, 3>
// CHECK-NEXT: halide.vectorize %block_sums "x" by 8 : !halide.func<i32, 3>
// CHECK-NEXT: halide.unroll %block_sums "x" : !halide.func<i32, 3>
// CHECK-NEXT: halide.unroll %block_sums "y" : !halide.func<i32, 3>
// CHECK-NEXT: halide.reorder %block_sums ["pair", "x", "y", "chunk"] {stage = 1 : i64} : !halide.func<i32, 3>
// CHECK-NEXT: halide.atomic %block_sums {stage = 1 : i64} : !halide.func<i32, 3>
// CHECK-NEXT: halide.vectorize %block_sums "pair" {stage = 1 : i64} : !halide.func<i32, 3>
// CHECK-NEXT: halide.vectorize %block_sums "x" by 8 {stage = 1 : i64} : !halide.func<i32, 3>
// CHECK-NEXT: halide.unroll %block_sums "x" {stage = 1 : i64} : !halide.func<i32, 3>
// CHECK-NEXT: halide.unroll %block_sums "y" {stage = 1 : i64} : !halide.func<i32, 3>
// CHECK-NEXT: halide.compute_at %pair_sums at %block_sums "chunk" : !halide.func<i16, 5> at !halide.func<i32, 3>
// CHECK-NEXT: halide.bound_extent %pair_sums "y" extent 16 : !halide.func<i16, 5>
// CHECK-NEXT: halide.bound_extent %pair_sums "z" extent 1 : !halide.func<i16, 5>
// CHECK-NEXT: halide.bound_extent %pair_sums "x" extent 2 : !halide.func<i16, 5>
// CHECK-NEXT: halide.vectorize %pair_sums "x" : !halide.func<i16, 5>
// CHECK-NEXT: halide.vectorize %pair_sums "y" by 8 : !halide.func<i16, 5>
// CHECK-NEXT: halide.unroll %pair_sums "y" : !halide.func<i16, 5>
// CHECK-NEXT: halide.unroll %pair_sums "z" : !halide.func<i16, 5>
// CHECK-NEXT: halide.reorder %pair_sums ["neighbour", "x", "y", "z", "group"] {stage = 1 : i64} : !halide.func<i16, 5>
// CHECK-NEXT: halide.atomic %pair_sums {stage = 1 : i64, any_order} : !halide.func<i16, 5>
// CHECK-NEXT: halide.vectorize %pair_sums "neighbour" {stage = 1 : i64} : !halide.func<i16, 5>
// CHECK-NEXT: halide.vectorize %pair_sums "x" {stage = 1 : i64} : !halide.func<i16, 5>
// CHECK-NEXT: halide.vectorize %pair_sums "y" by 8 {stage = 1 : i64} : !halide.func<i16, 5>
// CHECK-NEXT: halide.unroll %pair_sums "y" {stage = 1 : i64} : !halide.func<i16, 5>
// CHECK-NEXT: halide.unroll %pair_sums "z" {stage = 1 : i64} : !halide.func<i16, 5>
// CHECK-NEXT: halide.unroll %pair_sums "group" {stage = 1 : i64} : !halide.func<i16, 5>
