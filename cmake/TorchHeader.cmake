# SPDX-License-Identifier: Apache-2.0
#
# The one precompiled header of LibTorch: core/tensor/Torch.h, compiled once by the target torch-header.
#
#   headroom_use_torch_header(core-models)     # links LibTorch and uses the precompiled header

include(PrecompiledHeader)

headroom_precompiled_header(torch-header core/tensor/Torch.h LibTorch::LibTorch)

function(headroom_use_torch_header target)
  headroom_use_precompiled_header(${target} torch-header LibTorch::LibTorch)
endfunction()
