// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What is no config.

// expected-error@+1 {{knob tile is set twice}}
func.func private @twice() attributes {nn.value = #nn.config<gemm, tile = [4, 32], tile = [2, 32]>}

// -----

// expected-error@+1 {{identifier expected or an integer as value of a knob}}
func.func private @value() attributes {nn.value = #nn.config<gemm, tile = [1, "x"]>}
