# SPDX-License-Identifier: Apache-2.0
#
# The one precompiled header of a preset: core/tensor/Torch.h, compiled once by the target torch-header.
#
#   headroom_use_torch_header(core-models)     # links LibTorch and uses the precompiled header
#
# A precompiled header is valid only where the compile options are those it was made with, so a target that uses it
# takes its options from headroom::compile_options alone; further definitions are fine.

set(headroom_torch_header_source ${PROJECT_BINARY_DIR}/torch-header/TorchHeader.cpp)
file(CONFIGURE OUTPUT ${headroom_torch_header_source} CONTENT "// A target needs a source to make its header.\n" @ONLY)
add_library(torch-header OBJECT ${headroom_torch_header_source})
target_link_libraries(torch-header PRIVATE headroom::compile_options LibTorch::LibTorch)
target_precompile_headers(torch-header PRIVATE ${PROJECT_SOURCE_DIR}/core/tensor/Torch.h)

function(headroom_use_torch_header target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    # Executables would be compiled with -fPIE, for which a header compiled with -fPIC is not valid.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
    target_link_libraries(${target} PRIVATE LibTorch::LibTorch)
  else()
    target_link_libraries(${target} PUBLIC LibTorch::LibTorch)
  endif()
  target_precompile_headers(${target} REUSE_FROM torch-header)
endfunction()
