# SPDX-License-Identifier: Apache-2.0
#
# Third-party libraries of the distribution (scripts/bootstrap installs them), and LibTorch.

if(HEADROOM_STATIC_DEPENDENCIES)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a ${CMAKE_FIND_LIBRARY_SUFFIXES})
endif()
find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
if(HEADROOM_STATIC_DEPENDENCIES)
  # The distribution has toml++ only as a shared library. If the target exists already, its package adds no library, and
  # without a library the headers are the implementation.
  add_library(tomlplusplus::tomlplusplus INTERFACE IMPORTED)
endif()
find_package(tomlplusplus REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(SQLite3 3.37 REQUIRED) # STRICT tables
find_package(SQLiteCpp REQUIRED)
find_package(ZLIB REQUIRED)
find_library(HEADROOM_MINIZIP_LIBRARY minizip REQUIRED)
# A target of its own, and no bare file name: a static minizip has to stand before the zlib that it uses.
add_library(headroom::minizip UNKNOWN IMPORTED)
set_target_properties(headroom::minizip PROPERTIES
  IMPORTED_LOCATION "${HEADROOM_MINIZIP_LIBRARY}"
  INTERFACE_LINK_LIBRARIES ZLIB::ZLIB)
find_package(LibTorch 2.7 REQUIRED)
include(TorchHeader)
if(HEADROOM_BUILD_DESKTOP)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Widgets Svg PrintSupport Concurrent Test)
  find_package(QCustomPlotQt6 CONFIG REQUIRED)
endif()
if(HEADROOM_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
if(HEADROOM_BUILD_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()

# The distribution has no static fmt library; the header-only form adds no run-time dependency.
add_library(headroom_fmt INTERFACE)
add_library(headroom::fmt ALIAS headroom_fmt)
if(HEADROOM_STATIC_DEPENDENCIES)
  target_link_libraries(headroom_fmt INTERFACE fmt::fmt-header-only)
else()
  target_link_libraries(headroom_fmt INTERFACE fmt::fmt)
endif()
