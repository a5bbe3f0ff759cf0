// RUN: not autodeploy-opt %s 2>&1 | filecheck %s

// A string that is not closed is an error, not a wait; "one in a comment is none.

// CHECK: open-string.mlir:8:23: error: a string begins here that does not end on this line, or has an unknown escape

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "nn.relu"(%x) {"a_name_long_enough_to_keep_a_search_busy_for_ever = 1} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
