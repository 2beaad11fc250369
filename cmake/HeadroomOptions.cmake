# SPDX-License-Identifier: Apache-2.0
#
# Compile options that every target shares, as the interface target headroom::compile_options.

include(CompilerCache)

add_library(headroom_compile_options INTERFACE)
add_library(headroom::compile_options ALIAS headroom_compile_options)
target_include_directories(headroom_compile_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(headroom_compile_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wconversion -Wno-sign-conversion)
# GCC 12 reports both wrongly: in std::string's operator+ and in std::optional (GCC bugs 105651, 105593).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(headroom_compile_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
# Warns if a precompiled header is not used because its options differ from the target's; GCC is silent otherwise.
target_compile_options(headroom_compile_options INTERFACE -Winvalid-pch)
if(HEADROOM_WARNINGS_AS_ERRORS)
  target_compile_options(headroom_compile_options INTERFACE -Werror)
endif()
if(HEADROOM_SANITIZERS)
  target_compile_options(headroom_compile_options INTERFACE -fsanitize=${HEADROOM_SANITIZERS} -fno-omit-frame-pointer)
  target_link_options(headroom_compile_options INTERFACE -fsanitize=${HEADROOM_SANITIZERS})
endif()
if(HEADROOM_STATIC_DEPENDENCIES)
  # LibTorch loads libstdc++.so, so a program that links LibTorch must not contain a second copy.
  set(contains_libtorch $<BOOL:$<TARGET_PROPERTY:HEADROOM_CONTAINS_LIBTORCH>>)
  target_link_options(headroom_compile_options INTERFACE $<$<NOT:${contains_libtorch}>:-static-libstdc++;-static-libgcc>)
endif()

# What a pack carries lies in lib beside the folder of its programs (scripts/gpu-pack).
list(APPEND CMAKE_BUILD_RPATH "$ORIGIN/../lib")

# Installed programs look for LibTorch where the linker found it.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
