// RUN: autodeploy-opt %s --fuse-relu-minimum | filecheck %s

// The number may stand on either side; a splat is a number.

func.func @six(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = nn.constant #nn.dense<6.0 : tensor<f32>>
  %r = nn.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %m = nn.min %r, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  func.return %m : tensor<8xf32>
}

func.func @splat_left(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = nn.constant #nn.dense<0.5 : tensor<8xf32>>
  %r = nn.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %m = nn.min %c, %r : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %m : tensor<8xf32>
}

func.func @integers(%x: tensor<8xi8>) -> tensor<8xi8> {
  %c = nn.constant #nn.dense<[100] : tensor<1xi8>>
  %r = nn.relu %x : (tensor<8xi8>) -> tensor<8xi8>
  %m = nn.min %r, %c : (tensor<8xi8>, tensor<1xi8>) -> tensor<8xi8>
  func.return %m : tensor<8xi8>
}

// CHECK:      func.func @six(%x: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %m = nn.clip %x {min = 0.000000e+00 : f64, max = 6.000000e+00 : f64} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %m : tensor<8xf32>
// CHECK-NEXT: }

// CHECK:      func.func @splat_left(%x: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %m = nn.clip %x {min = 0.000000e+00 : f64, max = 5.000000e-01 : f64} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %m : tensor<8xf32>
// CHECK-NEXT: }

// CHECK:      func.func @integers(%x: tensor<8xi8>) -> tensor<8xi8> {
// CHECK-NEXT:   %m = nn.clip %x {min = 0.000000e+00 : f64, max = 1.000000e+02 : f64} : (tensor<8xi8>) -> tensor<8xi8>
// CHECK-NEXT:   func.return %m : tensor<8xi8>
// CHECK-NEXT: }
