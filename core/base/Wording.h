// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

/// A record's word for people: "out_of_memory" as "out of memory".
std::string inWords(std::string word);

/// A title as it stands within a sentence: "Saved activations" as "saved activations", "EMA" as it is.
std::string midSentence(std::string title);

/// "1 trial", "2 trials", "7,744 trials"
std::string counted(std::int64_t count, const std::string& thing);

/// "2 of 8 trials"
std::string countedOf(std::int64_t part, std::int64_t whole, const std::string& thing);

/// "7,744": digits in groups of three, in every locale.
std::string grouped(std::int64_t number);

/// "3 completed, 1 out of memory": how many there are of each word, without those of which there are none; "" for
/// nothing at all.
std::string tallied(const std::vector<std::pair<std::int64_t, std::string>>& counts);

/// "a, b, c"
std::string joined(const std::vector<std::string>& words, const std::string& separator = ", ");

/// "a, b and c"
std::string enumerated(const std::vector<std::string>& words);

/// ", did you mean "NAME"?" for messages; nothing for an empty name.
std::string didYouMean(const std::string& name);

} // namespace headroom
