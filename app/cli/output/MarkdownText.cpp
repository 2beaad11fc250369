// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/MarkdownText.h"

#include "core/base/ShownText.h"

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
    return {c};
}

} // namespace

std::string markdownCode(const std::string& text, std::size_t mostBytes)
{
    std::string code;
    for (const char c : shortenedToBytes(config::shownLine(text), mostBytes))
        code += cellCharacter(c);
    if (code.find_first_not_of(' ') == std::string::npos) // code of blanks only is none
        return "-";
    return "`" + code + "`";
}

} // namespace headroom::cli
