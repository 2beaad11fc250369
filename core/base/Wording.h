// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headroom {

/// A record's word for people: "out_of_memory" as "out of memory".
std::string inWords(std::string word);

/// "1 trial", "2 trials"
std::string counted(std::int64_t count, const std::string& thing);

/// "7,744": digits in groups of three, in every locale.
std::string grouped(std::int64_t number);

/// "a, b, c"
std::string joined(const std::vector<std::string>& words, const std::string& separator = ", ");

/// "a, b and c"
std::string enumerated(const std::vector<std::string>& words);

/// ", did you mean "NAME"?" for messages; nothing for an empty name.
std::string didYouMean(const std::string& name);

} // namespace headroom
