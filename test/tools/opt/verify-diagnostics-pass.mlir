// RUN: autodeploy-opt %s --split-input-file --convert-linalg-to-loops --verify-diagnostics
// RUN: not autodeploy-opt %s --split-input-file --convert-linalg-to-loops 2>&1 >/dev/null | filecheck %s

// A pass that fails on an operation of the text is reported at its line.

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'linalg.generic' op lowering for linalg.generic with tensor results}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// CHECK: verify-diagnostics-pass.mlir:8:3: error: 'linalg.generic' op lowering for linalg
// CHECK-SAME: (in pass 'convert-linalg-to-loops')
