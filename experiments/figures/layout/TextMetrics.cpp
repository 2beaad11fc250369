// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/TextMetrics.h"

#include "core/base/Utf8.h"

#include <array>
#include <sstream>

namespace headroom::figures {
namespace {

constexpr double kBold = 1.12;
constexpr char32_t kEllipsis = U'…';

struct Width {
    std::u32string_view characters;
    double em;
};

// Rounded up from DejaVu Sans, the widest of the usual faces.
constexpr std::array<Width, 4> kWidths{
    {{U"ijl'", 0.3}, {U" .,:;-/\\|!fI", 0.38}, {U"rt()[]", 0.43}, {U"mwMW@%+=<>…—", 1.0}}};
double advance(char32_t c)
{
    for (const Width& width : kWidths)
        if (width.characters.find(c) != std::u32string_view::npos)
            return width.em;
    if (c >= U'A' && c <= U'Z')
        return 0.78;
    return c < 0x2E80 ? 0.65 : 1.05;
}

double width(std::u32string_view text, double fontPx)
{
    double em = 0;
    for (const char32_t c : text)
        em += advance(c);
    return em * fontPx;
}

} // namespace

double textWidth(std::string_view text, double fontPx)
{
    return width(codePoints(text), fontPx);
}

double boldTextWidth(std::string_view text, double fontPx)
{
    return kBold * textWidth(text, fontPx);
}

std::string elided(std::string_view text, double fontPx, double limit)
{
    std::u32string characters = codePoints(text);
    if (width(characters, fontPx) <= limit)
        return utf8(characters);
    while (!characters.empty() && width(characters + kEllipsis, fontPx) > limit)
        characters.pop_back();
    return utf8(characters + kEllipsis);
}

std::vector<std::string> wrapped(std::string_view text, double fontPx, double limit)
{
    std::vector<std::string> lines;
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;) {
        word = elided(word, fontPx, limit);
        if (!lines.empty() && textWidth(lines.back() + " " + word, fontPx) <= limit)
            lines.back() += " " + word;
        else
            lines.push_back(word);
    }
    return lines;
}

} // namespace headroom::figures
