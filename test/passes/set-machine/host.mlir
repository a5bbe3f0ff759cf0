// RUN: autodeploy-opt %s --set-machine=machine=host:cores=3:l1=40K:l2=300K:l3=3M | filecheck %s

// The machine at hand is written down so that the text means the same on any other one.

builtin.module {
}

// CHECK: #machine.description<"host", target = "{{.*}}-{{.*}}", cores = 3, l1 = 40K, l2 = 300K, l3 = 3M>
