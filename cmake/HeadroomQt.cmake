# SPDX-License-Identifier: Apache-2.0
#
# Rooms, tests and programs that use Qt. They share one precompiled header, ui/jobs/Qt.h, made by the target qt-header.
#
#   headroom_ui_room(ui-plot SOURCES TradeoffView.cpp TradeoffView.h DEPENDS headroom::ui-look)
#   headroom_ui_tests(ui-plot SOURCES TradeoffViewTest.cpp DEPENDS headroom::ui-plot)

add_library(headroom_qt INTERFACE)
add_library(headroom::qt ALIAS headroom_qt)
target_link_libraries(headroom_qt INTERFACE Qt6::Widgets Qt6::Svg Qt6::PrintSupport Qt6::Concurrent
                                            QCustomPlotQt6::QCustomPlotQt6)
target_compile_definitions(headroom_qt INTERFACE QT_NO_CAST_TO_ASCII)

include(PrecompiledHeader)

headroom_precompiled_header(qt-header ui/jobs/Qt.h headroom::qt)

function(headroom_use_qt target)
  set_target_properties(${target} PROPERTIES AUTOMOC ON AUTOMOC_PATH_PREFIX ON AUTOGEN_ORIGIN_DEPENDS OFF)
  headroom_use_precompiled_header(${target} qt-header headroom::qt)
endfunction()

function(headroom_ui_room name)
  headroom_room(${name} ${ARGN})
  headroom_use_qt(${name})
endfunction()

# The tests' environment, the same on every machine. DISPLAY is ignored.
set(headroom_ui_test_environment
  QT_QPA_PLATFORM=offscreen
  LC_ALL=C.UTF-8
  XDG_RUNTIME_DIR=${PROJECT_BINARY_DIR}
  OMP_WAIT_POLICY=passive
  HEADROOM_WORKER=${PROJECT_BINARY_DIR}/bin/headroom-worker
  HEADROOM_RESOURCES=${PROJECT_SOURCE_DIR}/resources)

# One executable per room; each test class, named after its file, is its own ctest entry.
function(headroom_ui_tests name)
  cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;DEPENDS" ${ARGN})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 120)
  endif()
  set(target test-${name})
  add_executable(${target} ${T_SOURCES})
  headroom_compile_in_units(${target})
  headroom_compile_quickly(${target})
  headroom_built_for_tests(${target})
  target_link_libraries(${target} PRIVATE headroom::compile_options headroom::ui-testing ${T_DEPENDS})
  headroom_use_qt(${target})
  target_link_libraries(${target} PRIVATE Qt6::Test)
  target_compile_definitions(${target} PRIVATE HEADROOM_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               HEADROOM_BINARY_DIR="${PROJECT_BINARY_DIR}")
  # ctest alone ends what hangs: Qt Test's own five minutes for a function are over early on a machine with much to do.
  set(patience QTEST_FUNCTION_TIMEOUT=${T_TIMEOUT}000)
  foreach(source ${T_SOURCES})
    get_filename_component(class ${source} NAME_WE)
    if(class MATCHES "Test$")
      add_test(NAME ${name}.${class} COMMAND ${target} ${class})
      set_tests_properties(${name}.${class} PROPERTIES LABELS ui TIMEOUT ${T_TIMEOUT}
                                                       ENVIRONMENT "${headroom_ui_test_environment};${patience}")
    endif()
  endforeach()
endfunction()

# Runs the same class again in a locale with decimal commas, and at other screen scale factors.
#
#   headroom_ui_test_variants(ui-window WorkbenchTest)
function(headroom_ui_test_variants name class)
  set(variants "german|LC_ALL=de_DE.UTF-8|LOCPATH=${PROJECT_BINARY_DIR}/locales" "150-percent|QT_SCALE_FACTOR=1.5"
               "200-percent|QT_SCALE_FACTOR=2")
  foreach(variant ${variants})
    string(REPLACE "|" ";" parts "${variant}")
    list(POP_FRONT parts title)
    add_test(NAME ${name}.${class}.${title} COMMAND test-${name} ${class})
    set_tests_properties(${name}.${class}.${title} PROPERTIES LABELS ui TIMEOUT 300
                                                              ENVIRONMENT "${headroom_ui_test_environment};${parts}")
  endforeach()
  set_tests_properties(${name}.${class}.german PROPERTIES FIXTURES_REQUIRED german-locale)
endfunction()

# The machine may lack a locale with decimal commas, so one is created for the tests.
function(headroom_test_locale)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/locales)
  add_test(NAME ui.german-locale COMMAND ${CMAKE_COMMAND} -E env localedef --inputfile=de_DE --charmap=UTF-8
                                         ${PROJECT_BINARY_DIR}/locales/de_DE.UTF-8)
  set_tests_properties(ui.german-locale PROPERTIES LABELS ui FIXTURES_SETUP german-locale)
endfunction()
