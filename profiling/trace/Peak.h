// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <cstdint>

namespace headroom::trace {

/// A maximum and when it was first reached.
struct Peak {
    Bytes bytes = 0;
    std::int64_t timeNs = 0;

    bool operator==(const Peak&) const = default;
};

} // namespace headroom::trace
