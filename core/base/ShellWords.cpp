// SPDX-License-Identifier: Apache-2.0
#include "core/base/ShellWords.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace headroom::experiments {
namespace {

bool isPlain(char c)
{
    constexpr std::string_view kHarmless = "_-+=./,:@%^";
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || kHarmless.find(c) != std::string_view::npos;
}

// A quote within the word closes the quoting, is escaped, and opens it again.
std::string quoted(const std::string& word)
{
    if (!word.empty() && std::all_of(word.begin(), word.end(), isPlain))
        return word;
    std::string result = "'";
    for (const char c : word)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

} // namespace

std::string shellCommand(const std::vector<std::string>& words)
{
    std::string command;
    for (const std::string& word : words)
        command += (command.empty() ? "" : " ") + quoted(word);
    return command;
}

std::vector<std::string> shellWords(const std::string& command)
{
    std::vector<std::string> words{""};
    bool isQuoted = false;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char c = command[i];
        if (c == '\'')
            isQuoted = !isQuoted;
        else if (c == ' ' && !isQuoted)
            words.emplace_back();
        else if (c == '\\' && !isQuoted && i + 1 < command.size())
            words.back() += command[++i];
        else
            words.back() += c;
    }
    return words;
}

} // namespace headroom::experiments
