// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headroom::experiments {

/// The command as it can be typed: words that a shell would split or expand are put in single quotes.
std::string shellCommand(const std::vector<std::string>& words);

/// The words of a command made by shellCommand.
std::vector<std::string> shellWords(const std::string& command);

} // namespace headroom::experiments
