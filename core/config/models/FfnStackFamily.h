// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"

namespace headroom::config {

/// A stack of feed-forward layers as in diffusers' FeedForward: Linear, activation, dropout, Linear.
ModelFamily ffnStackFamily();

/// The six activation kinds; in the gated ones the first Linear has twice the inner width.
const std::vector<std::string>& activationKinds();
bool isGated(const std::string& activation);

/// Inner width of a feed-forward: dim * mult.
std::int64_t innerWidth(const ValueMap& fields);

/// Output width of the stack: dim_out, or dim if that is not given.
std::int64_t outputWidth(const ValueMap& fields);

} // namespace headroom::config
