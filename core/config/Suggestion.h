// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headroom::config {

/// What other programs' word for one of the `candidates` is here ("bf16": "bfloat16"), or empty.
std::string ownWordFor(const std::string& word, const std::vector<std::string>& candidates);

/// The one of a field's choices that was probably meant, or empty. Short words are not guessed at: "relu" is no "gelu".
std::string closestChoice(const std::string& text, const std::vector<std::string>& choices);

} // namespace headroom::config
