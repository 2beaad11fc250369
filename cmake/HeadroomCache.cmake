# SPDX-License-Identifier: Apache-2.0
#
# The folder outside the checkout where LibTorch and compiler results are kept, as in scripts/settings.sh.

function(headroom_cache_dir result)
  if(NOT "$ENV{HEADROOM_CACHE}" STREQUAL "")
    set(${result} "$ENV{HEADROOM_CACHE}" PARENT_SCOPE)
  elseif(NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
    set(${result} "$ENV{XDG_CACHE_HOME}/headroom" PARENT_SCOPE)
  else()
    set(${result} "$ENV{HOME}/.cache/headroom" PARENT_SCOPE)
  endif()
endfunction()
