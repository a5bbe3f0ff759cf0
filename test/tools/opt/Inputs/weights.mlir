builtin.module attributes {nn.weights = "in.safetensors"} {
  func.func @main() -> tensor<32xf32> {
    %0 = nn.constant #nn.weight<"key" : tensor<32xf32>>
    func.return %0 : tensor<32xf32>
  }
}
