// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"

namespace headroom::config {

/// How a feed-forward is split.
struct SplitFfnNotation {
    enum class Axis { None, Channels, Tokens };
    Axis axis = Axis::None;
    std::int64_t slices = 1;
    bool recompute = false; ///< each slice is recomputed in the backward pass; channels only

    bool operator==(const SplitFfnNotation&) const = default;
};

/// Parses `off`, `N`, `N:recompute`, `tokens:N`; throws UsageError at `where`.
SplitFfnNotation parseSplitFfn(const std::string& notation, const std::string& where);
std::string toText(const SplitFfnNotation& split);

/// Feed-forward layers that run in slices, so that the inner activation never exists in full.
TechniqueDescriptor splitFfnDescriptor();

} // namespace headroom::config
