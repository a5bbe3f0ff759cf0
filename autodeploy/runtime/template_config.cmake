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
  set(folder lib)
  if(WIN32 AND kind STREQUAL "SHARED")
    set(folder bin)
  endif()
  set(file "${@model@_PREFIX}/${folder}/${CMAKE_${kind}_LIBRARY_PREFIX}@model@${CMAKE_${kind}_LIBRARY_SUFFIX}")
  if(EXISTS "${file}" AND NOT TARGET ${library})
    add_library(${library} ${kind} IMPORTED)
    set_target_properties(${library} PROPERTIES
      IMPORTED_LOCATION "${file}"
      IMPORTED_LINK_INTERFACE_LANGUAGES @language@
      INTERFACE_INCLUDE_DIRECTORIES "${@model@_PREFIX}/include")
    if(WIN32 AND kind STREQUAL "SHARED")
      # What programs link with; it has not the name of the static library.
      set_property(TARGET ${library} PROPERTY IMPORTED_IMPLIB
        "${@model@_PREFIX}/lib/${CMAKE_IMPORT_LIBRARY_PREFIX}@model@_shared${CMAKE_IMPORT_LIBRARY_SUFFIX}")
    endif()
    if(UNIX)
      set_property(TARGET ${library} APPEND PROPERTY INTERFACE_LINK_LIBRARIES m)
    endif()
@if device@
    set_property(TARGET ${library} APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${CMAKE_DL_LIBS})
@end@
@if pool@
    set_property(TARGET ${library} APPEND PROPERTY INTERFACE_LINK_LIBRARIES Threads::Threads)
@end@
  endif()
endforeach()
