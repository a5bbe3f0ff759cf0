// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64:device=cuda-sm_80 --place-kernels=products=tf32 | filecheck %s

// Tensor cores leave products that a tile would be mostly empty for, factors that the kernel computes, elements of other
// types, groups, images with channels first, dynamic extents, and a config that a kernel has.

// CHECK-NOT: device_tensor

func.func @few_rows(%a: tensor<15x64xf32>, %b: tensor<64x48xf32>) -> tensor<15x48xf32> {
  %0 = nn.kernel(%a, %b) : (tensor<15x64xf32>, tensor<64x48xf32>) -> tensor<15x48xf32> {
  ^bb0(%i: tensor<15x64xf32>, %j: tensor<64x48xf32>):
    %r = nn.matmul %i, %j : (tensor<15x64xf32>, tensor<64x48xf32>) -> tensor<15x48xf32>
    nn.yield %r : tensor<15x48xf32>
  }
  func.return %0 : tensor<15x48xf32>
}

// -----

func.func @few_columns_and_steps(%a: tensor<20x64xf32>, %b: tensor<64x15xf32>, %c: tensor<15x20xf32>) -> tensor<20x20xf32> {
  %0 = nn.kernel(%a, %b) : (tensor<20x64xf32>, tensor<64x15xf32>) -> tensor<20x15xf32> {
  ^bb0(%i: tensor<20x64xf32>, %j: tensor<64x15xf32>):
    %r = nn.matmul %i, %j : (tensor<20x64xf32>, tensor<64x15xf32>) -> tensor<20x15xf32>
    nn.yield %r : tensor<20x15xf32>
  }
  %1 = nn.kernel(%0, %c) : (tensor<20x15xf32>, tensor<15x20xf32>) -> tensor<20x20xf32> {
  ^bb0(%i: tensor<20x15xf32>, %j: tensor<15x20xf32>):
    %r = nn.matmul %i, %j : (tensor<20x15xf32>, tensor<15x20xf32>) -> tensor<20x20xf32>
    nn.yield %r : tensor<20x20xf32>
  }
  func.return %1 : tensor<20x20xf32>
}

// -----

func.func @computed(%a: tensor<20x64xf32>, %b: tensor<64x48xf32>) -> tensor<20x48xf32> {
  %0 = nn.kernel(%a, %b) : (tensor<20x64xf32>, tensor<64x48xf32>) -> tensor<20x48xf32> {
  ^bb0(%i: tensor<20x64xf32>, %j: tensor<64x48xf32>):
    %e = nn.exp %i : (tensor<20x64xf32>) -> tensor<20x64xf32>
    %r = nn.matmul %e, %j : (tensor<20x64xf32>, tensor<64x48xf32>) -> tensor<20x48xf32>
    nn.yield %r : tensor<20x48xf32>
  }
  func.return %0 : tensor<20x48xf32>
}

// -----

func.func @halves(%a: tensor<20x64xf16>, %b: tensor<64x48xf16>) -> tensor<20x48xf16> {
  %0 = nn.kernel(%a, %b) : (tensor<20x64xf16>, tensor<64x48xf16>) -> tensor<20x48xf16> {
  ^bb0(%i: tensor<20x64xf16>, %j: tensor<64x48xf16>):
    %r = nn.matmul %i, %j : (tensor<20x64xf16>, tensor<64x48xf16>) -> tensor<20x48xf16>
    nn.yield %r : tensor<20x48xf16>
  }
  func.return %0 : tensor<20x48xf16>
}

// -----

func.func @groups(%x: tensor<1x9x9x64xf32>, %w: tensor<3x3x32x64xf32>) -> tensor<1x7x7x64xf32> {
  %0 = nn.kernel(%x, %w) : (tensor<1x9x9x64xf32>, tensor<3x3x32x64xf32>) -> tensor<1x7x7x64xf32> {
  ^bb0(%i: tensor<1x9x9x64xf32>, %j: tensor<3x3x32x64xf32>):
    %r = nn.conv %i, %j {groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x9x9x64xf32>, tensor<3x3x32x64xf32>) -> tensor<1x7x7x64xf32>
    nn.yield %r : tensor<1x7x7x64xf32>
  }
  func.return %0 : tensor<1x7x7x64xf32>
}

// -----

func.func @channels_first(%x: tensor<1x16x9x9xf32>, %w: tensor<32x16x3x3xf32>) -> tensor<1x32x7x7xf32> {
  %0 = nn.kernel(%x, %w) : (tensor<1x16x9x9xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x7x7xf32> {
  ^bb0(%i: tensor<1x16x9x9xf32>, %j: tensor<32x16x3x3xf32>):
    %r = nn.conv %i, %j : (tensor<1x16x9x9xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x7x7xf32>
    nn.yield %r : tensor<1x32x7x7xf32>
  }
  func.return %0 : tensor<1x32x7x7xf32>
}

// -----

func.func @given(%a: tensor<20x64xf32>, %b: tensor<64x48xf32>) -> tensor<20x48xf32> {
  %0 = nn.kernel(%a, %b) {config = #nn.config<device_tile>} : (tensor<20x64xf32>, tensor<64x48xf32>) -> tensor<20x48xf32> {
  ^bb0(%i: tensor<20x64xf32>, %j: tensor<64x48xf32>):
    %r = nn.matmul %i, %j : (tensor<20x64xf32>, tensor<64x48xf32>) -> tensor<20x48xf32>
    nn.yield %r : tensor<20x48xf32>
  }
  func.return %0 : tensor<20x48xf32>
}

// -----

func.func @dynamic(%a: tensor<20x64xf32, #nn.extents<[d0, 64], "n", 1 to 20>>, %b: tensor<64x48xf32>) -> tensor<20x48xf32, #nn.extents<[d0, 48], "n", 1 to 20>> {
  %0 = nn.kernel(%a, %b) : (tensor<20x64xf32, #nn.extents<[d0, 64], "n", 1 to 20>>, tensor<64x48xf32>) -> tensor<20x48xf32, #nn.extents<[d0, 48], "n", 1 to 20>> {
  ^bb0(%i: tensor<20x64xf32, #nn.extents<[d0, 64], "n", 1 to 20>>, %j: tensor<64x48xf32>):
    %r = nn.matmul %i, %j : (tensor<20x64xf32, #nn.extents<[d0, 64], "n", 1 to 20>>, tensor<64x48xf32>) -> tensor<20x48xf32, #nn.extents<[d0, 48], "n", 1 to 20>>
    nn.yield %r : tensor<20x48xf32, #nn.extents<[d0, 48], "n", 1 to 20>>
  }
  func.return %0 : tensor<20x48xf32, #nn.extents<[d0, 48], "n", 1 to 20>>
}
