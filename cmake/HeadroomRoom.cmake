# SPDX-License-Identifier: Apache-2.0
#
# A room is a folder with sources; it is one static library named after its path
# ("core/config" -> target core-config, alias headroom::core-config).
#
#   headroom_room(core-config SOURCES A.cpp B.cpp DEPENDS headroom::core-protocol)
#   headroom_tests(core-config SOURCES ATest.cpp LABEL unit DEPENDS headroom::core-config)

function(headroom_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ROOM_SOURCES})
  add_library(headroom::${name} ALIAS ${name})
  target_link_libraries(${name} PUBLIC headroom::compile_options ${ROOM_DEPENDS})
endfunction()

# One test executable per room. Each case is a ctest entry of its own, found when ctest starts.
# TORCH executables load LibTorch, which costs about a second: they are one entry as a whole.
function(headroom_tests name)
  cmake_parse_arguments(T "TORCH" "LABEL;TIMEOUT" "SOURCES;DEPENDS" ${ARGN})
  if(NOT T_LABEL)
    set(T_LABEL unit)
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 120)
  endif()
  set(target test-${name})
  add_executable(${target} ${T_SOURCES})
  target_link_libraries(${target} PRIVATE headroom::compile_options ${T_DEPENDS} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${target} PRIVATE HEADROOM_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               HEADROOM_BINARY_DIR="${PROJECT_BINARY_DIR}")
  if(T_TORCH)
    headroom_use_torch_header(${target})
    add_test(NAME ${name} COMMAND ${target})
    # Threads that spin at a barrier for a thread without a core make seconds of milliseconds.
    set_tests_properties(${name} PROPERTIES LABELS ${T_LABEL} TIMEOUT ${T_TIMEOUT} ENVIRONMENT OMP_WAIT_POLICY=passive)
  else()
    gtest_discover_tests(${target} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST
                         PROPERTIES LABELS ${T_LABEL} TIMEOUT ${T_TIMEOUT})
  endif()
endfunction()
