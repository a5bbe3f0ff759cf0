// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What scalar ops ask of their operands' types.

%x = "test.value"() : () -> index
// expected-error@+1 {{no halide value has type index [expression_c1]}}
%0 = halide.add %x, %x : index

// -----

%x = "test.value"() : () -> i32
// expected-error@+1 {{halide.exp takes a float, found i32 [float_c1]}}
%0 = halide.exp %x : i32

// -----

%x = "test.value"() : () -> i8
// expected-error@+1 {{halide.round takes a float, found i8 [float_c1]}}
%0 = halide.round %x : i8

// -----

%x = "test.value"() : () -> i32
// expected-error@+1 {{halide.is_nan takes a float, found i32 [is_nan_c1]}}
%0 = halide.is_nan %x : i32

// -----

%x = "test.value"() : () -> f32
// expected-error@+1 {{halide.and takes booleans, found f32 [logic_c1]}}
%0 = halide.and %x, %x : f32

// -----

%x = "test.value"() : () -> i8
// expected-error@+1 {{halide.or takes booleans, found i8 [logic_c1]}}
%0 = halide.or %x, %x : i8

// -----

%x = "test.value"() : () -> f32
// expected-error@+1 {{halide.bit_xor takes integers, found f32 [bitwise_c1]}}
%0 = halide.bit_xor %x, %x : f32

// -----

%x = "test.value"() : () -> i32
// expected-error@+1 {{halide.not takes a boolean, found i32 [not_c1]}}
%0 = halide.not %x : i32

// -----

%x, %y = "test.value"() : () -> (i32, f32)
// expected-error@+1 {{attribute i32 expected from variable 'T', but got f32}}
%0 = "halide.add"(%x, %y) : (i32, f32) -> i32

// -----

%x = "test.value"() : () -> f32
// expected-error@+1 {{Expected attribute i1 but got f32}}
%0 = "halide.lt"(%x, %x) : (f32, f32) -> f32

// -----

%c, %x, %y = "test.value"() : () -> (i1, f32, f64)
// expected-error@+1 {{attribute f32 expected from variable 'T', but got f64}}
%0 = "halide.select"(%c, %x, %y) : (i1, f32, f64) -> f32

// -----

// expected-error@+1 {{1.000000e+00 : f64 is no i32 [const_c2]}}
%0 = "halide.const"() <{value = 1.0 : f64}> : () -> i32

// -----

// expected-error@+1 {{inf is no ui8}}
%0 = halide.const 1.0e400 : ui8

// -----

// expected-error@+1 {{nan is no i64}}
%0 = halide.const nan : i64

// -----

// expected-error@+1 {{0.5 is no i32}}
%0 = halide.const 0.5 : i32

// -----

// expected-error@+1 {{1 : i64 is no f32 [const_c2]}}
%0 = "halide.const"() <{value = 1 : i64}> : () -> f32

// -----

// expected-error@+1 {{no halide value has type index [const_c1]}}
%0 = "halide.const"() <{value = 1 : i64}> : () -> index

// -----

%x = "test.value"() : () -> f32
// expected-error@+1 {{f32 and i64 do not have as many bits [reinterpret_c1]}}
%0 = halide.reinterpret %x : f32 to i64

// -----

// expected-error@+1 {{the number is too large for f64}}
%0 = halide.const 100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 : f64

// -----

%x = "test.value"() : () -> f32
// expected-error@+1 {{halide.cast makes no i1; compare with 0 [cast_c1]}}
%0 = halide.cast %x : f32 to i1
