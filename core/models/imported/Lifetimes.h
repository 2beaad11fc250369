// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/imported/GraphProgram.h"

namespace headroom::models {

/// Sets which values each node lets go, and returns for each value the node's index; the number of nodes for what lives
/// as long as the run: `kept` values, the graph's outputs, what outlives the graph in Python.
///
/// A value is let go as the capture recorded it, or else after its last use; without a record a value that is passed
/// into a module lives until that module's call ends, as a Python frame holds its arguments.
std::vector<std::size_t> setLifetimes(
    GraphProgram& program, const archive::ExportedModel& model, const std::vector<bool>& kept);

} // namespace headroom::models
