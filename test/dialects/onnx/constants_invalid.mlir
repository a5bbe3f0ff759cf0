// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Values that do not fit their types.

// expected-error@+1 {{onnx.raw of type tensor<3xi4> takes 2 bytes, found 3 [raw_c1]}}
"test.op"() {value = #onnx.raw<"0x210304" : tensor<3xi4>>} : () -> ()

// -----

// expected-error@+1 {{onnx.raw of type tensor<complex<f64>> takes 16 bytes, found 8 [raw_c1]}}
"test.op"() {value = #onnx.raw<"0x0000803f00000040" : tensor<complex<f64>>>} : () -> ()

// -----

// expected-error@+1 {{elements of type !onnx.string have no fixed size [raw_c2]}}
"test.op"() {value = #onnx.raw<"0x21" : tensor<1x!onnx.string>>} : () -> ()

// -----

// expected-error@+1 {{expected a static shape, found tensor<?xi4>}}
"test.op"() {value = #onnx.raw<"0x21" : tensor<?xi4>>} : () -> ()

// -----

// expected-error@+1 {{expected a string that starts with 0x}}
"test.op"() {value = #onnx.raw<"2103" : tensor<3xi4>>} : () -> ()

// -----

// expected-error@+1 {{expected an even number of hexadecimal digits after 0x}}
"test.op"() {value = #onnx.raw<"0x210" : tensor<3xi4>>} : () -> ()

// -----

// expected-error@+1 {{onnx.strings of type tensor<3x!onnx.string> takes 3 strings, found 1 [strings_c1]}}
"test.op"() {value = #onnx.strings<["a"] : tensor<3x!onnx.string>>} : () -> ()

// -----

// expected-error@+1 {{expected a list of strings}}
"test.op"() {value = #onnx.strings<[1 : i64] : tensor<1x!onnx.string>>} : () -> ()

// -----

// expected-error@+1 {{f32 should be of base attribute onnx.string}}
"test.op"() {value = #onnx.strings<["a"] : tensor<1xf32>>} : () -> ()
