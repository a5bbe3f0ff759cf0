// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Pointwise ops with properties; an absent bound of a clip is not printed.

func.func @f(%x: tensor<2x3xf32>, %i: tensor<4xi32>) {
  %clip = nn.clip %x {min = 0.0 : f64, max = 6.0 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %below = nn.clip %x {max = 6.0 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %above = nn.clip %i {min = -1.0 : f64} : (tensor<4xi32>) -> tensor<4xi32>
  %open = nn.clip %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %leaky = nn.leaky_relu %x {alpha = 0.01 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %elu = nn.elu %x {alpha = 1.0 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %hard = nn.hard_sigmoid %x {alpha = 0.2 : f64, beta = 0.5 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %cast = nn.cast %x : (tensor<2x3xf32>) -> tensor<2x3xi8>
  %truth = nn.cast %x : (tensor<2x3xf32>) -> tensor<2x3xi1>
  func.return
}

// CHECK:      func.func @f(%x: tensor<2x3xf32>, %i: tensor<4xi32>) {
// CHECK-NEXT:   %clip = nn.clip %x {min = 0.000000e+00 : f64, max = 6.000000e+00 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %below = nn.clip %x {max = 6.000000e+00 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %above = nn.clip %i {min = -1.000000e+00 : f64} : (tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT:   %open = nn.clip %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %leaky = nn.leaky_relu %x {alpha = 1.000000e-02 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %elu = nn.elu %x {alpha = 1.000000e+00 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %hard = nn.hard_sigmoid %x {alpha = 2.000000e-01 : f64, beta = 5.000000e-01 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %cast = nn.cast %x : (tensor<2x3xf32>) -> tensor<2x3xi8>
// CHECK-NEXT:   %truth = nn.cast %x : (tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
