// A pipeline as MLIR's tools write and dump it.

// RUN: autodeploy-opt %s --pass-pipeline='builtin.module(dce, plan-memory{reuse=false print-map=true},cse)' --dump-pass-pipeline 2>&1 >/dev/null | filecheck %s
// CHECK: builtin.module(dce,plan-memory{reuse=false print_map=true},cse)

// RUN: autodeploy-opt %s -cse -pass-pipeline 'builtin.module(dce)' -p dce -dump-pass-pipeline 2>&1 >/dev/null | filecheck %s --check-prefix=MIXED
// MIXED: builtin.module(cse,dce,dce)

// What is dumped for a level is read back, with all options of its passes.
// RUN: autodeploy-opt %s -O3 --machine x86-64-avx2 --to=kernels --dump-pass-pipeline 2> %t.level > /dev/null
// RUN: bash -c 'autodeploy-opt %s --pass-pipeline="$(cat %t.level)" --dump-pass-pipeline 2>&1 > /dev/null' | diff - %t.level
// RUN: filecheck %s --check-prefix=LEVEL --input-file %t.level
// LEVEL: set-machine{machine="x86-64-avx2:cores=1"}

// RUN: not autodeploy-opt %s --pass-pipeline='func.func(cse)' 2>&1 | filecheck %s --check-prefix=FUNC
// FUNC: error: malformed pipeline 'func.func(cse)': expected 'builtin.module(…)' with passes in it, which all run on the module
// RUN: not autodeploy-opt %s --pass-pipeline='builtin.module(func.func(cse))' 2>&1 | filecheck %s --check-prefix=NESTED
// NESTED: error: malformed pipeline 'func.func(cse)': expected a pass name
// RUN: not autodeploy-opt %s --pass-pipeline 2>&1 | filecheck %s --check-prefix=NONE
// NONE: error: malformed pipeline ''

func.func @main(%a: tensor<2xf32> {nn.name = "a"}) -> (tensor<2xf32> {nn.name = "b"}) {
  %b = nn.relu %a : (tensor<2xf32>) -> tensor<2xf32>
  func.return %b : tensor<2xf32>
}
