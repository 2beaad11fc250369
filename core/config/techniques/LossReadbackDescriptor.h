// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"

namespace headroom::config {

/// When the host reads the loss, which makes it wait for the device.
enum class ReadbackTiming { Never, PerUpdate, EveryStep };

/// Parses `never`, `per_update`, `every_step`; throws UsageError at `where`.
ReadbackTiming parseLossReadback(const std::string& notation, const std::string& where);

TechniqueDescriptor lossReadbackDescriptor();

} // namespace headroom::config
