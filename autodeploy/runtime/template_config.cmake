# find_package(@model@): the network "@title@" as it was installed, wherever it lies now.
#
#   @model@::@model@: the static library
#   @model@::@model@_shared: the shared library, if there is one
@if weight_file@
#   @model@_WEIGHTS: the weight file
@end@
get_filename_component(@model@_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
@if weight_file@
set(@model@_WEIGHTS "${@model@_PREFIX}/share/@model@/@model@.weights")
@end@
@if pool@
include(CMakeFindDependencyMacro)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_dependency(Threads)
@end@

foreach(kind STATIC SHARED)
  set(library @model@::@model@)
  if(kind STREQUAL "SHARED")
    set(library @model@::@model@_shared)
  endif()
  set(file "${@model@_PREFIX}/lib/${CMAKE_${kind}_LIBRARY_PREFIX}@model@${CMAKE_${kind}_LIBRARY_SUFFIX}")
  if(EXISTS "${file}" AND NOT TARGET ${library})
    add_library(${library} ${kind} IMPORTED)
    set_target_properties(${library} PROPERTIES
      IMPORTED_LOCATION "${file}"
      IMPORTED_LINK_INTERFACE_LANGUAGES @language@
      INTERFACE_INCLUDE_DIRECTORIES "${@model@_PREFIX}/include")
    if(UNIX)
      set_property(TARGET ${library} APPEND PROPERTY INTERFACE_LINK_LIBRARIES m)
    endif()
@if pool@
    set_property(TARGET ${library} APPEND PROPERTY INTERFACE_LINK_LIBRARIES Threads::Threads)
@end@
  endif()
endforeach()
