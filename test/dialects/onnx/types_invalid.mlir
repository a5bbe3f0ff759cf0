// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Types around what is no type, and maps with keys that ONNX lacks.

// expected-error@+1 {{onnx.sequence takes a type, found 1 : i64 [container_c1]}}
func.func private @f(!onnx.sequence<1 : i64>) -> ()

// -----

// expected-error@+1 {{onnx.optional takes a type, found "a" [container_c1]}}
func.func private @f(!onnx.optional<"a">) -> ()

// -----

// expected-error@+1 {{onnx.sparse takes a type, found unit [container_c1]}}
func.func private @f(!onnx.sparse<unit>) -> ()

// -----

// expected-error@+1 {{onnx.map takes integer or string keys, found f32 [map_c1]}}
func.func private @f(!onnx.map<f32, tensor<f32>>) -> ()

// -----

// expected-error@+1 {{onnx.map takes a type of values, found "a" [map_c2]}}
func.func private @f(!onnx.map<i64, "a">) -> ()
