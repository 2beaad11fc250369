// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"

#include <cstdint>
#include <optional>
#include <string>

namespace headroom::models {

/// The least number that an input of integers must stay below, as the graph picks rows, elements or classes by it: rows
/// of a table that it looks up, nodes between which it names edges, classes of a loss. Nothing: it picks none.
std::optional<std::int64_t> indexBound(
    const archive::ExportedModel& model, const std::string& input, const archive::SymbolValues& symbols);

} // namespace headroom::models
