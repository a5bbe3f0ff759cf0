// RUN: autodeploy-opt --simplify-nn %s | filecheck %s

// CHECK-LABEL: @relu_twice
// CHECK-NEXT: %0 = nn.relu %x
// CHECK-NEXT: func.return %0
func.func @relu_twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}

// CHECK-LABEL: @overlapping
// CHECK-NEXT: %0 = nn.clip %x {min = -1.{{0+e\+00}} : f64, max = 6.{{0+e\+00}} : f64}
// CHECK-NEXT: func.return %0
func.func @overlapping(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.clip %x {min = -3.0 : f64, max = 6.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.clip %0 {min = -1.0 : f64, max = 8.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}

// Everything at or below 6 becomes 7.
// CHECK-LABEL: @apart
// CHECK-NEXT: %0 = nn.clip %x {min = 7.{{0+e\+00}} : f64, max = 7.{{0+e\+00}} : f64}
func.func @apart(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.clip %x {min = 0.0 : f64, max = 6.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.clip %0 {min = 7.0 : f64, max = 8.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}

// CHECK-LABEL: @relu_then_clip
// CHECK-NEXT: %0 = nn.clip %x {min = 0.{{0+e\+00}} : f64, max = 6.{{0+e\+00}} : f64}
// CHECK-NEXT: func.return %0
func.func @relu_then_clip(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.clip %0 {max = 6.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}

// CHECK-LABEL: @no_bounds
// CHECK-NEXT: func.return %x
func.func @no_bounds(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.clip %x : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// Lower above upper: everything becomes the upper one, which no merged pair of bounds tells.
// CHECK-LABEL: @empty_interval
// CHECK-NEXT: nn.clip
// CHECK-NEXT: nn.clip
func.func @empty_interval(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.clip %x {min = 2.0 : f64, max = 1.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.clip %0 {min = 0.0 : f64, max = 8.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}

// CHECK-LABEL: @other_between
// CHECK-NEXT: nn.relu
// CHECK-NEXT: nn.neg
// CHECK-NEXT: nn.relu
func.func @other_between(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.neg %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = nn.relu %1 : (tensor<4xf32>) -> tensor<4xf32>
  func.return %2 : tensor<4xf32>
}
