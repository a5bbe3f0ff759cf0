// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | grep "config = " | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --print-space | filecheck %s --check-prefix=SPACE

// A function behind the sums of a tile takes all vectors of a row of the tile at a time, where its
// constants have no registers.

// CHECK: config = #nn.config<gemm, tile = [24, 4], {{.*}}, epilogue = [row]>
// SPACE: epilogue: [], [row]
func.func @swish(%a: tensor<48x40xf32>, %b: tensor<40x96xf32>) -> tensor<48x96xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<48x40xf32>, tensor<40x96xf32>) -> tensor<48x96xf32> {
  ^bb0(%a_: tensor<48x40xf32>, %b_: tensor<40x96xf32>):
    %v = nn.matmul %a_, %b_ : (tensor<48x40xf32>, tensor<40x96xf32>) -> tensor<48x96xf32>
    %s = nn.swish %v : (tensor<48x96xf32>) -> tensor<48x96xf32>
    nn.yield %s : tensor<48x96xf32>
  }
  func.return %y : tensor<48x96xf32>
}

// It does so behind another op, too.

// CHECK: config = #nn.config<gemm, {{.*}}, epilogue = [row]>
func.func @gelu_of_sum(%a: tensor<48x40xf32>, %b: tensor<40x96xf32>, %c: tensor<48x96xf32>) -> tensor<48x96xf32> {
  %y = nn.kernel(%a, %b, %c) {config = #nn.config<gemm>} : (tensor<48x40xf32>, tensor<40x96xf32>, tensor<48x96xf32>) -> tensor<48x96xf32> {
  ^bb0(%a_: tensor<48x40xf32>, %b_: tensor<40x96xf32>, %c_: tensor<48x96xf32>):
    %v = nn.matmul %a_, %b_ : (tensor<48x40xf32>, tensor<40x96xf32>) -> tensor<48x96xf32>
    %t = nn.add %v, %c_ : (tensor<48x96xf32>, tensor<48x96xf32>) -> tensor<48x96xf32>
    %s = nn.gelu %t : (tensor<48x96xf32>) -> tensor<48x96xf32>
    nn.yield %s : tensor<48x96xf32>
  }
  func.return %y : tensor<48x96xf32>
}

// Sums that are stored as they are, or behind bounds, have no such knob.

// CHECK: config = #nn.config<gemm, tile = [24, 4], block = [{{[0-9]+}}]>
func.func @relu(%a: tensor<48x40xf32>, %b: tensor<40x96xf32>) -> tensor<48x96xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<48x40xf32>, tensor<40x96xf32>) -> tensor<48x96xf32> {
  ^bb0(%a_: tensor<48x40xf32>, %b_: tensor<40x96xf32>):
    %v = nn.matmul %a_, %b_ : (tensor<48x40xf32>, tensor<40x96xf32>) -> tensor<48x96xf32>
    %s = nn.relu %v : (tensor<48x96xf32>) -> tensor<48x96xf32>
    nn.yield %s : tensor<48x96xf32>
  }
  func.return %y : tensor<48x96xf32>
}

// Of a tile that is filled up the result stores a part.

// CHECK: config = #nn.config<gemm, tile = [24, 4], pack = [8, 48], {{.*}}, epilogue = []>
func.func @filled_up(%a: tensor<48x40xf32>) -> tensor<48x40xf32> {
  %b = nn.constant #nn.dense<1.0 : tensor<40x40xf32>>
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm, tile = [24, 4], pack = [8, 48]>} : (tensor<48x40xf32>, tensor<40x40xf32>) -> tensor<48x40xf32> {
  ^bb0(%a_: tensor<48x40xf32>, %b_: tensor<40x40xf32>):
    %v = nn.matmul %a_, %b_ : (tensor<48x40xf32>, tensor<40x40xf32>) -> tensor<48x40xf32>
    %s = nn.swish %v : (tensor<48x40xf32>) -> tensor<48x40xf32>
    nn.yield %s : tensor<48x40xf32>
  }
  func.return %y : tensor<48x40xf32>
}

// A convolution over channels.

// CHECK: config = #nn.config<direct_conv, tile = [16, 6], {{.*}}, epilogue = [row]{{.*}}>
func.func @conv(%x: tensor<1x8x12x16xf32>, %w: tensor<3x3x16x32xf32>) -> tensor<1x6x10x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [16, 6]>} : (tensor<1x8x12x16xf32>, tensor<3x3x16x32xf32>) -> tensor<1x6x10x32xf32> {
  ^bb0(%i: tensor<1x8x12x16xf32>, %k: tensor<3x3x16x32xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x12x16xf32>, tensor<3x3x16x32xf32>) -> tensor<1x6x10x32xf32>
    %s = nn.sigmoid %v : (tensor<1x6x10x32xf32>) -> tensor<1x6x10x32xf32>
    nn.yield %s : tensor<1x6x10x32xf32>
  }
  func.return %y : tensor<1x6x10x32xf32>
}

// A depthwise convolution has two vectors of channels, if four pixels divide the row.

// CHECK: config = #nn.config<depthwise, tile = [16, 4, 1], {{.*}}, epilogue = [row]>
func.func @pairs(%x: tensor<1x8x12x48xf32>, %w: tensor<3x3x1x48xf32>) -> tensor<1x8x12x48xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<depthwise>} : (tensor<1x8x12x48xf32>, tensor<3x3x1x48xf32>) -> tensor<1x8x12x48xf32> {
  ^bb0(%i: tensor<1x8x12x48xf32>, %k: tensor<3x3x1x48xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 48 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x12x48xf32>, tensor<3x3x1x48xf32>) -> tensor<1x8x12x48xf32>
    %s = nn.swish %v : (tensor<1x8x12x48xf32>) -> tensor<1x8x12x48xf32>
    nn.yield %s : tensor<1x8x12x48xf32>
  }
  func.return %y : tensor<1x8x12x48xf32>
}

// CHECK: config = #nn.config<depthwise, tile = [8, 7, 1], {{.*}}, epilogue = []>
func.func @odd_width(%x: tensor<1x8x14x48xf32>, %w: tensor<3x3x1x48xf32>) -> tensor<1x8x14x48xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<depthwise>} : (tensor<1x8x14x48xf32>, tensor<3x3x1x48xf32>) -> tensor<1x8x14x48xf32> {
  ^bb0(%i: tensor<1x8x14x48xf32>, %k: tensor<3x3x1x48xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 48 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x14x48xf32>, tensor<3x3x1x48xf32>) -> tensor<1x8x14x48xf32>
    %s = nn.swish %v : (tensor<1x8x14x48xf32>) -> tensor<1x8x14x48xf32>
    nn.yield %s : tensor<1x8x14x48xf32>
  }
  func.return %y : tensor<1x8x14x48xf32>
}

// CHECK: config = #nn.config<depthwise, tile = [8, 6, 1], {{.*}}, epilogue = []>
func.func @odd_vectors(%x: tensor<1x8x12x40xf32>, %w: tensor<3x3x1x40xf32>) -> tensor<1x8x12x40xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<depthwise>} : (tensor<1x8x12x40xf32>, tensor<3x3x1x40xf32>) -> tensor<1x8x12x40xf32> {
  ^bb0(%i: tensor<1x8x12x40xf32>, %k: tensor<3x3x1x40xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 40 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x12x40xf32>, tensor<3x3x1x40xf32>) -> tensor<1x8x12x40xf32>
    %s = nn.swish %v : (tensor<1x8x12x40xf32>) -> tensor<1x8x12x40xf32>
    nn.yield %s : tensor<1x8x12x40xf32>
  }
  func.return %y : tensor<1x8x12x40xf32>
}
