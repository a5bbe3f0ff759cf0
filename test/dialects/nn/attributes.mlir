// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Every value of every enumeration, as a discardable attribute.

func.func private @layout_channels_first() attributes {nn.value = #nn<layout channels_first>}
func.func private @layout_channels_last() attributes {nn.value = #nn<layout channels_last>}
func.func private @reduction_sum() attributes {nn.value = #nn<reduction sum>}
func.func private @reduction_mean() attributes {nn.value = #nn<reduction mean>}
func.func private @reduction_max() attributes {nn.value = #nn<reduction max>}
func.func private @reduction_min() attributes {nn.value = #nn<reduction min>}
func.func private @reduction_prod() attributes {nn.value = #nn<reduction prod>}

// CHECK:      func.func private @layout_channels_first() -> () attributes {nn.value = #nn<layout channels_first>}
// CHECK-NEXT: func.func private @layout_channels_last() -> () attributes {nn.value = #nn<layout channels_last>}
// CHECK-NEXT: func.func private @reduction_sum() -> () attributes {nn.value = #nn<reduction sum>}
// CHECK-NEXT: func.func private @reduction_mean() -> () attributes {nn.value = #nn<reduction mean>}
// CHECK-NEXT: func.func private @reduction_max() -> () attributes {nn.value = #nn<reduction max>}
// CHECK-NEXT: func.func private @reduction_min() -> () attributes {nn.value = #nn<reduction min>}
// CHECK-NEXT: func.func private @reduction_prod() -> () attributes {nn.value = #nn<reduction prod>}
