// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/DeviceSpec.h"
#include "core/config/TechniqueDescriptor.h"

#include <string>

namespace headroom::config {

/// The notation that was probably meant ("full": "all", "lora": "lora:16"), or empty.
std::string closestNotation(const TechniqueDescriptor& technique, const std::string& notation);

/// The path of the only setting with that name ("frames": "workload.frames", "lr": "optimizer.lr"), or of the one that
/// was probably meant; empty if there is none.
std::string closestPath(const std::string& name);

/// Calls the technique's normalise; a word that is not one of its notations gets a suggestion. Throws UsageError.
std::string canonicalNotation(
    const TechniqueDescriptor& technique, const std::string& notation, const std::string& where);

/// The same of what somebody means who gives it for a device with these options: an optimizer without a form has that
/// which PyTorch takes there. Throws UsageError.
std::string notationMeant(const TechniqueDescriptor& technique, const std::string& notation, const ValueMap& given,
    DeviceKind device, const std::string& where);

} // namespace headroom::config
