// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "tests/reference/PlainMatrix.h"

namespace headroom::reference {

/// One sequence for a language model.
struct Sequence {
    std::vector<std::int64_t> tokens;
    std::vector<bool> isKept; ///< false: padding
    std::vector<std::int64_t> positions;
};

/// Llama once more, from the formulas: logits of one sequence, [tokens, vocabulary].
Matrix plainLlama(const config::ValueMap& fields, const Parameters& parameters, const Sequence& sequence);

/// Mean over all tokens but the last of each sequence of -log(probability of the next one).
double plainCrossEntropy(const std::vector<Matrix>& logits, const std::vector<Sequence>& sequences);

} // namespace headroom::reference
