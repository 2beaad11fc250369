// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/MemoryCategory.h"

#include <array>
#include <cstddef>
#include <string>

namespace headroom::figures {

inline constexpr std::size_t kSeriesColours = 6;
inline constexpr std::size_t kCategoryColours = config::kMemoryCategoryCount;

/// How much of its colour a predicted bar has. A texture of lines would shimmer.
inline constexpr double kPaleBar = 0.3;

/// The colours of a theme, "#rrggbb". Hues follow the idea of Okabe and Ito, "Color Universal Design" (2008): blue,
/// vermilion, bluish green and so on stay apart for the common kinds of colour blindness; the values are our own,
/// chosen for a contrast to the surface of at least 4.5 (text) and 3 (marks). Colour is never the only sign.
struct Palette {
    std::string surface;
    std::string ink;
    std::string muted; ///< lesser text
    std::string grid;
    std::string budget;
    std::array<std::string, kSeriesColours> series;
    /// By the number of config::MemoryCategory: grounds that words in onCategory can be read on. Found by a search for
    /// colours that stay apart, neighbours in the stack most of all, for eyes with and without each of the three kinds
    /// of colour blindness (Machado and others 2009); PaletteTest holds them to it. Textures tell them apart, too.
    std::array<std::string, kCategoryColours> categories;
    std::string onCategory; ///< words and textures
};

Palette lightPalette();
Palette darkPalette();
/// References to custom properties of the page: var(--hr-ink), ...
Palette propertyPalette();

} // namespace headroom::figures
