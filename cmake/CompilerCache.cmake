# SPDX-License-Identifier: Apache-2.0
#
# Compiles through ccache if it is installed, so that a clean build of known sources takes seconds.
#
# These are set on the compiler's command line and not in the environment, so that `ninja` does the same as the scripts:
#   CCACHE_SLOPPINESS  without these, a precompiled header is never found in the cache
#   CCACHE_BASEDIR     a checkout at another path finds the results of this one
# CCACHE_DIR and CCACHE_DISABLE of the environment are honoured; the default is Headroom's cache, outside the checkout.

include(HeadroomCache)
find_program(HEADROOM_CCACHE ccache DOC "ccache, or empty to compile without it")

if(HEADROOM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(settings
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
    CCACHE_NOHASHDIR=1)
  if(NOT DEFINED ENV{CCACHE_DIR})
    headroom_cache_dir(cache)
    list(APPEND settings CCACHE_DIR=${cache}/ccache)
  endif()
  set(CMAKE_C_COMPILER_LAUNCHER env ${settings} ${HEADROOM_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER env ${settings} ${HEADROOM_CCACHE})
endif()
