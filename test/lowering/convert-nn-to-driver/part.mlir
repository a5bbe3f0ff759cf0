// RUN: autodeploy-opt %s --split-input-file '--convert-nn-to-driver=variant="h=3,n=4..8"' | filecheck %s

// A program for a part of open extents says for which numbers it is. Axes grow with those that are open.

// CHECK: builtin.module {
// CHECK: driver.program @model inputs ["x"] outputs ["y"] variant "h=3,n=4..8" part <"h", 3 to 3, "n", 4 to 8> open <"n", 4 to 8> in [array<i64: 1, 0>, array<i64: 1, 0>] {
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 4 to 8>, driver.part = #driver.part<"h", 3 to 3, "n", 4 to 8>} {
  halide.pipeline @k(%x: !halide.buffer<f32, [3, 8]>) to (%y: !halide.buffer<f32, [3, 8]>) open [[0, 1], [0, 1]] {
    %f = halide.func "f"(i %i, j %j) : f32 {
      %v = halide.load %x[%i, %j] : !halide.buffer<f32, [3, 8]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [3, 8]>
  }
  func.func @main(%x: tensor<8x3xf32, #nn.extents<[d0, 3], "n", 4 to 8>> {nn.name = "x"}) -> (tensor<8x3xf32, #nn.extents<[d0, 3], "n", 4 to 8>> {nn.name = "y"}) {
    %y = nn.call @k(%x) : (tensor<8x3xf32, #nn.extents<[d0, 3], "n", 4 to 8>>) -> tensor<8x3xf32, #nn.extents<[d0, 3], "n", 4 to 8>>
    func.return %y : tensor<8x3xf32, #nn.extents<[d0, 3], "n", 4 to 8>>
  }
}

// -----

// CHECK: driver.program @model inputs ["x"] outputs ["y"] variant "h=3,n=4..8" part <"h", 3 to 3> {
builtin.module attributes {driver.part = #driver.part<"h", 3 to 3>} {
  func.func @main(%x: tensor<3xf32> {nn.name = "x"}) -> (tensor<3xf32> {nn.name = "y"}) {
    func.return %x : tensor<3xf32>
  }
}
