# SPDX-License-Identifier: Apache-2.0
#
# Precompiled headers that several targets share. Such a header is valid only with the compile options that it was made
# with, so its users take their options only from headroom::compile_options; further definitions are fine.
#
#   headroom_precompiled_header(qt-header ui/jobs/Qt.h headroom::qt)    # compiles it once
#   headroom_use_precompiled_header(ui-plot qt-header headroom::qt)     # links the library and uses the header

function(headroom_precompiled_header name header library)
  set(source ${PROJECT_BINARY_DIR}/${name}/Header.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// A target needs a source to make its header.\n" @ONLY)
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE headroom::compile_options ${library})
  target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/${header})
endfunction()

function(headroom_use_precompiled_header target name library)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    # Executables would be compiled with -fPIE, for which a header compiled with -fPIC is invalid.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
    target_link_libraries(${target} PRIVATE ${library})
  else()
    target_link_libraries(${target} PUBLIC ${library})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()
