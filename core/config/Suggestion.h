// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"

#include <string>
#include <vector>

namespace headroom::config {

/// ", did you mean "NAME"?" for messages; nothing for an empty name.
std::string didYouMean(const std::string& name);

/// What other programs' word for one of the `candidates` is here ("bf16": "bfloat16"), or empty.
std::string ownWordFor(const std::string& word, const std::vector<std::string>& candidates);

/// The one of a field's choices that was probably meant, or empty. Short words are not guessed at: "relu" is no "gelu".
std::string closestChoice(const std::string& text, const std::vector<std::string>& choices);

/// The notation that was probably meant ("full": "all", "lora": "lora:16"), or empty.
std::string closestNotation(const TechniqueDescriptor& technique, const std::string& notation);

/// The path of a setting of that name alone ("frames": "workload.frames", "lr": "optimizer.lr"), or of the one that was
/// probably meant; empty where there is none.
std::string closestPath(const std::string& name);

/// The technique's normalise; a word that is none of its notations gets a suggestion. Throws UsageError.
std::string canonicalNotation(
    const TechniqueDescriptor& technique, const std::string& notation, const std::string& where);

} // namespace headroom::config
