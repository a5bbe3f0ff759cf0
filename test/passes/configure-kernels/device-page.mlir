// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=wasm32-simd128:device=webgpu --place-kernels --configure-kernels | filecheck %s
// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64:device=opencl --place-kernels --configure-kernels | filecheck %s --check-prefix=OTHER

// Each row of a tile makes the text of a kernel longer, and a browser compiles it while its user waits. A tile of a page has
// fewer rows if these share only weights, and one if they share nothing.

// CHECK: config = #nn.config<device_tile, tile = [4, 8], threads = [4, 2]>
// OTHER: config = #nn.config<device_tile, tile = [4, 8], threads = [4, 2]>
func.func @conv(%x: tensor<1x16x16x16xf32>, %w: tensor<16x16x1x1xf32>) -> tensor<1x16x16x16xf32> {
  %y = nn.kernel(%x, %w) : (tensor<1x16x16x16xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x16x16xf32> {
  ^bb0(%i: tensor<1x16x16x16xf32>, %j: tensor<16x16x1x1xf32>):
    %r = nn.conv %i, %j {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #nn<layout channels_last>} : (tensor<1x16x16x16xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x16x16xf32>
    nn.yield %r : tensor<1x16x16x16xf32>
  }
  func.return %y : tensor<1x16x16x16xf32>
}

// -----

// CHECK: config = #nn.config<device_tile, tile = [4, 4], threads = [4, 4]>
// OTHER: config = #nn.config<device_tile, tile = [4, 8], threads = [4, 2]>
func.func @depthwise(%x: tensor<1x16x16x16xf32>, %w: tensor<16x1x3x3xf32>) -> tensor<1x16x16x16xf32> {
  %y = nn.kernel(%x, %w) : (tensor<1x16x16x16xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x16x16xf32> {
  ^bb0(%i: tensor<1x16x16x16xf32>, %j: tensor<16x1x3x3xf32>):
    %r = nn.conv %i, %j {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 16 : i64, layout = #nn<layout channels_last>} : (tensor<1x16x16x16xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x16x16xf32>
    nn.yield %r : tensor<1x16x16x16xf32>
  }
  func.return %y : tensor<1x16x16x16xf32>
}

// -----

// CHECK: config = #nn.config<device_tile, tile = [4, 1], threads = [4, 16]>
// OTHER: config = #nn.config<device_tile, tile = [4, 8], threads = [4, 2]>
func.func @pool(%x: tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32> {
  %y = nn.kernel(%x) : (tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32> {
  ^bb0(%i: tensor<1x16x16x16xf32>):
    %r = nn.max_pool %i {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
    nn.yield %r : tensor<1x16x16x16xf32>
  }
  func.return %y : tensor<1x16x16x16xf32>
}
