# SPDX-License-Identifier: Apache-2.0
#
# Writes the numbers and names under which CUPTI knows the functions of the runtime and the driver, from its headers:
#   cmake -DHEADERS=FOLDER -DOUTPUT=FILE -P WriteCallbackNames.cmake

set(text "// Written by WriteCallbackNames.cmake.\n")
foreach(kind RUNTIME DRIVER)
  string(TOLOWER ${kind} file)
  file(STRINGS "${HEADERS}/cupti_${file}_cbid.h" lines REGEX "CUPTI_${kind}_TRACE_CBID_[A-Za-z0-9_]+ *= *[0-9]+")
  foreach(line ${lines})
    string(REGEX MATCH "CUPTI_${kind}_TRACE_CBID_([A-Za-z0-9_]+) *= *([0-9]+)" unused "${line}")
    set(name "${CMAKE_MATCH_1}")
    set(number "${CMAKE_MATCH_2}")
    if(NOT name MATCHES "^(INVALID|SIZE|FORCE_INT)$")
      string(APPEND text "HEADROOM_${kind}_CALLBACK(${number}, ${name})\n")
    endif()
  endforeach()
endforeach()
file(WRITE "${OUTPUT}" "${text}")
