# SPDX-License-Identifier: Apache-2.0
#
# Compiles several sources of a target as one unit. What the sources share (above all LibTorch's templates) is then
# instantiated and compiled once per unit instead of once per source, which would take most of the time of a clean
# build.
#
#   headroom_compile_in_units(core-models)
#
# HEADROOM_UNITS=OFF (preset dev) compiles each source by itself, which is quicker while working on one file and shows
# if a source lacks an include. Names in anonymous namespaces must differ within a target. Of the targets of one folder
# that share a source, either all are compiled in units or none.
#
# CMake's own UNITY_BUILD names sources by absolute paths, so that ccache would not find in one checkout what was
# compiled in another. Our units include sources by their paths from the root of the repository.

option(HEADROOM_UNITS "Compile the sources of a target in units of several" ON)
set(HEADROOM_UNIT_SOURCES 20 CACHE STRING "Sources of a unit, at most")

function(headroom_compile_in_units target)
  if(NOT HEADROOM_UNITS)
    return()
  endif()
  get_target_property(given ${target} SOURCES)
  set(sources ${given})
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(LENGTH sources count)
  if(count LESS 2)
    return()
  endif()
  # Units are as even as possible: 21 sources make units of 11 and 10, not of 20 and 1.
  math(EXPR units "(${count} + ${HEADROOM_UNIT_SOURCES} - 1) / ${HEADROOM_UNIT_SOURCES}")
  foreach(unit RANGE 1 ${units})
    math(EXPR first "(${unit} - 1) * ${count} / ${units}")
    math(EXPR length "${unit} * ${count} / ${units} - ${first}")
    list(SUBLIST sources ${first} ${length} members)
    headroom_add_unit(${target} ${unit} ${members})
  endforeach()
  set_source_files_properties(${sources} PROPERTIES HEADER_FILE_ONLY ON)
  # A class in a source may have members of a type from its anonymous namespace; GCC warns about that in included files,
  # and in a unit each source is one. Headers are checked where sources are compiled by themselves.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

function(headroom_add_unit target number)
  set(includes "")
  foreach(source IN LISTS ARGN)
    file(REAL_PATH "${source}" path)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} "${path}")
    string(APPEND includes "#include \"${path}\"\n")
  endforeach()
  set(unit ${PROJECT_BINARY_DIR}/units/${target}-${number}.cpp)
  file(CONFIGURE OUTPUT ${unit} CONTENT "${includes}" @ONLY)
  target_sources(${target} PRIVATE ${unit})
endfunction()
