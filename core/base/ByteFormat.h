// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A binary unit in which people read bytes.
struct ByteUnit {
    Bytes size = 1;
    const char* name = "B";
    int decimals = 0;
};

/// The unit in which the largest of these is at least 1, or the next finer one (with one decimal) where the smallest
/// would be less than a tenth. Three decimals otherwise.
ByteUnit unitFor(const std::vector<std::optional<Bytes>>& amounts);

/// The number alone, in the unit; "" for an unknown amount.
std::string inUnit(std::optional<Bytes> bytes, const ByteUnit& unit);

/// As config::sizeText: "5.01 GiB".
std::string readable(Bytes bytes);

} // namespace headroom::experiments
