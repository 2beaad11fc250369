// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/CategoryLook.h"

#include "experiments/figures/Palette.h"

namespace headroom::figures {

Texture textureOf(std::size_t category)
{
    static constexpr std::array<Texture, kCategoryColours> kTextures{Texture::Plain, Texture::Rising, Texture::Plain,
        Texture::Level, Texture::Plain, Texture::Falling, Texture::Plain, Texture::Level, Texture::Plain, Texture::Dots,
        Texture::Plain, Texture::Crossed};
    return kTextures.at(category % kTextures.size());
}

// Slanted ones begin and end outside, so that those of neighbouring squares meet.
std::vector<Segment> linesOf(Texture texture)
{
    constexpr double kPx = kTexturePx;
    switch (texture) {
    case Texture::Rising:
        return {{{-1, kPx + 1}, {kPx + 1, -1}}, {{-1, 1}, {1, -1}}, {{kPx - 1, kPx + 1}, {kPx + 1, kPx - 1}}};
    case Texture::Falling:
        return {{{-1, -1}, {kPx + 1, kPx + 1}}, {{-1, kPx - 1}, {1, kPx + 1}}, {{kPx - 1, -1}, {kPx + 1, 1}}};
    case Texture::Level:
        return {{{0, kPx / 2}, {kPx, kPx / 2}}};
    case Texture::Crossed:
        return {{{0, kPx / 2}, {kPx, kPx / 2}}, {{kPx / 2, 0}, {kPx / 2, kPx}}};
    case Texture::Plain:
    case Texture::Dots:
        break;
    }
    return {};
}

std::vector<Pixel> dotsOf(Texture texture)
{
    if (texture != Texture::Dots)
        return {};
    return {{kTexturePx / 4, kTexturePx / 4}, {3 * kTexturePx / 4, 3 * kTexturePx / 4}};
}

Look lookOf(config::MemoryCategory category, Provenance provenance)
{
    return {static_cast<std::size_t>(category), Shape::Square, provenance, Hues::Categories};
}

} // namespace headroom::figures
