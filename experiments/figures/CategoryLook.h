// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/MemoryCategory.h"
#include "experiments/figures/Box.h"
#include "experiments/figures/Figure.h"

#include <cstddef>
#include <vector>

namespace headroom::figures {

/// What lies on the ground of a category, so that its colour is not the only sign of it: lines or dots in a square of
/// kTexturePx that repeats. Neighbours in the stack have different ones.
enum class Texture { Plain, Rising, Falling, Level, Dots, Crossed };

inline constexpr double kTexturePx = 8;
inline constexpr double kTextureLinePx = 1.2;
inline constexpr double kTextureDotPx = 1.1; ///< radius
inline constexpr double kTextureOpacity = 0.4; ///< of Palette::onCategory

/// How opaque the surface is over what was not held all the time.
inline constexpr double kFade = 0.5;

Texture textureOf(std::size_t category);

/// The lines of a texture within its square; of dots and of none there are none.
std::vector<Segment> linesOf(Texture texture);
/// The middles of its dots.
std::vector<Pixel> dotsOf(Texture texture);

Look lookOf(config::MemoryCategory category, Provenance provenance);

} // namespace headroom::figures
