// RUN: autodeploy-opt %s --pack-weights --tie-tables | filecheck %s

// Small tables, other numbers, the negative zero, other element types, columns that are looked up
// and a product with the table itself, by rows, change nothing.

// CHECK-NOT: x_layout

module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {

func.func @f(%i: tensor<3xi64>, %a: tensor<1x64xf32>, %l: tensor<1x512xf32>) -> (tensor<3x64xf32>, tensor<3x64xf32>, tensor<3x64xf32>, tensor<3x64xf16>, tensor<4096x3xf32>, tensor<3x512xf32>, tensor<1x64xf32>, tensor<1x4096xf32>, tensor<1x512xf32>) {
  %t0 = nn.constant #nn.dense<0.0 : tensor<64x64xf32>>
  %t1 = nn.constant #nn.dense<1.5 : tensor<4096x64xf32>>
  %t2 = nn.constant #nn.dense<-0.0 : tensor<4096x64xf32>>
  %t3 = nn.constant #nn.dense<0.0 : tensor<4096x64xf16>>
  %t4 = nn.constant #nn.dense<0.0 : tensor<4096x64xf32>>
  %t5 = nn.constant #nn.dense<0.0 : tensor<512x512xf32>>
  %k0 = nn.kernel(%t0, %i) : (tensor<64x64xf32>, tensor<3xi64>) -> tensor<3x64xf32> {
  ^bb0(%w: tensor<64x64xf32>, %j: tensor<3xi64>):
    %v = nn.gather %w, %j {axis = 0 : i64} : (tensor<64x64xf32>, tensor<3xi64>) -> tensor<3x64xf32>
    nn.yield %v : tensor<3x64xf32>
  }
  %k1 = nn.kernel(%t1, %i) : (tensor<4096x64xf32>, tensor<3xi64>) -> tensor<3x64xf32> {
  ^bb0(%w: tensor<4096x64xf32>, %j: tensor<3xi64>):
    %v = nn.gather %w, %j {axis = 0 : i64} : (tensor<4096x64xf32>, tensor<3xi64>) -> tensor<3x64xf32>
    nn.yield %v : tensor<3x64xf32>
  }
  %k2 = nn.kernel(%t2, %i) : (tensor<4096x64xf32>, tensor<3xi64>) -> tensor<3x64xf32> {
  ^bb0(%w: tensor<4096x64xf32>, %j: tensor<3xi64>):
    %v = nn.gather %w, %j {axis = 0 : i64} : (tensor<4096x64xf32>, tensor<3xi64>) -> tensor<3x64xf32>
    nn.yield %v : tensor<3x64xf32>
  }
  %k3 = nn.kernel(%t3, %i) : (tensor<4096x64xf16>, tensor<3xi64>) -> tensor<3x64xf16> {
  ^bb0(%w: tensor<4096x64xf16>, %j: tensor<3xi64>):
    %v = nn.gather %w, %j {axis = 0 : i64} : (tensor<4096x64xf16>, tensor<3xi64>) -> tensor<3x64xf16>
    nn.yield %v : tensor<3x64xf16>
  }
  %k4 = nn.kernel(%t4, %i) : (tensor<4096x64xf32>, tensor<3xi64>) -> tensor<4096x3xf32> {
  ^bb0(%w: tensor<4096x64xf32>, %j: tensor<3xi64>):
    %v = nn.gather %w, %j {axis = 1 : i64} : (tensor<4096x64xf32>, tensor<3xi64>) -> tensor<4096x3xf32>
    nn.yield %v : tensor<4096x3xf32>
  }
  %k5 = nn.kernel(%t5, %i) : (tensor<512x512xf32>, tensor<3xi64>) -> tensor<3x512xf32> {
  ^bb0(%w: tensor<512x512xf32>, %j: tensor<3xi64>):
    %v = nn.gather %w, %j {axis = 0 : i64} : (tensor<512x512xf32>, tensor<3xi64>) -> tensor<3x512xf32>
    nn.yield %v : tensor<3x512xf32>
  }
  %p0 = nn.kernel(%a, %t0) : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32> {
  ^bb0(%x: tensor<1x64xf32>, %w: tensor<64x64xf32>):
    %v = nn.matmul %x, %w : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
    nn.yield %v : tensor<1x64xf32>
  }
  %m = nn.constant #nn.dense<0.0 : tensor<64x4096xf32>>
  %p1 = nn.kernel(%a, %m) : (tensor<1x64xf32>, tensor<64x4096xf32>) -> tensor<1x4096xf32> {
  ^bb0(%x: tensor<1x64xf32>, %w: tensor<64x4096xf32>):
    %v = nn.matmul %x, %w : (tensor<1x64xf32>, tensor<64x4096xf32>) -> tensor<1x4096xf32>
    nn.yield %v : tensor<1x4096xf32>
  }
  %p2 = nn.kernel(%l, %t5) : (tensor<1x512xf32>, tensor<512x512xf32>) -> tensor<1x512xf32> {
  ^bb0(%x: tensor<1x512xf32>, %w: tensor<512x512xf32>):
    %v = nn.matmul %x, %w {transpose_rhs = true} : (tensor<1x512xf32>, tensor<512x512xf32>) -> tensor<1x512xf32>
    nn.yield %v : tensor<1x512xf32>
  }
  func.return %k0, %k1, %k2, %k3, %k4, %k5, %p0, %p1, %p2 : tensor<3x64xf32>, tensor<3x64xf32>, tensor<3x64xf32>, tensor<3x64xf16>, tensor<4096x3xf32>, tensor<3x512xf32>, tensor<1x64xf32>, tensor<1x4096xf32>, tensor<1x512xf32>
}
}
