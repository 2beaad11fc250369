// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"
#include "core/config/Problem.h"
#include "core/config/Value.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::config {

/// What a name of the workload means as a size of an imported model's inputs.
struct NamedSize {
    std::string field{}; ///< the workload's field that sets it; empty: it cannot be set
    std::string place{}; ///< "input_ids.1"
    std::optional<Value> fixedTo{}; ///< by the export; nothing: it is free, or follows from sizes that are
    /// Of a fixed one: the line of an export that leaves it free, "dynamic_shapes={...}"; empty: no export does.
    std::string remedy{};
};

/// A size by the name of its field, by its place ("input_ids.1": dimension 1 of the input input_ids) or by its usual
/// name (batch, sequence_length, frames, height, width); a number among the inputs by its own ("num_frames"). Nothing:
/// the inputs have no such size.
std::optional<NamedSize> namedSize(const archive::ExportedModel& model, const std::string& name);

/// The symbols' values of a workload's shapes.
archive::SymbolValues symbolsOf(const archive::ExportedModel& model, const ValueMap& shapes);

/// Sizes that the export's bounds and guards exclude, each at the workload's field that it is about.
std::vector<Problem> sizeProblems(const archive::ExportedModel& model, const ValueMap& shapes);

} // namespace headroom::config
