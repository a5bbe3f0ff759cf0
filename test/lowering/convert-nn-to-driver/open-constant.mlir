// RUN: autodeploy-opt %s --convert-nn-to-driver | filecheck %s

// A constant has all elements in each run. A view of it says how many of the first ones a kernel reads; another kernel
// reads all of it. Both have one weight.

// CHECK:      driver.program @model
// CHECK:        %w = driver.weight #nn.dense<0.5 : tensor<8xf32>> : memref<8xf32>
// CHECK-NEXT:   %[[FIRST:.*]] = driver.view %w {open = array<i64: 1>} : memref<8xf32> to memref<8xf32>
// CHECK-NEXT:   driver.call @k(%x, %[[FIRST]]) to (%y)
// CHECK-NEXT:   driver.call @whole(%w) to (%z)
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  halide.pipeline @k(%x: !halide.buffer<f32, [8]>, %w: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) open [[1], [1], [1]] {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
      %s = halide.load %w[%i] : !halide.buffer<f32, [8]> to f32
      %a = halide.add %v, %s : f32
      halide.yield %a : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  }
  halide.pipeline @whole(%w: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %w[%i] : !halide.buffer<f32, [8]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  }
  func.func @main(%x: tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>) -> (tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>, tensor<8xf32>) {
    %w = nn.constant #nn.dense<0.5 : tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>>
    %c = nn.constant #nn.dense<0.5 : tensor<8xf32>>
    %y = nn.call @k(%x, %w) : (tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>, tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>) -> tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>
    %z = nn.call @whole(%c) : (tensor<8xf32>) -> tensor<8xf32>
    func.return %y, %z : tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>, tensor<8xf32>
  }
}
