// RUN: autodeploy-opt %s --use-integer-sum | filecheck %s

// A convolution without pads reads all weights of a channel at each pixel: their sum times the zero
// point, which only a run knows, is subtracted from the sums of codes.

func.func @unpadded(%x: tensor<1x2x5x5xui8>, %z: tensor<ui8>) -> tensor<1x3x2x2xi32> {
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] : tensor<3x2x2x2xi8>>
  %wz = nn.constant #nn.dense<[0, 1, 2] : tensor<3x1x1x1xi32>>
  %a = nn.cast %x : (tensor<1x2x5x5xui8>) -> tensor<1x2x5x5xi32>
  %p = nn.cast %z : (tensor<ui8>) -> tensor<i32>
  %d = nn.sub %a, %p : (tensor<1x2x5x5xi32>, tensor<i32>) -> tensor<1x2x5x5xi32>
  %b = nn.cast %w : (tensor<3x2x2x2xi8>) -> tensor<3x2x2x2xi32>
  %e = nn.sub %b, %wz : (tensor<3x2x2x2xi32>, tensor<3x1x1x1xi32>) -> tensor<3x2x2x2xi32>
  %y = nn.conv %d, %e {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x5xi32>, tensor<3x2x2x2xi32>) -> tensor<1x3x2x2xi32>
  func.return %y : tensor<1x3x2x2xi32>
}

// CHECK:      func.func @unpadded
// CHECK-NEXT:   %p = nn.cast %z : (tensor<ui8>) -> tensor<i32>
// CHECK-NEXT:   %0 = nn.constant #nn.dense<"0x01fe0304fb0601010000000000000000ffffffffffffffff" : tensor<3x2x2x2xi8>>
// CHECK-NEXT:   %1 = nn.conv %x, %0 {strides = array<i64: 2, 2>, {{.*}}, accumulator = i32} : (tensor<1x2x5x5xui8>, tensor<3x2x2x2xi8>) -> tensor<1x3x2x2xi32>
// CHECK-NEXT:   %2 = nn.constant #nn.dense<[9, 0, -8] : tensor<3x1x1xi32>>
// CHECK-NEXT:   %3 = nn.mul %p, %2 : (tensor<i32>, tensor<3x1x1xi32>) -> tensor<3x1x1xi32>
// CHECK-NEXT:   %y = nn.sub %1, %3 : (tensor<1x3x2x2xi32>, tensor<3x1x1xi32>) -> tensor<1x3x2x2xi32>

// A convolution with groups sums distances.

func.func @groups(%x: tensor<1x2x4x4xui8>, %z: tensor<ui8>) -> tensor<1x2x4x4xi32> {
  %w = nn.constant #nn.dense<[1, -2] : tensor<2x1x1x1xi8>>
  %wz = nn.constant #nn.dense<0 : tensor<i32>>
  %a = nn.cast %x : (tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xi32>
  %p = nn.cast %z : (tensor<ui8>) -> tensor<i32>
  %d = nn.sub %a, %p : (tensor<1x2x4x4xi32>, tensor<i32>) -> tensor<1x2x4x4xi32>
  %b = nn.cast %w : (tensor<2x1x1x1xi8>) -> tensor<2x1x1x1xi32>
  %e = nn.sub %b, %wz : (tensor<2x1x1x1xi32>, tensor<i32>) -> tensor<2x1x1x1xi32>
  %y = nn.conv %d, %e {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x2x4x4xi32>, tensor<2x1x1x1xi32>) -> tensor<1x2x4x4xi32>
  func.return %y : tensor<1x2x4x4xi32>
}

// CHECK:      func.func @groups
// CHECK:        %y = nn.conv {{.*}} groups = 2 : i64, accumulator = i32} : (tensor<1x2x4x4xi16>, tensor<2x1x1x1xi8>) -> tensor<1x2x4x4xi32>
