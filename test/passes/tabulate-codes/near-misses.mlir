// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --tabulate-codes | diff %t -

// A maximum and a division are cheaper than a table.

func.func @fast(%q: tensor<4xui8>) -> tensor<4xui8> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<128 : tensor<ui8>>
  %x = nn.dequantize %q, %s, %z : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  %p = nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %d = nn.div %p, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %r = nn.quantize %d, %s, %z : (tensor<4xf32>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  func.return %r : tensor<4xui8>
}

// The result follows from two tensors of codes.

func.func @two(%q: tensor<4xui8>, %other: tensor<4xui8>) -> tensor<4xui8> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<128 : tensor<ui8>>
  %x = nn.dequantize %q, %s, %z : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  %y = nn.dequantize %other, %s, %z : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  %g = nn.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  %a = nn.add %g, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %r = nn.quantize %a, %s, %z : (tensor<4xf32>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  func.return %r : tensor<4xui8>
}

// Each channel has its scale.

func.func @channels(%q: tensor<2x4xui8>) -> tensor<2x4xui8> {
  %s = nn.constant #nn.dense<[0.5, 0.25] : tensor<2x1xf32>>
  %t = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<128 : tensor<ui8>>
  %x = nn.dequantize %q, %s, %z : (tensor<2x4xui8>, tensor<2x1xf32>, tensor<ui8>) -> tensor<2x4xf32>
  %g = nn.tanh %x : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %r = nn.quantize %g, %t, %z : (tensor<2x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x4xui8>
  func.return %r : tensor<2x4xui8>
}

// Codes of 16 bits would need a table of 65,536.

func.func @wide(%q: tensor<4xui16>) -> tensor<4xui8> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %w = nn.constant #nn.dense<128 : tensor<ui16>>
  %z = nn.constant #nn.dense<128 : tensor<ui8>>
  %x = nn.dequantize %q, %s, %w : (tensor<4xui16>, tensor<f32>, tensor<ui16>) -> tensor<4xf32>
  %g = nn.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  %r = nn.quantize %g, %s, %z : (tensor<4xf32>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  func.return %r : tensor<4xui8>
}

// The result is numbers, not codes.

func.func @numbers(%q: tensor<4xui8>) -> tensor<4xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<128 : tensor<ui8>>
  %x = nn.dequantize %q, %s, %z : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  %g = nn.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  func.return %g : tensor<4xf32>
}

// A constant of one element gives the result more axes than the codes have.

func.func @rank(%q: tensor<4xui8>) -> tensor<1x4xui8> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %o = nn.constant #nn.dense<1.0 : tensor<1x1xf32>>
  %z = nn.constant #nn.dense<128 : tensor<ui8>>
  %x = nn.dequantize %q, %s, %z : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  %g = nn.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  %a = nn.add %g, %o : (tensor<4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
  %r = nn.quantize %a, %s, %z : (tensor<1x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x4xui8>
  func.return %r : tensor<1x4xui8>
}
