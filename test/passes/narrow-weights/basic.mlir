// RUN: autodeploy-opt %s --narrow-weights="element=float16" | filecheck %s
// RUN: autodeploy-opt %s --narrow-weights="element=int8" | filecheck %s --check-prefix=CODES

// Sums are those of 32-bit floats. Codes have a scale for each column: 4 / 127 and 2 / 127.
func.func @product(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = nn.constant #nn.dense<[4.0, -2.0, 1.0, 0.5] : tensor<2x2xf32>>
  %b = nn.constant #nn.dense<[8.0, 2.0] : tensor<2xf32>>
  %y = nn.kernel(%x, %w, %b) {config = #nn.config<plain>} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32> {
  ^bb0(%p: tensor<2x2xf32>, %q: tensor<2x2xf32>, %c: tensor<2xf32>):
    %m = nn.matmul %p, %q, %c : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
    nn.yield %m : tensor<2x2xf32>
  }
  func.return %y : tensor<2x2xf32>
}

// CHECK:      %[[w:.*]] = nn.constant #nn.dense<[4.0, -2.0, 1.0, 0.5] : tensor<2x2xf16>>
// CHECK:      nn.kernel(%x, %[[w]], %b)
// CHECK:        nn.matmul {{.*}} {accumulator = f32} : (tensor<2x2xf32>, tensor<2x2xf16>, tensor<2xf32>) -> tensor<2x2xf32>

// CODES-DAG:  %[[b:.*]] = nn.constant #nn.dense<[254.0, 127.0] : tensor<1x2xf32>>
// CODES-DAG:  %[[w:.*]] = nn.constant #nn.dense<[127, -127, 32, 32] : tensor<2x2xi8>>
// CODES-DAG:  %[[s:.*]] = nn.constant #nn.dense<[0.031496063, 0.015748031] : tensor<1x2xf32>>
// CODES:      nn.kernel(%x, %[[w]], %[[b]], %[[s]])
// CODES:        %m = nn.matmul {{.*}} {accumulator = f32} : (tensor<2x2xf32>, tensor<2x2xi8>, tensor<1x2xf32>) -> tensor<2x2xf32>
// CODES-NEXT:   %[[y:.*]] = nn.mul %m, {{.*}} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
// CODES-NEXT:   nn.yield %[[y]]
