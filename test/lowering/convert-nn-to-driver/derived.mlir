// RUN: autodeploy-opt %s --convert-nn-to-driver | filecheck %s

// What says a derived number is a buffer that nothing fills; the program has the table.

// CHECK:      driver.program @model inputs ["input0"] outputs ["output0"] open <"n", 1 to 3 derived ([3] = [3, 1, 2])> in [array<i64: 1>, affine_map<(d0, d1) -> (d1)>] {
// CHECK:        %d = driver.buffer open affine_map<(d0, d1) -> (d1)> : memref<3xui8>
// CHECK-NEXT:   driver.call @k(%x, %d) to (%y)
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 3 derived ([3] = [3, 1, 2])>} {
  halide.pipeline @k(%x: !halide.buffer<f32, [3]>, %d: !halide.buffer<ui8, [3]>) to (%y: !halide.buffer<f32, [3]>) open [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (b)>] {
    %f = halide.func "f"(i %i) : f32 {
      %zero = halide.const 0 : i32
      %v = halide.load %x[%zero] : !halide.buffer<f32, [3]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [3]>
  }
  func.func @main(%x: tensor<3xf32, #nn.extents<[d0], "n", 1 to 3 derived ("ef682d6b51897ea7")>>) -> tensor<3xf32, #nn.extents<[d1], "n", 1 to 3 derived ("ef682d6b51897ea7")>> {
    %d = nn.derived : tensor<3xui8, #nn.extents<[d1], "n", 1 to 3 derived ("ef682d6b51897ea7")>>
    %y = nn.call @k(%x, %d) : (tensor<3xf32, #nn.extents<[d0], "n", 1 to 3 derived ("ef682d6b51897ea7")>>, tensor<3xui8, #nn.extents<[d1], "n", 1 to 3 derived ("ef682d6b51897ea7")>>) -> tensor<3xf32, #nn.extents<[d1], "n", 1 to 3 derived ("ef682d6b51897ea7")>>
    func.return %y : tensor<3xf32, #nn.extents<[d1], "n", 1 to 3 derived ("ef682d6b51897ea7")>>
  }
}
