// SPDX-License-Identifier: Apache-2.0
#include "core/config/Suggestion.h"

#include "core/config/Field.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headroom::config {
namespace {

// Words of at least this length are corrected if misspelt.
constexpr std::size_t kShortWord = 7;

// Words of other programs and ours; the first of ours that is valid is meant.
constexpr std::array kOtherWords{std::pair{"bf16", "bfloat16"}, std::pair{"bfloat16", "bf16"},
    std::pair{"fp16", "float16"}, std::pair{"float16", "fp16"}, std::pair{"f16", "float16"},
    std::pair{"half", "float16"}, std::pair{"half", "fp16"}, std::pair{"fp32", "float32"}, std::pair{"f32", "float32"},
    std::pair{"float", "float32"}, std::pair{"single", "float32"}, std::pair{"fp64", "float64"},
    std::pair{"double", "float64"}, std::pair{"fp8", "e4m3"}, std::pair{"float8", "e4m3"},
    std::pair{"float8_e4m3fn", "e4m3"}, std::pair{"float8_e5m2", "e5m2"}, std::pair{"full", "all"},
    std::pair{"on", "all"}, std::pair{"off", "none"}, std::pair{"none", "off"}, std::pair{"training", "train"},
    std::pair{"infer", "inference"}, std::pair{"forward", "inference"}, std::pair{"selective", "ops"},
    std::pair{"eager", "math"}, std::pair{"sdpa", "auto"}, std::pair{"cpu", "host"}};

// "float16" is meant literally, even where only "bfloat16" is valid.
bool isKnownWord(const std::string& word)
{
    return std::any_of(kOtherWords.begin(), kOtherWords.end(),
        [&](const auto& words) { return word == words.first || word == words.second; });
}

} // namespace

std::string ownWordFor(const std::string& word, const std::vector<std::string>& candidates)
{
    for (const auto& [other, own] : kOtherWords)
        if (word == other && std::find(candidates.begin(), candidates.end(), own) != candidates.end())
            return own;
    return {};
}

std::string closestChoice(const std::string& text, const std::vector<std::string>& choices)
{
    if (const std::string own = ownWordFor(text, choices); !own.empty())
        return own;
    return text.size() < kShortWord || isKnownWord(text) ? std::string() : closestName(text, choices);
}

} // namespace headroom::config
