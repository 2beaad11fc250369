// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/Calibration.h"

#include <string>

namespace headroom::cli {

/// What a profile says of its origin.
struct ProfileOrigin {
    std::string name; ///< of the profile: its file's without ".toml"
    std::string date; ///< "2026-11-23"
    std::string device; ///< "cpu", "cuda:0"
    protocol::CalibrationEffort effort = protocol::CalibrationEffort::Full;
};

/// The text of a device profile in the format of resources/devices: each constant with its source and spread, the rates
/// as tables.
std::string calibratedProfile(const protocol::Calibration& calibration, const ProfileOrigin& origin);

} // namespace headroom::cli
