// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/Palette.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

Vector times(const Matrix& matrix, const Vector& vector)
{
    Vector result{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            result[row] += matrix[row][column] * vector[column];
    return result;
}

/// How eyes see linear RGB: the full deficiencies of Machado, Oliveira and Fernandes (2009).
struct Eye {
    const char* name;
    Matrix sees;
};

constexpr std::array<Eye, 4> kEyes{{{"usual", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
        {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
        {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia",
        {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}}};

/// A hundred times Ottosson's Oklab (2020).
Vector perceived(const std::string& colour, const Eye& eye)
{
    static constexpr Matrix kCones{{{0.4122214708, 0.5363325363, 0.0514459929},
        {0.2119034982, 0.6806995451, 0.1073969566}, {0.0883024619, 0.2817188376, 0.6299787005}}};
    static constexpr Matrix kLab{{{21.04542553, 79.36177850, -0.40720468}, {197.79984951, -242.85922050, 45.05937099},
        {2.59040371, 78.27717662, -80.86757660}}};
    Vector seen = times(eye.sees, {channel(colour, 1), channel(colour, 3), channel(colour, 5)});
    for (double& part : seen)
        part = std::clamp(part, 0.0, 1.0);
    Vector cones = times(kCones, seen);
    for (double& cone : cones)
        cone = std::cbrt(cone);
    return times(kLab, cones);
}

double distance(const std::string& a, const std::string& b, const Eye& eye)
{
    const Vector first = perceived(a, eye);
    const Vector second = perceived(b, eye);
    return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
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

TEST_P(PaletteTest, wordsCanBeReadOnTheGroundsOfCategories)
{
    for (const std::string& colour : GetParam().categories)
        EXPECT_GE(contrast(colour, GetParam().onCategory), 4.5) << colour;
}

TEST_P(PaletteTest, categoriesStayApartForAllEyes)
{
    const auto& grounds = GetParam().categories;
    for (const Eye& eye : kEyes)
        for (std::size_t i = 0; i < grounds.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GE(distance(grounds[i], grounds[j], eye), i - j == 1 ? 9 : 5)
                    << eye.name << ": " << grounds[i] << " and " << grounds[j];
}

TEST_P(PaletteTest, theGridStaysBehind)
{
    EXPECT_LT(contrast(GetParam().grid, GetParam().surface), 1.6);
}

INSTANTIATE_TEST_SUITE_P(Themes, PaletteTest, testing::Values(lightPalette(), darkPalette()));

} // namespace
} // namespace headroom::figures
