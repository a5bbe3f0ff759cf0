// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Binary and ternary ops broadcast their operands together.

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %m: tensor<2x1xi1>, %k: tensor<1x3xi1>, %s: tensor<f32>) {
  %add = nn.add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %sub = nn.sub %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %mul = nn.mul %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %div = nn.div %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %pow = nn.pow %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %gate = nn.gate %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %fmod = nn.fmod %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %max = nn.max %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %min = nn.min %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %equal = nn.equal %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %less = nn.less %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %less_equal = nn.less_equal %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %and = nn.and %m, %k : (tensor<2x1xi1>, tensor<1x3xi1>) -> tensor<2x3xi1>
  %or = nn.or %m, %k : (tensor<2x1xi1>, tensor<1x3xi1>) -> tensor<2x3xi1>
  %xor = nn.xor %m, %k : (tensor<2x1xi1>, tensor<1x3xi1>) -> tensor<2x3xi1>
  %where = nn.where %m, %y, %s : (tensor<2x1xi1>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %scalar = nn.add %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %same = nn.equal %m, %k : (tensor<2x1xi1>, tensor<1x3xi1>) -> tensor<2x3xi1>
  %bits = nn.bitcast %x : (tensor<2x3xf32>) -> tensor<2x3xui32>
  %common = nn.and %bits, %bits : (tensor<2x3xui32>, tensor<2x3xui32>) -> tensor<2x3xui32>
  func.return
}

// CHECK:      func.func @f(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %m: tensor<2x1xi1>, %k: tensor<1x3xi1>, %s: tensor<f32>) {
// CHECK-NEXT:   %add = nn.add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %sub = nn.sub %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %mul = nn.mul %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %div = nn.div %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %pow = nn.pow %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %gate = nn.gate %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %fmod = nn.fmod %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %max = nn.max %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %min = nn.min %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %equal = nn.equal %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT:   %less = nn.less %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT:   %less_equal = nn.less_equal %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT:   %and = nn.and %m, %k : (tensor<2x1xi1>, tensor<1x3xi1>) -> tensor<2x3xi1>
// CHECK-NEXT:   %or = nn.or %m, %k : (tensor<2x1xi1>, tensor<1x3xi1>) -> tensor<2x3xi1>
// CHECK-NEXT:   %xor = nn.xor %m, %k : (tensor<2x1xi1>, tensor<1x3xi1>) -> tensor<2x3xi1>
// CHECK-NEXT:   %where = nn.where %m, %y, %s : (tensor<2x1xi1>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %scalar = nn.add %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT:   %same = nn.equal %m, %k : (tensor<2x1xi1>, tensor<1x3xi1>) -> tensor<2x3xi1>
// CHECK-NEXT:   %bits = nn.bitcast %x : (tensor<2x3xf32>) -> tensor<2x3xui32>
// CHECK-NEXT:   %common = nn.and %bits, %bits : (tensor<2x3xui32>, tensor<2x3xui32>) -> tensor<2x3xui32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
