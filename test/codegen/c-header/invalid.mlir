// RUN: autodeploy-opt %s -t c-header --verify-diagnostics

// Sizes are part of the interface: without a plan there is none.

// expected-error@below {{driver.program 'p' has no arena size; plan the memory first}}
driver.program @p inputs [] outputs ["y"] {
^bb0(%y: memref<8xf32>):
}
