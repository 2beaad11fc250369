// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/Console.h"

#include "app/cli/output/Table.h"
#include "core/base/ShownText.h"

#include <cstdlib>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace headroom::cli {
namespace {

std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

const char* startOf(Colour colour)
{
    switch (colour) {
    case Colour::Red:
        return "\x1b[31m";
    case Colour::Green:
        return "\x1b[32m";
    case Colour::Yellow:
        return "\x1b[33m";
    case Colour::Plain:
        break;
    }
    return "";
}

// The first `columns` code points.
std::string cut(const std::string& text, std::size_t columns)
{
    std::string kept;
    for (std::size_t i = 0; i < text.size() && (displayWidth(kept) < columns || (text[i] & 0xC0) == 0x80); ++i)
        kept += text[i];
    return kept;
}

} // namespace

// https://no-color.org: any value that is not empty switches colours off.
Console::Console()
    : m_isTerminal(::isatty(STDERR_FILENO) == 1 && variable("TERM") != "dumb")
    , m_hasColours(m_isTerminal && variable("NO_COLOR").empty())
{
}

int Console::columns() const
{
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string Console::painted(const ColouredText& piece) const
{
    const std::string text = config::shownLine(piece.text);
    return m_hasColours && piece.colour != Colour::Plain ? startOf(piece.colour) + text + "\x1b[0m" : text;
}

void Console::line(const std::string& text)
{
    colouredLine({ColouredText{text}});
}

void Console::colouredLine(const std::vector<ColouredText>& pieces)
{
    clearStatus();
    for (const ColouredText& piece : pieces)
        std::cerr << painted(piece);
    std::cerr << std::endl;
}

void Console::status(const std::string& text)
{
    if (!m_isTerminal)
        return;
    std::cerr << "\r\x1b[K" << cut(config::shownLine(text), static_cast<std::size_t>(columns() - 1)) << std::flush;
    m_hasStatus = true;
}

void Console::clearStatus()
{
    if (m_hasStatus)
        std::cerr << "\r\x1b[K" << std::flush;
    m_hasStatus = false;
}

} // namespace headroom::cli
