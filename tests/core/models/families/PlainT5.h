// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "tests/reference/PlainMatrix.h"

namespace headroom::reference {

/// One text for the encoder.
struct Text {
    std::vector<std::int64_t> tokens;
    std::vector<bool> isKept; ///< false: padding
};

/// The bucket of a distance (key - query), found by comparing whole numbers.
std::int64_t plainBucket(std::int64_t distance, std::int64_t buckets, std::int64_t farthest);

/// The encoder of T5 v1.1 once more, from the formulas: hidden states of one text, [tokens, d_model].
Matrix plainT5Encoder(const config::ValueMap& fields, const Parameters& parameters, const Text& text);

} // namespace headroom::reference
