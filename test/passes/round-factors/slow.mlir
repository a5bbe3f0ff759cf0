// RUN: not autodeploy-opt %s --set-machine="machine=x86-64-avx2" --round-factors 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not autodeploy-opt %s --set-machine="machine=x86-64-sapphirerapids:amx_rate=1" --round-factors 2>&1 | filecheck %s --check-prefix=SLOW
// RUN: autodeploy-opt %s --set-machine="machine=x86-64-sapphirerapids:amx_rate=1:bfloat16_rate=1.5" --round-factors | filecheck %s
// RUN: autodeploy-opt %s --set-machine="machine=x86-64-sapphirerapids" --round-factors | filecheck %s

// Products of bfloat16 are refused where they are not faster.
func.func @empty() {
  func.return
}

// NONE:  machine 'x86-64-avx2' has no instruction for products of bfloat16; --precision weights=bf16 stores weights as bfloat16
// SLOW:  products of bfloat16 take 2 times as long as those of 32-bit floats on machine 'x86-64-sapphirerapids'
// CHECK: func.func @empty
