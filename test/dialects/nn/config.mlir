// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A config names a template; the values of its knobs are integers, names and further configs.

func.func private @bare() attributes {nn.value = #nn.config<plain>}
func.func private @knobs() attributes {nn.value = #nn.config<direct_conv, tile = [32, 13], order = [x, y, c]>}
func.func private @none() attributes {nn.value = #nn.config<gemm, fetch = []>}
func.func private @nested() attributes {nn.value = #nn.config<row_bands, bands = [9, 4, 2], parts = [direct_conv<tile = [16, 6], order = [c, x, y]>, window]>}

// CHECK:      func.func private @bare() -> () attributes {nn.value = #nn.config<plain>}
// CHECK-NEXT: func.func private @knobs() -> () attributes {nn.value = #nn.config<direct_conv, tile = [32, 13], order = [x, y, c]>}
// CHECK-NEXT: func.func private @none() -> () attributes {nn.value = #nn.config<gemm, fetch = []>}
// CHECK-NEXT: func.func private @nested() -> () attributes {nn.value = #nn.config<row_bands, bands = [9, 4, 2], parts = [direct_conv<tile = [16, 6], order = [c, x, y]>, window]>}
