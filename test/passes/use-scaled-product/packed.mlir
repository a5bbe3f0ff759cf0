// RUN: autodeploy-opt %s --use-scaled-product --dce | filecheck %s

// Codes and zero points that share bytes. Bytes of a model hold neighbours, those of the product the codes i and
// i + 8 of a block; the last zero point of a row stands for nothing.

func.func @packed(%x: tensor<1x48xf32>) -> tensor<1x2xf32> {
  %b = nn.constant #nn.dense<"0x00102132435465760112233445566778000000000000000000000000000000000000000000000000a1b2c3d4e5f60718" : tensor<2x3x8x1xui8>>
  %p = nn.constant #nn.dense<[1, 16] : tensor<2xui8>>
  %m = nn.constant #nn.dense<15 : tensor<ui8>>
  %d = nn.div %b, %p : (tensor<2x3x8x1xui8>, tensor<2xui8>) -> tensor<2x3x8x2xui8>
  %a = nn.and %d, %m : (tensor<2x3x8x2xui8>, tensor<ui8>) -> tensor<2x3x8x2xui8>
  %w = nn.reshape %a : (tensor<2x3x8x2xui8>) -> tensor<2x3x16xui8>
  %s = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<2x3x1xf32>>
  %zb = nn.constant #nn.dense<[18, 3, 69, 6] : tensor<2x2x1xui8>>
  %zd = nn.div %zb, %p : (tensor<2x2x1xui8>, tensor<2xui8>) -> tensor<2x2x2xui8>
  %za = nn.and %zd, %m : (tensor<2x2x2xui8>, tensor<ui8>) -> tensor<2x2x2xui8>
  %zf = nn.reshape %za : (tensor<2x2x2xui8>) -> tensor<2x4xui8>
  %zc = nn.slice %zf {starts = array<i64: 0, 0>, sizes = array<i64: 2, 3>, steps = array<i64: 1, 1>} : (tensor<2x4xui8>) -> tensor<2x3xui8>
  %z = nn.reshape %zc : (tensor<2x3xui8>) -> tensor<2x3x1xui8>
  %n = nn.dequantize %w, %s, %z : (tensor<2x3x16xui8>, tensor<2x3x1xf32>, tensor<2x3x1xui8>) -> tensor<2x3x16xf32>
  %f = nn.reshape %n : (tensor<2x3x16xf32>) -> tensor<2x48xf32>
  %y = nn.matmul %x, %f {transpose_rhs = true} : (tensor<1x48xf32>, tensor<2x48xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// A mask of fewer bits leaves other numbers.

func.func @other_mask(%x: tensor<1x16xf32>) -> tensor<1x2xf32> {
  %b = nn.constant #nn.dense<18 : tensor<2x1x8x1xui8>>
  %p = nn.constant #nn.dense<[1, 16] : tensor<2xui8>>
  %m = nn.constant #nn.dense<7 : tensor<ui8>>
  %d = nn.div %b, %p : (tensor<2x1x8x1xui8>, tensor<2xui8>) -> tensor<2x1x8x2xui8>
  %a = nn.and %d, %m : (tensor<2x1x8x2xui8>, tensor<ui8>) -> tensor<2x1x8x2xui8>
  %w = nn.reshape %a : (tensor<2x1x8x2xui8>) -> tensor<2x1x16xui8>
  %s = nn.constant #nn.dense<1.5 : tensor<2x1x1xf32>>
  %z = nn.constant #nn.dense<8 : tensor<2x1x1xui8>>
  %n = nn.dequantize %w, %s, %z : (tensor<2x1x16xui8>, tensor<2x1x1xf32>, tensor<2x1x1xui8>) -> tensor<2x1x16xf32>
  %f = nn.reshape %n : (tensor<2x1x16xf32>) -> tensor<2x16xf32>
  %y = nn.matmul %x, %f {transpose_rhs = true} : (tensor<1x16xf32>, tensor<2x16xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// CHECK:      func.func @packed(%x: tensor<1x48xf32>) -> tensor<1x2xf32> {
// CHECK:        %1 = nn.constant #nn.dense<"0x3000400040005100510062006200730051004000620051007300620084007300005100ea006200fb0073000c0084001d" : tensor<3x8x2xui8>>
// CHECK-NEXT:   %2 = nn.constant #nn.dense<[1.0, 4.0, 2.0, 5.0, 3.0, 6.0] : tensor<3x2xf32>>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<[2, 5, 1, 4, 3, 6] : tensor<3x2xui8>>
// CHECK-NEXT:   %y = nn.scaled_matmul %0, %1, %2, %3 {block = 16 : i64} : (tensor<1x48xf32>, tensor<3x8x2xui8>, tensor<3x2xf32>, tensor<3x2xui8>) -> tensor<1x2xf32>

// CHECK:      func.func @other_mask
// CHECK:        nn.matmul
