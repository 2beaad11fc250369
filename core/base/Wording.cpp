// SPDX-License-Identifier: Apache-2.0
#include "core/base/Wording.h"

#include <algorithm>

namespace headroom {

std::string inWords(std::string word)
{
    std::replace(word.begin(), word.end(), '_', ' ');
    return word;
}

std::string midSentence(std::string title)
{
    if (title.size() > 1 && title[0] >= 'A' && title[0] <= 'Z' && title[1] >= 'a' && title[1] <= 'z')
        title[0] = static_cast<char>(title[0] - 'A' + 'a');
    return title;
}

std::string counted(std::int64_t count, const std::string& thing)
{
    return grouped(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string countedOf(std::int64_t part, std::int64_t whole, const std::string& thing)
{
    return grouped(part) + " of " + counted(whole, thing);
}

std::string grouped(std::int64_t number)
{
    std::string text = std::to_string(number);
    const std::size_t first = number < 0 ? 1 : 0;
    for (std::size_t end = text.size(); end > first + 3; end -= 3)
        text.insert(end - 3, ",");
    return text;
}

std::string tallied(const std::vector<std::pair<std::int64_t, std::string>>& counts)
{
    std::vector<std::string> parts;
    for (const auto& [count, word] : counts)
        if (count > 0)
            parts.push_back(grouped(count) + " " + word);
    return joined(parts);
}

std::string joined(const std::vector<std::string>& words, const std::string& separator)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : separator) + word;
    return text;
}

std::string enumerated(const std::vector<std::string>& words)
{
    if (words.size() < 2)
        return joined(words);
    return joined({words.begin(), words.end() - 1}) + " and " + words.back();
}

std::string didYouMean(const std::string& name)
{
    return name.empty() ? "" : ", did you mean \"" + name + "\"?";
}

} // namespace headroom
