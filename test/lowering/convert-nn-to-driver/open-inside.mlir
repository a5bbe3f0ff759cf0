// RUN: autodeploy-opt %s --convert-nn-to-driver | filecheck %s

// The caller's memory has the elements of a run without gaps. Where the open axis is inside of others, they are copied
// to the places that they have for the largest number, and from there.

// CHECK:       driver.program @model inputs ["x"] outputs ["y"] open <"n", 1 to 8> in [array<i64: 0, 1>, array<i64: 0, 1>] {
// CHECK-NEXT:  ^bb0(%0: memref<3x8xf32>, %1: memref<3x8xf32>):
// CHECK-NEXT:    %y = driver.buffer open array<i64: 0, 1> : memref<3x8xf32>
// CHECK-NEXT:    %x = driver.buffer open array<i64: 0, 1> : memref<3x8xf32>
// CHECK-NEXT:    driver.copy %0 to %x : memref<3x8xf32> to memref<3x8xf32>
// CHECK-NEXT:    driver.call @k(%x) to (%y) : (memref<3x8xf32>) to (memref<3x8xf32>)
// CHECK-NEXT:    driver.copy %y to %1 : memref<3x8xf32> to memref<3x8xf32>
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  halide.pipeline @k(%x: !halide.buffer<f32, [8, 3]>) to (%y: !halide.buffer<f32, [8, 3]>) open [[1, 0], [1, 0]] {
    %f = halide.func "f"(i %i, j %j) : f32 {
      %v = halide.load %x[%i, %j] : !halide.buffer<f32, [8, 3]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [8, 3]>
  }
  func.func @main(%x: tensor<3x8xf32, #nn.extents<[3, d0], "n", 1 to 8>> {nn.name = "x"}) -> (tensor<3x8xf32, #nn.extents<[3, d0], "n", 1 to 8>> {nn.name = "y"}) {
    %y = nn.call @k(%x) : (tensor<3x8xf32, #nn.extents<[3, d0], "n", 1 to 8>>) -> tensor<3x8xf32, #nn.extents<[3, d0], "n", 1 to 8>>
    func.return %y : tensor<3x8xf32, #nn.extents<[3, d0], "n", 1 to 8>>
  }
}
