// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/Palette.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace headroom::figures {
namespace {

double channel(const std::string& colour, std::size_t at)
{
    const double value = std::stoi(colour.substr(at, 2), nullptr, 16) / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const std::string& colour)
{
    return 0.2126 * channel(colour, 1) + 0.7152 * channel(colour, 3) + 0.0722 * channel(colour, 5);
}

// The contrast ratio of the Web Content Accessibility Guidelines 2.
double contrast(const std::string& a, const std::string& b)
{
    const auto [dark, bright] = std::minmax({luminance(a), luminance(b)});
    return (bright + 0.05) / (dark + 0.05);
}

class PaletteTest : public testing::TestWithParam<Palette> { };

TEST_P(PaletteTest, textCanBeRead)
{
    for (const std::string& colour : {GetParam().ink, GetParam().muted, GetParam().budget})
        EXPECT_GE(contrast(colour, GetParam().surface), 4.5) << colour;
}

TEST_P(PaletteTest, marksStandOut)
{
    for (const std::string& colour : GetParam().series)
        EXPECT_GE(contrast(colour, GetParam().surface), 3) << colour;
}

TEST_P(PaletteTest, theGridStaysBehind)
{
    EXPECT_LT(contrast(GetParam().grid, GetParam().surface), 1.6);
}

INSTANTIATE_TEST_SUITE_P(Themes, PaletteTest, testing::Values(lightPalette(), darkPalette()));

} // namespace
} // namespace headroom::figures
