# SPDX-License-Identifier: Apache-2.0
#
# Writes the functions that the tables of libraries (NAME.txt beside this file) do not call answered:
#   launched     computes on the device alone: becomes a kernel of that name on the stream of its handle, the first argument
#   refused      is told by name and returns the library's "not supported"
#   unsupported  returns it without a word: of libraries that only look at the card
# A line is "function how versions", the versions those of CUDA whose library exports the function.
#   cmake -DOUTPUT=FILE -P WriteStubs.cmake

set(libraries cublas cublasLt cudnn cufft curand cusolver cusparse cusparseLt nccl cupti nvml)
# The namespace that has launched(), and the status: a number, or a call for the function of that name.
set(cublas blas 15)
set(cublasLt blaslt 15)
set(cudnn dnn "refused")
set(cufft fft 16)
set(curand rand 999)
set(cusolver solver 9)
set(cusparse sparse 10)
set(cusparseLt sparselt 10)
set(nccl nccl 5)
set(cupti cupti 27)
set(nvml nvml 3)

set(text "// Written by WriteStubs.cmake.\n#include \"profiling/rehearsal/Ledger.h\"\n")
string(APPEND text "#include \"profiling/rehearsal/api/Exported.h\"\n\n")
foreach(space blas dnn solver sparse)
  string(APPEND text
    "namespace headroom::rehearsal::${space} {\nint launched(void* handle, const char* name);\n}\n")
endforeach()
string(APPEND text "namespace headroom::rehearsal::dnn {\nint refused(const char* name);\n}\n\n")

foreach(library ${libraries})
  list(GET ${library} 0 space)
  list(GET ${library} 1 status)
  file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/${library}.txt" lines)
  foreach(line ${lines})
    string(REPLACE " " ";" parts "${line}")
    list(GET parts 0 function)
    list(GET parts 1 how)
    if(how STREQUAL "launched")
      string(APPEND text "HEADROOM_CARD_API int ${function}(void* handle)\n{\n"
        "    return headroom::rehearsal::${space}::launched(handle, \"${function}\");\n}\n")
    elseif(how STREQUAL "unsupported")
      string(APPEND text "HEADROOM_CARD_API int ${function}()\n{\n    return ${status};\n}\n")
    elseif(how STREQUAL "refused" AND status STREQUAL "refused")
      string(APPEND text "HEADROOM_CARD_API int ${function}()\n{\n"
        "    return headroom::rehearsal::${space}::refused(\"${function}\");\n}\n")
    elseif(how STREQUAL "refused")
      string(APPEND text "HEADROOM_CARD_API int ${function}()\n{\n"
        "    headroom::rehearsal::noteRefused(\"${function}\");\n    return ${status};\n}\n")
    elseif(NOT how STREQUAL "answered")
      message(FATAL_ERROR "${library}.txt: ${function} is said to be '${how}'")
    endif()
  endforeach()
endforeach()
file(WRITE "${OUTPUT}" "${text}")
