// SPDX-License-Identifier: Apache-2.0
#include "experiments/Wording.h"

#include <algorithm>

namespace headroom::experiments {

std::string inWords(std::string word)
{
    std::replace(word.begin(), word.end(), '_', ' ');
    return word;
}

std::string counted(std::int64_t count, const std::string& thing)
{
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

} // namespace headroom::experiments
