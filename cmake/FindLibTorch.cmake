# SPDX-License-Identifier: Apache-2.0
#
# Finds LibTorch with the CUDA runtime and CUPTI that it was built with. LibTorch ships its own TorchConfig.cmake; this
# module exists because it needs no CUDA toolkit.
#
# Looks in HEADROOM_TORCH_DIR, or else where scripts/bootstrap puts LibTorch. The CMake variable takes its first value
# from the environment variable of that name and then keeps it, so that a later automatic configure run finds the same
# LibTorch. HEADROOM_TORCH_DIR is a LibTorch root (with lib/ and include/), a Python's site-packages/torch, or the
# folder that holds torch/.
#
# Targets    LibTorch::LibTorch   what code that uses torch links: torch_cpu, c10 and their headers
#            LibTorch::c10 LibTorch::torch_cpu LibTorch::c10_cuda LibTorch::cudart LibTorch::cupti
# Variables  LibTorch_FOUND LibTorch_VERSION LibTorch_ROOT_DIR LibTorch_LIBRARY_DIR
#            LibTorch_INCLUDE_DIRS LibTorch_CUDA_VERSION (major number) LibTorch_CUDA_INCLUDE_DIRS

set(HEADROOM_TORCH_DIR "$ENV{HEADROOM_TORCH_DIR}" CACHE PATH "LibTorch to use; empty: the one of scripts/bootstrap")

include(${CMAKE_CURRENT_LIST_DIR}/HeadroomCache.cmake)

set(_libtorch_pinned 2.11.0)
set(_libtorch_valid "Valid: a LibTorch of version 2.7 or newer, built with CUDA and the C++11 ABI")

function(_libtorch_find_root result)
  set(given "${HEADROOM_TORCH_DIR}")
  if(given)
    set(origin "HEADROOM_TORCH_DIR=${given} does not hold a LibTorch")
  else()
    headroom_cache_dir(cache)
    set(given "${cache}/libtorch-${_libtorch_pinned}")
    set(origin "LibTorch is not at ${given}: run scripts/bootstrap, or set HEADROOM_TORCH_DIR")
  endif()
  foreach(candidate IN ITEMS "${given}" "${given}/torch" "${given}/libtorch")
    if(EXISTS "${candidate}/lib/libtorch_cpu.so" AND EXISTS "${candidate}/include/torch/csrc/api/include")
      file(REAL_PATH "${candidate}" root)
      set(${result} "${root}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
  set(_libtorch_reason "${origin} (no lib/libtorch_cpu.so with include/torch). ${_libtorch_valid}." PARENT_SCOPE)
endfunction()

function(_libtorch_read_version root result)
  set(version "")
  foreach(header IN ITEMS torch/headeronly/version.h torch/csrc/api/include/torch/version.h)
    if(NOT version AND EXISTS "${root}/include/${header}")
      file(STRINGS "${root}/include/${header}" line REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) [0-9]+")
      string(REGEX REPLACE "[^;]* ([0-9]+)" "\\1" numbers "${line}")
      list(JOIN numbers "." version)
    endif()
  endforeach()
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

# The mangled name of a c10 function that takes a std::string shows with which ABI the library was built.
function(_libtorch_check_abi root)
  file(STRINGS "${root}/lib/libc10.so" symbols REGEX "_ZN3c10.*NSt7__cxx1112basic_string" LIMIT_COUNT 1)
  if(NOT symbols)
    set(_libtorch_reason "The LibTorch at ${root} was built with _GLIBCXX_USE_CXX11_ABI=0, so its std::string is another type than ours. \
${_libtorch_valid}." PARENT_SCOPE)
  endif()
endfunction()

# The soname of the CUDA runtime that c10_cuda asks the loader for: libcudart.so.13, or a bundled libcudart-<hash>.so.12.
function(_libtorch_cudart_soname root result)
  if(NOT EXISTS "${root}/lib/libc10_cuda.so")
    set(_libtorch_reason "The LibTorch at ${root} was built without CUDA (no lib/libc10_cuda.so). ${_libtorch_valid} (it also runs \
on machines without a GPU)." PARENT_SCOPE)
    return()
  endif()
  file(STRINGS "${root}/lib/libc10_cuda.so" soname REGEX "^libcudart[-.0-9a-z]*\\.so\\.[0-9]+$" LIMIT_COUNT 1)
  set(${result} "${soname}" PARENT_SCOPE)
endfunction()

# Folders that may hold include/ and lib/ of the CUDA runtime: companions of the Python package first, then a toolkit.
function(_libtorch_cuda_prefixes root major result)
  get_filename_component(parent "${root}" DIRECTORY)
  set(prefixes "")
  foreach(base IN ITEMS "${parent}" "${root}")
    foreach(part IN ITEMS "cu${major}" cuda_runtime cuda_cupti cuda_crt)
      list(APPEND prefixes "${base}/nvidia/${part}")
    endforeach()
  endforeach()
  foreach(toolkit IN ITEMS "${CUDAToolkit_ROOT}" "$ENV{CUDA_HOME}" "/usr/local/cuda-${major}" /usr/local/cuda)
    if(toolkit)
      list(APPEND prefixes "${toolkit}" "${toolkit}/extras/CUPTI")
    endif()
  endforeach()
  set(${result} "${prefixes}" PARENT_SCOPE)
endfunction()

function(_libtorch_find_cuda root soname)
  string(REGEX MATCH "[0-9]+$" major "${soname}")
  _libtorch_cuda_prefixes("${root}" "${major}" prefixes)
  list(TRANSFORM prefixes APPEND /lib OUTPUT_VARIABLE lib_dirs)
  list(TRANSFORM prefixes APPEND /lib64 OUTPUT_VARIABLE lib64_dirs)
  list(TRANSFORM prefixes APPEND /include OUTPUT_VARIABLE include_dirs)
  set(where PATHS "${root}/lib" ${lib_dirs} ${lib64_dirs} NO_DEFAULT_PATH NO_CACHE)
  file(GLOB bundled_cupti RELATIVE "${root}/lib" "${root}/lib/libcupti-*.so.${major}")
  # The companions contain no unversioned links, so the libraries are named in full.
  find_file(cudart NAMES "${soname}" ${where})
  find_file(cupti NAMES "libcupti.so.${major}" ${bundled_cupti} ${where})
  find_path(runtime_include cuda_runtime_api.h PATHS ${include_dirs} NO_DEFAULT_PATH NO_CACHE)
  find_path(crt_include crt/host_defines.h PATHS ${include_dirs} NO_DEFAULT_PATH NO_CACHE)
  find_path(cupti_include cupti.h PATHS ${include_dirs} NO_DEFAULT_PATH NO_CACHE)
  set(include_dirs "${runtime_include}" "${crt_include}" "${cupti_include}")
  list(REMOVE_DUPLICATES include_dirs)
  foreach(part IN ITEMS cudart cupti runtime_include crt_include cupti_include)
    if(NOT ${part})
      set(_libtorch_reason "The LibTorch at ${root} needs ${soname}, but of the CUDA ${major} runtime and CUPTI \
the ${part} was not found. Looked in nvidia/cu${major} beside it and in CUDAToolkit_ROOT, CUDA_HOME and /usr/local/cuda. \
scripts/bootstrap brings a LibTorch with all of them." PARENT_SCOPE)
    endif()
  endforeach()
  set(_libtorch_cudart "${cudart}" PARENT_SCOPE)
  set(_libtorch_cupti "${cupti}" PARENT_SCOPE)
  set(LibTorch_CUDA_VERSION "${major}" PARENT_SCOPE)
  set(LibTorch_CUDA_INCLUDE_DIRS "${include_dirs}" PARENT_SCOPE)
endfunction()

# A folder of links to torch's own headers. LibTorch's include/ also contains its own versions of fmt, pybind11, google
# and others, which would be found before the ones that Headroom links.
function(_libtorch_link_headers root result)
  set(view "${CMAKE_BINARY_DIR}/libtorch-include")
  file(MAKE_DIRECTORY "${view}")
  foreach(folder IN ITEMS ATen c10 caffe2 torch)
    if(EXISTS "${root}/include/${folder}")
      file(CREATE_LINK "${root}/include/${folder}" "${view}/${folder}" SYMBOLIC)
    endif()
  endforeach()
  set(${result} "${view};${view}/torch/csrc/api/include" PARENT_SCOPE)
endfunction()

function(_libtorch_add_library name location)
  if(NOT TARGET LibTorch::${name})
    add_library(LibTorch::${name} SHARED IMPORTED)
    set_target_properties(LibTorch::${name} PROPERTIES
      IMPORTED_LOCATION "${location}"
      INTERFACE_INCLUDE_DIRECTORIES "${LibTorch_INCLUDE_DIRS};${LibTorch_CUDA_INCLUDE_DIRS}"
      INTERFACE_LINK_LIBRARIES "${ARGN}")
  endif()
endfunction()

function(_libtorch_add_targets)
  _libtorch_add_library(cudart "${_libtorch_cudart}")
  _libtorch_add_library(cupti "${_libtorch_cupti}")
  _libtorch_add_library(c10 "${LibTorch_LIBRARY_DIR}/libc10.so")
  _libtorch_add_library(c10_cuda "${LibTorch_LIBRARY_DIR}/libc10_cuda.so" LibTorch::c10 LibTorch::cudart)
  _libtorch_add_library(torch_cpu "${LibTorch_LIBRARY_DIR}/libtorch_cpu.so" LibTorch::c10)
  if(NOT TARGET LibTorch::LibTorch)
    add_library(LibTorch::LibTorch INTERFACE IMPORTED)
    # Lets link options query, through any number of rooms, whether a program contains LibTorch.
    set_target_properties(LibTorch::LibTorch PROPERTIES
      INTERFACE_LINK_LIBRARIES "LibTorch::torch_cpu;LibTorch::c10"
      COMPATIBLE_INTERFACE_BOOL HEADROOM_CONTAINS_LIBTORCH
      INTERFACE_HEADROOM_CONTAINS_LIBTORCH ON)
  endif()
endfunction()

set(_libtorch_reason "")
_libtorch_find_root(LibTorch_ROOT_DIR)
if(LibTorch_ROOT_DIR)
  _libtorch_read_version("${LibTorch_ROOT_DIR}" LibTorch_VERSION)
  if(NOT LibTorch_VERSION OR LibTorch_VERSION VERSION_LESS LibTorch_FIND_VERSION)
    set(_libtorch_reason "The LibTorch at ${LibTorch_ROOT_DIR} is version '${LibTorch_VERSION}'. ${_libtorch_valid}.")
  endif()
endif()
if(NOT _libtorch_reason)
  _libtorch_check_abi("${LibTorch_ROOT_DIR}")
endif()
if(NOT _libtorch_reason)
  _libtorch_cudart_soname("${LibTorch_ROOT_DIR}" _libtorch_soname)
endif()
if(NOT _libtorch_reason)
  _libtorch_find_cuda("${LibTorch_ROOT_DIR}" "${_libtorch_soname}")
endif()
if(NOT _libtorch_reason)
  set(LibTorch_LIBRARY_DIR "${LibTorch_ROOT_DIR}/lib")
  _libtorch_link_headers("${LibTorch_ROOT_DIR}" LibTorch_INCLUDE_DIRS)
endif()

include(FindPackageHandleStandardArgs)
if(_libtorch_reason)
  set(LibTorch_NOT_FOUND_MESSAGE "${_libtorch_reason}")
  set(LibTorch_LIBRARY_DIR LibTorch_LIBRARY_DIR-NOTFOUND)
endif()
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_LIBRARY_DIR LibTorch_ROOT_DIR
  VERSION_VAR LibTorch_VERSION
  REASON_FAILURE_MESSAGE "${_libtorch_reason}")
if(LibTorch_FOUND)
  _libtorch_add_targets()
endif()
