// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace headroom::experiments {

/// A record's word for people: "out_of_memory" as "out of memory".
std::string inWords(std::string word);

/// "1 trial", "2 trials"
std::string counted(std::int64_t count, const std::string& thing);

/// "7,744": digits in groups of three, in every locale.
std::string grouped(std::int64_t number);

} // namespace headroom::experiments
