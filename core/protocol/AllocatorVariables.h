// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>

namespace headroom::experiments {

/// The environment variables from which LibTorch reads the settings of its CUDA allocator, when a process begins. The
/// first one that is set decides (c10/core/AllocatorConfig.h and c10/cuda/CUDAAllocatorConfig.h of 2.11). Versions
/// before 2.9 know the first one only.
inline constexpr std::array kAllocatorVariables{
    "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF", "PYTORCH_ALLOC_CONF"};

/// The variable that decides in this process, and its value; nothing if none is set, or the value has no settings.
std::optional<std::pair<std::string, std::string>> allocatorVariable();

/// Refuses to measure a trial in a process that was started with other allocator settings than the trial has. Throws
/// TrialError with what to start instead; blanks do not count. LibTorch reads the settings once, so they cannot be
/// corrected here.
void requireStartedWith(const std::string& allocator);

} // namespace headroom::experiments
