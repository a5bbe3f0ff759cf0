// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What constants ask of their value.

// expected-error@+1 {{nn.dense of type tensor<3xf32> takes 12 bytes, or 4 for a splat, found 8 [dense_c2]}}
%0 = nn.constant #nn.dense<[1.0, 2.0] : tensor<3xf32>>

// -----

// expected-error@+1 {{nn.dense of type tensor<bf16> takes 2 bytes, or 2 for a splat, found 3 [dense_c2]}}
%0 = nn.constant #nn.dense<"0x00ff80" : tensor<bf16>>

// -----

// expected-error@+1 {{nn.dense of type tensor<2xi1> takes bytes 0 and 1, found 2 [dense_c3]}}
%0 = nn.constant #nn.dense<"0x0102" : tensor<2xi1>>

// -----

// expected-error@+1 {{nn.dense holds no elements of type i4 [dense_c1]}}
%0 = nn.constant #nn.dense<"0x01" : tensor<i4>>

// -----

// expected-error@+1 {{nn.dense holds no elements of type i4}}
%0 = nn.constant #nn.dense<1 : tensor<i4>>

// -----

// expected-error@+1 {{expected a static shape, found tensor<?xf32> [op_c4]}}
%0 = nn.constant #nn.dense<1.0 : tensor<?xf32>>

// -----

// expected-error@+1 {{expected a tensor type, found f32}}
%0 = nn.constant #nn.dense<1.0 : f32>

// -----

// expected-error@+1 {{expected values of i32, found 1.5}}
%0 = nn.constant #nn.dense<[1, 1.5] : tensor<2xi32>>

// -----

// expected-error@+1 {{expected values of i8, found 128}}
%0 = nn.constant #nn.dense<128 : tensor<i8>>

// -----

// expected-error@+1 {{expected values of ui8, found -1}}
%0 = nn.constant #nn.dense<-1 : tensor<ui8>>

// -----

// expected-error@+1 {{expected values of i1, found 2}}
%0 = nn.constant #nn.dense<2 : tensor<i1>>

// -----

// expected-error@+1 {{expected values of f16, found 65520.0}}
%0 = nn.constant #nn.dense<65520.0 : tensor<f16>>

// -----

// expected-error@+1 {{values of bf16 are written in hexadecimal}}
%0 = nn.constant #nn.dense<1.0 : tensor<bf16>>

// -----

// expected-error@+1 {{expected a string that starts with 0x}}
%0 = nn.constant #nn.dense<"00" : tensor<i8>>

// -----

// expected-error@+1 {{expected an even number of hexadecimal digits after 0x}}
%0 = nn.constant #nn.dense<"0x0" : tensor<i8>>

// -----

// expected-error@+1 {{nn.weight holds no elements of type i4 [weight_c1]}}
%0 = nn.constant #nn.weight<"k" : tensor<2xi4>>

// -----

// expected-error@+1 {{expected a static shape, found tensor<?xf32> [op_c4]}}
%0 = nn.constant #nn.weight<"k" : tensor<?xf32>>

// -----

// expected-error@+1 {{i32 should be of base attribute tensor}}
%0 = nn.constant #nn.weight<"k" : i32>

// -----

// expected-error@+1 {{Unexpected attribute 1 : i64}}
%0 = nn.constant 1
