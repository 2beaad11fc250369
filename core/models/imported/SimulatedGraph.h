// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/imported/GraphProgram.h"

namespace headroom::models {

/// Throws TrialError that lists, by module and source line, the operators that a device without data cannot run: sizes
/// of their results depend on values, or they have no kernel for the meta device.
void requireSimulated(const GraphProgram& program, const std::string& file);

} // namespace headroom::models
