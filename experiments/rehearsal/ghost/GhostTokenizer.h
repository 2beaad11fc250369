// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/ghost/GhostConfiguration.h"

#include <map>
#include <string>

namespace headroom::experiments {

/// The files of a tokenizer with as many tokens as the model's vocabulary has, by name: a byte-level one, which reads
/// and writes any text, with the special tokens at the ids that the configuration says. It is none that was learnt: its
/// pieces are single letters, pairs and fours of the letters that are most frequent in English, so that its tokens are
/// about as long as real ones. None for a model without a vocabulary.
std::map<std::string, std::string> ghostTokenizer(const GhostConfiguration& configuration);

} // namespace headroom::experiments
