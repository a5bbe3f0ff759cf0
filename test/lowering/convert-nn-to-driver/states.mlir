// RUN: autodeploy-opt %s --split-input-file --convert-nn-to-driver | filecheck %s

// New rows are appended to those that a run finds; a kernel reads all of them there, and another one only counts what
// there was. There is memory for the rows that another program of the network may leave.

// CHECK:       driver.program @model inputs ["new"] outputs ["y", "count"] open <"n", 0 to 8>
// CHECK-NEXT:  ^bb0(%new: memref<3x1x16xf32>, %0: memref<3x9x16xf32>, %count: memref<i64>):
// CHECK-NEXT:    %past, %all = driver.state "past" from "all" rows affine_map<(d0) -> (d0, (d0 + 1))> on 1 : memref<3x20x16xf32>
// CHECK-NEXT:    %y = driver.buffer open affine_map<(d0) -> (0, (d0 + 1), 0)> : memref<3x9x16xf32>
// CHECK-NEXT:    %all_1 = driver.view %all {open = affine_map<(d0) -> (0, (d0 + 1), 0)>} : memref<3x20x16xf32> to memref<3x9x16xf32, strided<[320, 16, 1]>>
// CHECK-NEXT:    driver.join %new to %all_1 from 8 on 1 behind array<i64: 1>
// CHECK:         driver.call @k({{%.*}}) to (%y)
// CHECK:         driver.call @count({{%.*}}) to (%count)
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
  halide.pipeline @count(%x: !halide.buffer<f32, [16, 8, 3]>) to (%y: !halide.buffer<i64, []>)
      open [affine_map<(n) -> (0, n, 0)>, affine_map<(n) -> ()>] {
    %f = halide.func "f"() : i64 {
      %n = halide.extent %x 1 : !halide.buffer<f32, [16, 8, 3]>
      %m = halide.cast %n : i32 to i64
      halide.yield %m : i64
    }
    halide.output %f in %y : !halide.func<i64, 0> in !halide.buffer<i64, []>
  }
  func.func @main(%past: tensor<3x8x16xf32, #nn.extents<[3, d0, 16], "n", 0 to 8>> {nn.name = "past", nn.state = 0 : i64, nn.state_rows = 20 : i64}, %new: tensor<3x1x16xf32> {nn.name = "new"})
      -> (tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>> {nn.name = "all"}, tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>> {nn.name = "y"}, tensor<i64> {nn.name = "count"}) {
    %all = nn.concat %past, %new {axis = 1, copied} : (tensor<3x8x16xf32, #nn.extents<[3, d0, 16], "n", 0 to 8>>, tensor<3x1x16xf32>) -> tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>
    %y = nn.call @k(%all) : (tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>) -> tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>
    %count = nn.call @count(%past) : (tensor<3x8x16xf32, #nn.extents<[3, d0, 16], "n", 0 to 8>>) -> tensor<i64>
    func.return %all, %y, %count : tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>, tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>, tensor<i64>
  }
}

// -----

// Rows that are read elsewhere, too, are joined in a buffer, which is copied to the state at the end.

// CHECK:       driver.program @model inputs ["new"] outputs ["z"]
// CHECK:         %past, %all = driver.state "past" from "all" rows affine_map<(d0) -> (d0, (d0 + 1))> on 1 : memref<3x9x16xf32>
// CHECK:         %all_1 = driver.buffer open affine_map<(d0) -> (0, (d0 + 1), 0)> : memref<3x9x16xf32>
// CHECK-NEXT:    [[P:%.*]] = driver.view %past {open = array<i64: 0, 1, 0>} : memref<3x9x16xf32> to memref<3x8x16xf32, strided<[144, 16, 1]>>
// CHECK-NEXT:    driver.join [[P]] to %all_1 from 0 on 1
// CHECK-NEXT:    driver.join %new to %all_1 from 8 on 1 behind array<i64: 1>
// CHECK:         driver.call @k
// CHECK:         [[L:%.*]] = driver.view %all {open = affine_map<(d0) -> (0, (d0 + 1), 0)>}
// CHECK-NEXT:    driver.join %all_1 to [[L]] from 0 on 1 : memref<3x9x16xf32> to memref<3x9x16xf32>
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 0 to 8>} {
  halide.pipeline @k(%x: !halide.buffer<f32, [16, 8, 3]>) to (%y: !halide.buffer<f32, [16, 8, 3]>)
      open [affine_map<(n) -> (0, n, 0)>, affine_map<(n) -> (0, n, 0)>] {
    %f = halide.func "f"(i %i, j %j, k %k) : f32 {
      %v = halide.load %x[%i, %j, %k] : !halide.buffer<f32, [16, 8, 3]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 3> in !halide.buffer<f32, [16, 8, 3]>
  }
  func.func @main(%past: tensor<3x8x16xf32, #nn.extents<[3, d0, 16], "n", 0 to 8>> {nn.name = "past", nn.state = 0 : i64}, %new: tensor<3x1x16xf32> {nn.name = "new"})
      -> (tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>> {nn.name = "all"}, tensor<3x8x16xf32, #nn.extents<[3, d0, 16], "n", 0 to 8>> {nn.name = "z"}) {
    %all = nn.concat %past, %new {axis = 1, copied} : (tensor<3x8x16xf32, #nn.extents<[3, d0, 16], "n", 0 to 8>>, tensor<3x1x16xf32>) -> tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>
    %z = nn.call @k(%past) : (tensor<3x8x16xf32, #nn.extents<[3, d0, 16], "n", 0 to 8>>) -> tensor<3x8x16xf32, #nn.extents<[3, d0, 16], "n", 0 to 8>>
    func.return %all, %z : tensor<3x9x16xf32, #nn.extents<[3, d0 + 1, 16], "n", 0 to 8>>, tensor<3x8x16xf32, #nn.extents<[3, d0, 16], "n", 0 to 8>>
  }
}

// -----

// States that move on to each other: all are read before one of them is written.

// CHECK:       driver.program @model inputs ["x"] outputs ["y"] {
// CHECK-NEXT:  ^bb0(%x: memref<4xf32>, %0: memref<4xf32>):
// CHECK-NEXT:    [[A:%.*]], [[A1:%.*]] = driver.state "a" from "an" : memref<4xf32>
// CHECK-NEXT:    [[B:%.*]], [[B1:%.*]] = driver.state "b" from "bn" : memref<4xf32>
// CHECK-NEXT:    [[S:%.*]] = driver.buffer : memref<4xf32>
// CHECK-NEXT:    [[T:%.*]] = driver.buffer : memref<4xf32>
// CHECK-NEXT:    driver.copy [[B]] to %0
// CHECK-NEXT:    driver.copy %x to [[S]]
// CHECK-NEXT:    driver.copy [[A]] to [[T]]
// CHECK-NEXT:    driver.copy [[S]] to [[A1]]
// CHECK-NEXT:    driver.copy [[T]] to [[B1]]
func.func @main(%x: tensor<4xf32> {nn.name = "x"}, %a: tensor<4xf32> {nn.name = "a", nn.state = 0 : i64}, %b: tensor<4xf32> {nn.name = "b", nn.state = 1 : i64})
    -> (tensor<4xf32> {nn.name = "an"}, tensor<4xf32> {nn.name = "bn"}, tensor<4xf32> {nn.name = "y"}) {
  func.return %x, %a, %b : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
