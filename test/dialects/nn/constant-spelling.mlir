// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Values that are written otherwise than they print.

%integer = nn.constant #nn.dense<[1, 2] : tensor<2xf32>>
%list = nn.constant #nn.dense<[2.5] : tensor<1xf32>>
%scalar = nn.constant #nn.dense<[2.5] : tensor<f32>>
%hex = nn.constant #nn.dense<"0x0000803F" : tensor<2x2xf32>>
%digits = nn.constant #nn.dense<0.1000000000000000055511 : tensor<f64>>
%rounded = nn.constant #nn.dense<0.1 : tensor<f16>>

// CHECK:      %integer = nn.constant #nn.dense<[1.0, 2.0] : tensor<2xf32>>
// CHECK-NEXT: %list = nn.constant #nn.dense<[2.5] : tensor<1xf32>>
// CHECK-NEXT: %scalar = nn.constant #nn.dense<2.5 : tensor<f32>>
// CHECK-NEXT: %hex = nn.constant #nn.dense<1.0 : tensor<2x2xf32>>
// CHECK-NEXT: %digits = nn.constant #nn.dense<0.1 : tensor<f64>>
// CHECK-NEXT: %rounded = nn.constant #nn.dense<0.1 : tensor<f16>>
