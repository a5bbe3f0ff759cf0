builtin.module attributes {nn.weights = "w.safetensors"} {
  driver.program @net inputs [] outputs [] {
    %a = driver.weight #nn.weight<"one" : tensor<32xf32>> : memref<32xf32>
    %b = driver.weight #nn.weight<"same" : tensor<4x8xf32>> : memref<4x8xf32>
    %c = driver.weight #nn.weight<"other" : tensor<32xf32>> : memref<32xf32>
    %d = driver.weight #nn.dense<0.0 : tensor<4xf32>> : memref<4xf32>
  }
}
