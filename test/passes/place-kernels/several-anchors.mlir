// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --place-kernels | filecheck %s

// Only a template of the processor computes several anchors in one kernel.

func.func @f(%x: tensor<1x60x40x8xf32>, %w: tensor<1x1x8x32xf32>) -> tensor<1x30x20x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<row_bands, bands = [9, 9, 4], strip = [2]>} : (tensor<1x60x40x8xf32>, tensor<1x1x8x32xf32>) -> tensor<1x30x20x32xf32> {
  ^bb0(%a: tensor<1x60x40x8xf32>, %b: tensor<1x1x8x32xf32>):
    %e = nn.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x60x40x8xf32>, tensor<1x1x8x32xf32>) -> tensor<1x60x40x32xf32>
    %p = nn.max_pool %e {window = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x60x40x32xf32>) -> tensor<1x30x20x32xf32>
    nn.yield %p : tensor<1x30x20x32xf32>
  }
  func.return %y : tensor<1x30x20x32xf32>
}

// CHECK: %y = nn.kernel(%x, %w) {halide.on_host = "it has several anchors", config = #nn.config<row_bands,
