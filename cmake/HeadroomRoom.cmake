# SPDX-License-Identifier: Apache-2.0
#
# A room is a folder with sources; it is one static library named after its path
# ("core/config" -> target core-config, alias headroom::core-config).
#
#   headroom_room(core-config SOURCES A.cpp B.cpp DEPENDS headroom::core-protocol)
#   headroom_tests(core-config SOURCES ATest.cpp LABEL unit DEPENDS headroom::core-config)

include(CompileUnits)

function(headroom_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ROOM_SOURCES})
  add_library(headroom::${name} ALIAS ${name})
  target_link_libraries(${name} PUBLIC headroom::compile_options ${ROOM_DEPENDS})
  headroom_compile_in_units(${name})
endfunction()

# The target "tests" builds what the suite runs, without the benchmarks.
function(headroom_built_for_tests)
  if(NOT TARGET tests)
    add_custom_target(tests)
  endif()
  add_dependencies(tests ${ARGN})
endfunction()

# Tests take moments to run and minutes to compile, so they are compiled with -O1. The libraries that they test are
# optimised as usual.
function(headroom_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# Runs a program's tests on a card that is not there: those that compare values skip, with the reason. Label: rehearsed.
function(headroom_tests_rehearsed name program)
  add_test(NAME ${name}.rehearsed COMMAND run-rehearsed h100-80gb $<TARGET_FILE:${program}> ${ARGN})
  set_tests_properties(${name}.rehearsed PROPERTIES LABELS "gpu;rehearsed" TIMEOUT 900 COST 4
    ENVIRONMENT "HEADROOM_TEST_DEVICE=cuda:0;HEADROOM_TEST_AGAINST=sim:h100-80gb;GTEST_BRIEF=1;OMP_WAIT_POLICY=passive")
endfunction()

# Runs a room's tests once more, on the first GPU (tests/support/TestDeviceName.h): they compare values, which a card that
# is not there does not compute. They skip, with the reason, where there is none, and are packed for the suite numerics of scripts/gpu-run. FILTER: those that are about a device.
function(headroom_tests_on_gpu name)
  cmake_parse_arguments(G "" "FILTER" "" ${ARGN})
  if(G_FILTER)
    set(filter "--gtest_filter=${G_FILTER}")
  endif()
  add_test(NAME ${name}.on-cuda COMMAND test-${name} ${filter})
  set_tests_properties(${name}.on-cuda PROPERTIES LABELS "gpu;values" TIMEOUT 900
    ENVIRONMENT "HEADROOM_TEST_DEVICE=cuda:0;GTEST_BRIEF=1")
  headroom_packed_for_gpu(numerics test-${name} FILTER "${G_FILTER}")
endfunction()

# One test executable per room. Each case is its own ctest entry, discovered when ctest starts. TORCH executables load
# LibTorch, which takes longer than most of their cases, so their cases are dealt to SHARDS entries (default 2), which
# run in parallel. An entry's output names only the cases that fail. Suites with many shards are the longest and start
# first.
function(headroom_tests name)
  cmake_parse_arguments(T "TORCH" "LABEL;TIMEOUT;SHARDS" "SOURCES;DEPENDS" ${ARGN})
  if(NOT T_LABEL)
    set(T_LABEL unit)
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 120)
  endif()
  if(NOT T_SHARDS)
    set(T_SHARDS 2)
  endif()
  set(target test-${name})
  add_executable(${target} ${T_SOURCES})
  headroom_compile_in_units(${target})
  headroom_compile_quickly(${target})
  headroom_built_for_tests(${target})
  if(T_LABEL STREQUAL "gpu")
    headroom_packed_for_gpu(tests ${target})
    headroom_tests_rehearsed(${name} ${target})
  endif()
  target_link_libraries(${target} PRIVATE headroom::compile_options ${T_DEPENDS} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${target} PRIVATE HEADROOM_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               HEADROOM_BINARY_DIR="${PROJECT_BINARY_DIR}")
  if(T_TORCH)
    headroom_use_torch_header(${target})
    # If threads spin at a barrier while another has no core, milliseconds become seconds.
    foreach(shard RANGE 1 ${T_SHARDS})
      math(EXPR index "${shard} - 1")
      add_test(NAME ${name}.${shard}-of-${T_SHARDS} COMMAND ${target})
      set_tests_properties(${name}.${shard}-of-${T_SHARDS} PROPERTIES LABELS ${T_LABEL} TIMEOUT ${T_TIMEOUT}
        COST ${T_SHARDS}
        ENVIRONMENT "OMP_WAIT_POLICY=passive;GTEST_BRIEF=1;GTEST_TOTAL_SHARDS=${T_SHARDS};GTEST_SHARD_INDEX=${index}")
    endforeach()
  else()
    gtest_discover_tests(${target} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST
                         PROPERTIES LABELS ${T_LABEL} TIMEOUT ${T_TIMEOUT})
  endif()
endfunction()

# What scripts/gpu-pack takes along for a suite of scripts/gpu-run, or for `all` of them. FILTER: the cases of a test
# program that are about a device. The target gpu-programs builds it, and the build folder's gpu-programs.txt lists it: a
# line for each program, with its suite before and its filter after it.
function(headroom_packed_for_gpu suite)
  cmake_parse_arguments(G "" "FILTER" "" ${ARGN})
  if(NOT TARGET gpu-programs)
    add_custom_target(gpu-programs)
  endif()
  add_dependencies(gpu-programs ${G_UNPARSED_ARGUMENTS})
  foreach(program IN LISTS G_UNPARSED_ARGUMENTS)
    set_property(GLOBAL APPEND_STRING PROPERTY HEADROOM_GPU_PROGRAMS "${suite} ${program} ${G_FILTER}\n")
  endforeach()
endfunction()

function(headroom_list_gpu_programs)
  get_property(lines GLOBAL PROPERTY HEADROOM_GPU_PROGRAMS)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/gpu-programs.txt CONTENT "${lines}" @ONLY)
endfunction()
