// SPDX-License-Identifier: Apache-2.0
#include "app/cli/MarkdownText.h"

#include "experiments/Utf8.h"

namespace headroom::cli {
namespace {

std::string shortenedToBytes(std::string text, std::size_t mostBytes)
{
    if (text.size() <= mostBytes)
        return text;
    std::size_t end = mostBytes;
    while (end > 0 && (text[end] & 0xC0) == 0x80)
        --end;
    return text.substr(0, end) + "...";
}

// A backtick would end the code, a bar the cell; GitHub takes the backslash before a bar away in code too.
std::string cellCharacter(char c)
{
    if (c == '`')
        return "'";
    if (c == '|')
        return "\\|";
    const auto code = static_cast<unsigned char>(c);
    return code < 0x20 || code == 0x7F ? " " : std::string(1, c);
}

} // namespace

std::string markdownCode(const std::string& text, std::size_t mostBytes)
{
    std::string code;
    for (const char c : shortenedToBytes(experiments::validUtf8(text), mostBytes))
        code += cellCharacter(c);
    if (code.find_first_not_of(' ') == std::string::npos) // code of blanks only is none
        return "-";
    return "`" + code + "`";
}

} // namespace headroom::cli
