// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: %n = nn.extent %x {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<i64>
func.func @f(%x: tensor<2x3xf32>) -> tensor<i64> {
  %n = nn.extent %x {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<i64>
  func.return %n : tensor<i64>
}

// -----

// CHECK: %y = nn.ended %x, %by : (tensor<2x3xf32, #nn.extents<[d0 + 1, 3], "n", 0 to 1>>, tensor<1xf32, #nn.extents<[d0], "n", 0 to 1>>) -> tensor<2x3xf32, #nn.extents<[d0 + 1, 3], "n", 0 to 1>>
func.func @f(%x: tensor<2x3xf32, #nn.extents<[d0 + 1, 3], "n", 0 to 1>>, %by: tensor<1xf32, #nn.extents<[d0], "n", 0 to 1>>) {
  %y = nn.ended %x, %by : (tensor<2x3xf32, #nn.extents<[d0 + 1, 3], "n", 0 to 1>>, tensor<1xf32, #nn.extents<[d0], "n", 0 to 1>>) -> tensor<2x3xf32, #nn.extents<[d0 + 1, 3], "n", 0 to 1>>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32, #nn.extents<[d0 + 1, 3], "n", 0 to 1>>, %by: tensor<1xf32, #nn.extents<[d0], "n", 0 to 1>>) {
  // expected-error@+1 {{expected result type tensor<2x3xf32, #nn.extents<[d0 + 1, 3], "n", 0 to 1>>, found tensor<2x3xf32> [op_c2]}}
  %y = nn.ended %x, %by : (tensor<2x3xf32, #nn.extents<[d0 + 1, 3], "n", 0 to 1>>, tensor<1xf32, #nn.extents<[d0], "n", 0 to 1>>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{[property_c4]}}
  %n = nn.extent %x {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<i64>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected result type tensor<i64>, found tensor<i32> [op_c2]}}
  %n = nn.extent %x {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<i32>
  func.return
}

// -----

// CHECK: %n = nn.derived : tensor<3xui8, #nn.extents<[d1], "n", 1 to 3 derived ("ef682d6b51897ea7")>>
// CHECK: %y = nn.abs %x : (tensor<6x4xf32, #nn.extents<[2 * d1, d1 + 1], "n", 1 to 3 derived ("ef682d6b51897ea7")>>)
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 3 derived ([3] = [3, 1, 2])>} {
  func.func @f(%x: tensor<6x4xf32, #nn.extents<[2 * d1, d1 + 1], "n", 1 to 3 derived ("ef682d6b51897ea7")>>) {
    %n = nn.derived : tensor<3xui8, #nn.extents<[d1], "n", 1 to 3 derived ("ef682d6b51897ea7")>>
    %y = nn.abs %x : (tensor<6x4xf32, #nn.extents<[2 * d1, d1 + 1], "n", 1 to 3 derived ("ef682d6b51897ea7")>>) -> tensor<6x4xf32, #nn.extents<[2 * d1, d1 + 1], "n", 1 to 3 derived ("ef682d6b51897ea7")>>
    func.return
  }
}

// -----

builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 3 derived ([3] = [3, 1, 2])>} {
  func.func @f() {
    // expected-error@+1 {{tensor<3xui8, #nn.extents<[d0], "n", 1 to 3 derived ("ef682d6b51897ea7")>> has other axes than a derived number [derived_c1]}}
    %n = nn.derived : tensor<3xui8, #nn.extents<[d0], "n", 1 to 3 derived ("ef682d6b51897ea7")>>
    func.return
  }
}
