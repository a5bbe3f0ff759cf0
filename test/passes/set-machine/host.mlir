// RUN: autodeploy-opt %s --set-machine=machine=host:cores=3:l1=32K | filecheck %s

// The machine at hand is written down in full: the text means the same on any other one.

builtin.module {
}

// CHECK: #machine.description<"host", target = "{{.*}}-{{.*}}", cores = 3, l1 = 32K, l2 = {{.*}}, l3 = {{.*}}>
