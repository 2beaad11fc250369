# SPDX-License-Identifier: Apache-2.0
#
# Lets a test's Python import torch where its Python part stands beside LibTorch: scripts/bootstrap --python unpacks it there,
# and a site-packages/torch that HEADROOM_TORCH_DIR names has it. What is compiled of it fits one version of Python.
#
#   headroom_torch_for_python(folder)      # the folder for PYTHONPATH, or nothing

find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)

function(headroom_torch_for_python result)
  set(${result} "" PARENT_SCOPE)
  set(compiled "_C.cpython-${Python3_VERSION_MAJOR}${Python3_VERSION_MINOR}-x86_64-linux-gnu.so")
  if(EXISTS "${LibTorch_ROOT_DIR}/${compiled}" AND EXISTS "${LibTorch_LIBRARY_DIR}/libtorch_python.so")
    get_filename_component(folder "${LibTorch_ROOT_DIR}" DIRECTORY)
    set(${result} "${folder}" PARENT_SCOPE)
  endif()
endfunction()
