// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headroom::config {

/// The one of the `candidates` that another program's word corresponds to ("bf16": "bfloat16"), or empty.
std::string ownWordFor(const std::string& word, const std::vector<std::string>& candidates);

/// The choice that was probably meant, or empty. Short words are not corrected: "relu" does not become "gelu".
std::string closestChoice(const std::string& text, const std::vector<std::string>& choices);

} // namespace headroom::config
