// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

/// Turns a record's word into words for people: "out_of_memory" into "out of memory".
std::string inWords(std::string word);

/// A title as it is written within a sentence: "Saved activations" as "saved activations", "EMA" unchanged.
std::string midSentence(std::string title);

/// "1 trial", "2 trials", "7,744 trials"
std::string counted(std::int64_t count, const std::string& thing);

/// "2 of 8 trials"
std::string countedOf(std::int64_t part, std::int64_t whole, const std::string& thing);

/// "7,744": digits in groups of three, in every locale.
std::string grouped(std::int64_t number);

/// "3 completed, 1 out of memory": the count for each word, without those whose count is zero; "" if none remain.
std::string tallied(const std::vector<std::pair<std::int64_t, std::string>>& counts);

/// "a, b, c"
std::string joined(const std::vector<std::string>& words, const std::string& separator = ", ");

/// "a, b and c"
std::string enumerated(const std::vector<std::string>& words);

/// ", did you mean "NAME"?" for messages; "" for an empty name.
std::string didYouMean(const std::string& name);

} // namespace headroom
