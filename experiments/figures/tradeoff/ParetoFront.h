// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace headroom::figures {

struct Cost {
    double memory = 0; ///< less is better
    double speed = 0; ///< more is better
};

/// Indices of those that no other one beats: none has less memory at no less speed, or more speed at no more memory.
/// In order of memory. Of equal ones all are on the front.
std::vector<std::size_t> paretoFront(std::span<const Cost> costs);

/// The fastest with at most `memory`, of equally fast ones the smallest, of equal ones the first.
std::optional<std::size_t> fastestWithin(std::span<const Cost> costs, double memory);

} // namespace headroom::figures
