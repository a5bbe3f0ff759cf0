// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --clamp-codes | diff %t -

// With a scale below 0 the codes of positive numbers are the small ones; other ops are no bounds.

func.func @negative_scale(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xf32> {
  %s = nn.constant #nn.dense<-0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %y = nn.relu %n : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  func.return %y : tensor<1x2x4x4xf32>
}

func.func @abs(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %y = nn.abs %n : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  func.return %y : tensor<1x2x4x4xf32>
}
