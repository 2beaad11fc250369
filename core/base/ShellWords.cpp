// SPDX-License-Identifier: Apache-2.0
#include "core/base/ShellWords.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

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

constexpr const char* kHidden = "HIDDEN";

// "HF_TOKEN" of "--hf-token".
std::string plainName(std::string_view name)
{
    std::string plain;
    for (const char c : name) {
        const auto letter = static_cast<unsigned char>(c);
        plain += std::isalnum(letter) != 0 ? static_cast<char>(std::toupper(letter)) : '_';
    }
    return plain;
}

bool endsAsWord(const std::string& name, std::string_view word)
{
    return name == word || name.ends_with("_" + std::string(word));
}

// Up to and with the "=" behind the first name that holds a secret; npos: there is none.
std::size_t secretValueIn(const std::string& word)
{
    std::size_t begin = 0;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (word[i] == '=' && isSecretName(std::string_view(word).substr(begin, i - begin)))
            return i + 1;
        if (std::string_view("=,;: \t\n\"'{}").find(word[i]) != std::string_view::npos)
            begin = i + 1;
    }
    return std::string::npos;
}

bool isSecretOption(const std::string& word)
{
    return word.starts_with('-') && word.find('=') == std::string::npos && isSecretName(word);
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

bool isSecretName(std::string_view name)
{
    const std::string plain = plainName(name);
    constexpr std::array kEndings{"TOKEN", "KEY", "SECRET", "CREDENTIALS", "APIKEY"};
    constexpr std::array kParts{"PASSWORD", "PASSWD", "PASSPHRASE"};
    return std::ranges::any_of(kEndings, [&](const char* ending) { return endsAsWord(plain, ending); })
        || std::ranges::any_of(kParts, [&](const char* part) { return plain.find(part) != std::string::npos; });
}

std::string shownCommand(const std::string& command)
{
    if (command.empty())
        return {};
    std::vector<std::string> words = shellWords(command);
    bool isValue = false; // of the option before
    for (std::string& word : words) {
        if (std::exchange(isValue, isSecretOption(word)) && !word.starts_with('-'))
            word = kHidden;
        else if (const std::size_t value = secretValueIn(word); value != std::string::npos)
            word = word.substr(0, value) + kHidden;
    }
    return shellCommand(words);
}

} // namespace headroom::experiments
