// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"

#include <optional>
#include <string>

namespace headroom::config {

/// What a name of the workload means as a size of an imported model's inputs.
struct NamedSize {
    std::string field{}; ///< the workload's field that sets it; empty: it cannot be set
    std::string place{}; ///< "input_ids.1"
    std::optional<std::int64_t> fixedTo{}; ///< by the export; nothing: it is free, or follows from sizes that are
    std::string remedy{}; ///< of a fixed one: the line of an export that leaves it free, "dynamic_shapes={...}"
};

/// A size by the name of its field, by its place ("input_ids.1": dimension 1 of the input input_ids) or by its usual
/// name (batch, sequence_length, frames, height, width). Nothing: the inputs have no such size.
std::optional<NamedSize> namedSize(const archive::ExportedModel& model, const std::string& name);

} // namespace headroom::config
