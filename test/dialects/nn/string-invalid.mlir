// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// A cell has room for the zero at the end of a string.

// expected-error@+1 {{a cell of a string has 1 byte at least, found 0 [string_c1]}}
func.func private @f() attributes {nn.value = tensor<2x!nn.string<0>>}
