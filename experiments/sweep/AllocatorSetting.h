// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/DeviceSpec.h"

#include <optional>
#include <string>

namespace headroom::experiments {

/// The word of a spec for LibTorch's own allocator settings, which makes them a value of a sweep.
inline constexpr const char* kDefaultAllocator = "default";

/// Whether a device's allocator can have settings: that of the CPU, and the profile of that name which imitates it, has
/// none. Other profiles without segments are refused where profiles are known.
bool hasAllocatorSettings(const config::DeviceSpec& device);

/// `device.allocator` as a trial has it: without blanks; empty where it asks for LibTorch's defaults ("default" or "").
std::string allocatorText(const std::string& given);

/// Refuses settings that a device's allocator does not have, or that contradict the trial's memory limit. Throws
/// UsageError at `where`, naming setting, value and what is valid. `settings` as from allocatorText().
void requireAllocator(const std::string& settings, const config::DeviceSpec& device,
    std::optional<Bytes> memoryLimitBytes, const std::string& where);

} // namespace headroom::experiments
