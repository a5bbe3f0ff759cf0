// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Small constants in decimal, splats as one element, the rest in hexadecimal.

%scalar = nn.constant #nn.dense<0.1 : tensor<f32>>
%list = nn.constant #nn.dense<[1.0, -0.0, 1.0e-45, 3.4028235e+38] : tensor<4xf32>>
%matrix = nn.constant #nn.dense<[1, -2, 3, -4] : tensor<2x2xi64>>
%splat = nn.constant #nn.dense<0.5 : tensor<64x64xf32>>
%one = nn.constant #nn.dense<[7] : tensor<1xui64>>
%empty = nn.constant #nn.dense<[] : tensor<0x3xf32>>
%half = nn.constant #nn.dense<[0.1, 65504.0] : tensor<2xf16>>
%double = nn.constant #nn.dense<0.1 : tensor<f64>>
%truth = nn.constant #nn.dense<[1, 0] : tensor<2xi1>>
%nan = nn.constant #nn.dense<"0x0000c07f" : tensor<f32>>
%infinite = nn.constant #nn.dense<"0x0000807f000080ff" : tensor<2xf32>>
%brain = nn.constant #nn.dense<"0x803f" : tensor<8xbf16>>
%bytes = nn.constant #nn.dense<"0x000102030405060708090a0b0c0d0e0f10" : tensor<17xi8>>
%weight = nn.constant #nn.weight<"5d41402abc4b2a76b9719d911017c592" : tensor<8x8xf32>> {nn.note = "discardable"}

// CHECK:      %scalar = nn.constant #nn.dense<0.1 : tensor<f32>>
// CHECK-NEXT: %list = nn.constant #nn.dense<[1.0, -0.0, 1.0e-45, 3.4028235e+38] : tensor<4xf32>>
// CHECK-NEXT: %matrix = nn.constant #nn.dense<[1, -2, 3, -4] : tensor<2x2xi64>>
// CHECK-NEXT: %splat = nn.constant #nn.dense<0.5 : tensor<64x64xf32>>
// CHECK-NEXT: %one = nn.constant #nn.dense<[7] : tensor<1xui64>>
// CHECK-NEXT: %empty = nn.constant #nn.dense<[] : tensor<0x3xf32>>
// CHECK-NEXT: %half = nn.constant #nn.dense<[0.1, 65504.0] : tensor<2xf16>>
// CHECK-NEXT: %double = nn.constant #nn.dense<0.1 : tensor<f64>>
// CHECK-NEXT: %truth = nn.constant #nn.dense<[1, 0] : tensor<2xi1>>
// CHECK-NEXT: %nan = nn.constant #nn.dense<"0x0000c07f" : tensor<f32>>
// CHECK-NEXT: %infinite = nn.constant #nn.dense<"0x0000807f000080ff" : tensor<2xf32>>
// CHECK-NEXT: %brain = nn.constant #nn.dense<"0x803f" : tensor<8xbf16>>
// CHECK-NEXT: %bytes = nn.constant #nn.dense<"0x000102030405060708090a0b0c0d0e0f10" : tensor<17xi8>>
// CHECK-NEXT: %weight = nn.constant #nn.weight<"5d41402abc4b2a76b9719d911017c592" : tensor<8x8xf32>> {nn.note = "discardable"}
