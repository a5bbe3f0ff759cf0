// RUN: autodeploy-opt %s --widen-floats | filecheck %s

// Inputs, outputs and casts of the model keep their types; constants and all between have 32 bits.
func.func @chain(%x: tensor<2x3xf16>) -> tensor<2x3xf16> {
  %w = nn.constant #nn.dense<0.5 : tensor<3xf16>>
  %p = nn.mul %x, %w : (tensor<2x3xf16>, tensor<3xf16>) -> tensor<2x3xf16>
  %r = nn.add %p, %x : (tensor<2x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  func.return %r : tensor<2x3xf16>
}

// A cast of the model rounds; one to 32 bits is that of the widened value.
func.func @casts(%x: tensor<3xf32>) -> tensor<3xf32> {
  %h = nn.cast %x : (tensor<3xf32>) -> tensor<3xbf16>
  %n = nn.neg %h : (tensor<3xbf16>) -> tensor<3xbf16>
  %y = nn.cast %n : (tensor<3xbf16>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// Bits are those of the model's type.
func.func @bits(%x: tensor<3xf16>) -> tensor<3xi16> {
  %n = nn.neg %x : (tensor<3xf16>) -> tensor<3xf16>
  %y = nn.bitcast %n : (tensor<3xf16>) -> tensor<3xi16>
  func.return %y : tensor<3xi16>
}

// Of a constant table the rows that are looked up are widened.
func.func @rows(%i: tensor<2xi64>) -> tensor<2x3xf16> {
  %t = nn.constant #nn.dense<0.5 : tensor<9x3xf16>>
  %g = nn.gather %t, %i {axis = 0 : i64} : (tensor<9x3xf16>, tensor<2xi64>) -> tensor<2x3xf16>
  %n = nn.neg %g : (tensor<2x3xf16>) -> tensor<2x3xf16>
  func.return %n : tensor<2x3xf16>
}

// CHECK:      nn.stored = "float16"
// CHECK:      func.func @chain(%x: tensor<2x3xf16>) -> tensor<2x3xf16> {
// CHECK-NEXT:   %[[x:.*]] = nn.cast %x : (tensor<2x3xf16>) -> tensor<2x3xf32>
// CHECK-NEXT:   %[[w:.*]] = nn.constant #nn.dense<0.5 : tensor<3xf32>>
// CHECK-NEXT:   %p = nn.mul %[[x]], %[[w]] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %r = nn.add %p, %[[x]] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %[[r:.*]] = nn.cast %r : (tensor<2x3xf32>) -> tensor<2x3xf16>
// CHECK-NEXT:   func.return %[[r]] : tensor<2x3xf16>

// CHECK:      func.func @casts(%x: tensor<3xf32>) -> tensor<3xf32> {
// CHECK-NEXT:   %h = nn.cast %x : (tensor<3xf32>) -> tensor<3xbf16>
// CHECK-NEXT:   %[[h:.*]] = nn.cast %h : (tensor<3xbf16>) -> tensor<3xf32>
// CHECK-NEXT:   %n = nn.neg %[[h]] : (tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT:   %y = nn.cast %n : (tensor<3xf32>) -> tensor<3xf32>

// CHECK:      func.func @bits(%x: tensor<3xf16>) -> tensor<3xi16> {
// CHECK:        %n = nn.neg
// CHECK-NEXT:   %[[n:.*]] = nn.cast %n : (tensor<3xf32>) -> tensor<3xf16>
// CHECK-NEXT:   %y = nn.bitcast %[[n]] : (tensor<3xf16>) -> tensor<3xi16>

// CHECK:      func.func @rows
// CHECK:        %g = nn.gather %t, %i {axis = 0 : i64} : (tensor<9x3xf16>, tensor<2xi64>) -> tensor<2x3xf16>
// CHECK-NEXT:   %[[g:.*]] = nn.cast %g : (tensor<2x3xf16>) -> tensor<2x3xf32>
// CHECK-NEXT:   nn.neg %[[g]]
