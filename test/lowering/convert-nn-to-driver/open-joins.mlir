// RUN: autodeploy-opt %s --split-input-file --convert-nn-to-driver | filecheck %s

// Rows of open operands are copied to where a run has their place: from the input to the output, as the caller has
// them. A kernel reads the output there; it says that the strides come with the call.

// CHECK:       halide.pipeline @k(%x: !halide.buffer<f32, [16, 9, 3]>) {{.*}} packed [0] {
// CHECK:       driver.program @model
// CHECK-NEXT:  ^bb0(%past: memref<3x8x16xf32>, %new: memref<3x1x16xf32>, %all: memref<3x9x16xf32>, %0: memref<3x9x16xf32>):
// CHECK-NEXT:    %y = driver.buffer open affine_map<(d0) -> (0, (d0 + 1), 0)> : memref<3x9x16xf32>
// CHECK-NEXT:    driver.join %past to %all from 0 on 1 : memref<3x8x16xf32> to memref<3x9x16xf32>
// CHECK-NEXT:    driver.join %new to %all from 8 on 1 behind array<i64: 1> : memref<3x1x16xf32> to memref<3x9x16xf32>
// CHECK-NEXT:    driver.call @k(%all) to (%y) : (memref<3x9x16xf32>) to (memref<3x9x16xf32>)
// CHECK-NEXT:    driver.copy %y to %0
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 0 to 8>} {
  halide.pipeline @k(%x: !halide.buffer<f32, [16, 9, 3]>) to (%y: !halide.buffer<f32, [16, 9, 3]>)
      open [affine_map<(n) -> (0, n + 1, 0)>, affine_map<(n) -> (0, n + 1, 0)>] {
    %f = halide.func "f"(i %i, j %j, k %k) : f32 {
      %v = halide.load %x[%i, %j, %k] : !halide.buffer<f32, [16, 9, 3]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 3> in !halide.buffer<f32, [16, 9, 3]>
  }
  func.func @main(%past: tensor<3x8x16xf32, #nn.extents<[3, d0, 16], "n", 0 to 8>>, %new: tensor<3x1x16xf32>)
      -> (tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>, tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>) {
    %all = nn.concat %past, %new {axis = 1, copied} : (tensor<3x8x16xf32, #nn.extents<[3, d0, 16], "n", 0 to 8>>, tensor<3x1x16xf32>) -> tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>
    %y = nn.call @k(%all) : (tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>) -> tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>
    func.return %all, %y : tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>, tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>
  }
}

// -----

// What is read under another shape is joined in a buffer, and copied from there. So is what may have no rows.

// CHECK:       driver.program @model
// CHECK-NEXT:  ^bb0(%past: memref<3x8x16xf32>, %new: memref<3x1x16xf32>, %0: memref<3x9x16xf32>, %y: memref<27x16xf32>, %1: memref<3x16x16xf32>):
// CHECK-NEXT:    %all = driver.buffer open affine_map<(d0) -> (0, (d0 + 1), 0)> : memref<3x9x16xf32>
// CHECK-NEXT:    %twice = driver.buffer open array<i64: 0, 2, 0> : memref<3x16x16xf32>
// CHECK-NEXT:    driver.join %past to %all from 0 on 1
// CHECK-NEXT:    driver.join %new to %all from 8 on 1 behind array<i64: 1>
// CHECK-NEXT:    driver.call @r(%all) to (%y)
// CHECK-NEXT:    driver.join %past to %twice from 0 on 1
// CHECK-NEXT:    driver.join %past to %twice from 8 on 1 behind array<i64: 1>
// CHECK-NEXT:    driver.copy %all to %0
// CHECK-NEXT:    driver.copy %twice to %1
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 0 to 8>} {
  halide.pipeline @r(%x: !halide.buffer<f32, [16, 9, 3]>) to (%y: !halide.buffer<f32, [16, 27]>)
      open [affine_map<(n) -> (0, n + 1, 0)>, affine_map<(n) -> (0, n * 3 + 3)>] {
    %f = halide.func "f"(i %i, j %j) : f32 {
      %zero = halide.const 0 : i32
      %v = halide.load %x[%i, %zero, %zero] : !halide.buffer<f32, [16, 9, 3]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [16, 27]>
  }
  func.func @main(%past: tensor<3x8x16xf32, #nn.extents<[3, d0, 16], "n", 0 to 8>>, %new: tensor<3x1x16xf32>)
      -> (tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>, tensor<27x16xf32, #nn.extents<[3 * d0 + 3, 16], "n", 0 to 8>>, tensor<3x16x16xf32, #nn.extents<[3, 2 * d0, 16], "n", 0 to 8>>) {
    %all = nn.concat %past, %new {axis = 1, copied} : (tensor<3x8x16xf32, #nn.extents<[3, d0, 16], "n", 0 to 8>>, tensor<3x1x16xf32>) -> tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>
    %same = nn.slice %all {starts = array<i64: 0, 0, 0>, sizes = #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>, steps = array<i64: 1, 1, 1>} : (tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>) -> tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>
    %y = nn.call @r(%same) : (tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>) -> tensor<27x16xf32, #nn.extents<[3 * d0 + 3, 16], "n", 0 to 8>>
    %twice = nn.concat %past, %past {axis = 1, copied} : (tensor<3x8x16xf32, #nn.extents<[3, d0, 16], "n", 0 to 8>>, tensor<3x8x16xf32, #nn.extents<[3, d0, 16], "n", 0 to 8>>) -> tensor<3x16x16xf32, #nn.extents<[3, 2 * d0, 16], "n", 0 to 8>>
    func.return %all, %y, %twice : tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>, tensor<27x16xf32, #nn.extents<[3 * d0 + 3, 16], "n", 0 to 8>>, tensor<3x16x16xf32, #nn.extents<[3, 2 * d0, 16], "n", 0 to 8>>
  }
}
