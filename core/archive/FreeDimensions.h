// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"

namespace headroom::archive {

/// Smallest and largest value of a symbol, by its name.
using SymbolRanges = std::map<std::string, std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>>;

/// The usual name of a dimension (batch, sequence_length, frames, height, width); empty if it has none.
std::string usualSizeName(const UserInput& input, std::size_t dimension);

/// The free sizes of a model's inputs, in their order. A size that has a usual name (batch, sequence_length, frames,
/// height, width) bears it, unless another one of the model does.
std::vector<FreeDimension> freeDimensionsOf(const std::vector<UserInput>& inputs, const SymbolRanges& ranges);

} // namespace headroom::archive
