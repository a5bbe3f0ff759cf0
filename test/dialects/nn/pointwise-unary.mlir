// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Unary ops keep the type of their operand.

func.func @f(%x: tensor<2x3xf32>, %i: tensor<4xui8>, %m: tensor<4xi1>) {
  %abs = nn.abs %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %neg = nn.neg %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %sign = nn.sign %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %relu = nn.relu %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %exp = nn.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %log = nn.log %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %sqrt = nn.sqrt %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %reciprocal = nn.reciprocal %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %sin = nn.sin %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %cos = nn.cos %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %tanh = nn.tanh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %sigmoid = nn.sigmoid %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %erf = nn.erf %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %swish = nn.swish %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %gelu = nn.gelu %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %softplus = nn.softplus %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %mish = nn.mish %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %floor = nn.floor %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %ceil = nn.ceil %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %round = nn.round %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %abs_i = nn.abs %i : (tensor<4xui8>) -> tensor<4xui8>
  %not = nn.not %m : (tensor<4xi1>) -> tensor<4xi1>
  func.return
}

// CHECK:      func.func @f(%x: tensor<2x3xf32>, %i: tensor<4xui8>, %m: tensor<4xi1>) {
// CHECK-NEXT:   %abs = nn.abs %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %neg = nn.neg %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %sign = nn.sign %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %relu = nn.relu %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %exp = nn.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %log = nn.log %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %sqrt = nn.sqrt %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %reciprocal = nn.reciprocal %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %sin = nn.sin %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %cos = nn.cos %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %tanh = nn.tanh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %sigmoid = nn.sigmoid %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %erf = nn.erf %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %swish = nn.swish %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %gelu = nn.gelu %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %softplus = nn.softplus %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %mish = nn.mish %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %floor = nn.floor %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %ceil = nn.ceil %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %round = nn.round %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %abs_i = nn.abs %i : (tensor<4xui8>) -> tensor<4xui8>
// CHECK-NEXT:   %not = nn.not %m : (tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
