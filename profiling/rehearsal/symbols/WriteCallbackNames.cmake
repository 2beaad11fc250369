# SPDX-License-Identifier: Apache-2.0
#
# Writes the numbers and names under which CUPTI knows the functions of the runtime and the driver, from its headers:
#   cmake -DHEADERS=FOLDER -DOUTPUT=FILE -P WriteCallbackNames.cmake

set(text "#include \"profiling/rehearsal/api/profiler/CuptiCallbacks.h\"\n\nnamespace headroom::rehearsal::cupti {\n")
foreach(kind Runtime Driver)
  string(TOLOWER ${kind} file)
  string(TOUPPER ${kind} prefix)
  string(APPEND text "\nconst Callback k${kind}Callbacks[] = {\n")
  set(count 0)
  file(STRINGS "${HEADERS}/cupti_${file}_cbid.h" lines REGEX "CUPTI_${prefix}_TRACE_CBID_[A-Za-z0-9_]+ *= *[0-9]+")
  foreach(line ${lines})
    string(REGEX MATCH "CUPTI_${prefix}_TRACE_CBID_([A-Za-z0-9_]+) *= *([0-9]+)" unused "${line}")
    set(name "${CMAKE_MATCH_1}")
    set(number "${CMAKE_MATCH_2}")
    if(NOT name MATCHES "^(INVALID|SIZE|FORCE_INT)$")
      string(APPEND text "    {${number}, \"${name}\"},\n")
      math(EXPR count "${count} + 1")
    endif()
  endforeach()
  string(APPEND text "};\nconst int k${kind}CallbackCount = ${count};\n")
endforeach()
string(APPEND text "\n} // namespace headroom::rehearsal::cupti\n")
file(WRITE "${OUTPUT}" "${text}")
