// SPDX-License-Identifier: Apache-2.0
#include "core/base/Wording.h"

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

std::string grouped(std::int64_t number)
{
    std::string text = std::to_string(number);
    const std::size_t first = number < 0 ? 1 : 0;
    for (std::size_t end = text.size(); end > first + 3; end -= 3)
        text.insert(end - 3, ",");
    return text;
}

} // namespace headroom::experiments
