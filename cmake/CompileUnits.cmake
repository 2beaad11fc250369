# SPDX-License-Identifier: Apache-2.0
#
# Compiles several sources of a target as one unit. What sources share (LibTorch's templates above all) is then instantiated
# and compiled once a unit instead of once a source, which is most of the time of a build from nothing.
#
#   headroom_compile_in_units(core-models)
#
# Off with HEADROOM_UNITS=OFF (preset dev), where each source is compiled by itself: quicker while one works on a file, and
# it shows where a source lacks an include. Names in anonymous namespaces must differ within a target. Targets of one folder
# that share a source are all compiled in units, or none.
#
# CMake's own UNITY_BUILD names sources by absolute paths, so that ccache would not find in one checkout what was compiled in
# another. Units of ours include as everything here does, from the root of the repository.

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
  # As even as can be: 21 sources are units of 11 and 10, not of 20 and 1.
  math(EXPR units "(${count} + ${HEADROOM_UNIT_SOURCES} - 1) / ${HEADROOM_UNIT_SOURCES}")
  foreach(unit RANGE 1 ${units})
    math(EXPR first "(${unit} - 1) * ${count} / ${units}")
    math(EXPR length "${unit} * ${count} / ${units} - ${first}")
    list(SUBLIST sources ${first} ${length} members)
    headroom_add_unit(${target} ${unit} ${members})
  endforeach()
  set_source_files_properties(${sources} PROPERTIES HEADER_FILE_ONLY ON)
  # A class of a source may have members of a type that only the source knows; to GCC each source of a unit is a header,
  # where that would be an error. Headers are looked at where sources are compiled by themselves.
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
