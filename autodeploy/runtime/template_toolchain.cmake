# The compiler for @platform@: cmake -DCMAKE_TOOLCHAIN_FILE=@model@-toolchain.cmake …
set(CMAKE_SYSTEM_NAME @system_name@)
set(CMAKE_SYSTEM_PROCESSOR @processor@)
@if target@
set(CMAKE_C_COMPILER_TARGET @target@)
set(CMAKE_CXX_COMPILER_TARGET @target@)
@end@
if(NOT CMAKE_C_COMPILER)
  set(CMAKE_C_COMPILER @cc@)
endif()
if(NOT CMAKE_CXX_COMPILER)
  set(CMAKE_CXX_COMPILER @cxx@)
endif()
@if freestanding@
# A test of the compiler has no board to be linked for.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
@end@
