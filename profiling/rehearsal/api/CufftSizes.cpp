// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/CufftSizes.h"

#include <algorithm>
#include <bit>

namespace headroom::rehearsal::fft {
namespace {

// Of which the greatest prime factor is at most 127: others go through a convolution of at least twice the length.
bool isDirect(long long extent)
{
    for (long long factor = 2; factor <= 127; ++factor)
        while (extent % factor == 0)
            extent /= factor;
    return extent == 1;
}

std::size_t complexElements(const Shape& shape)
{
    std::size_t elements = static_cast<std::size_t>(shape.batch);
    for (std::size_t place = 0; place < shape.extents.size(); ++place) {
        const auto extent = static_cast<std::size_t>(shape.extents[place]);
        elements *= shape.isReal && place + 1 == shape.extents.size() ? extent / 2 + 1 : extent;
    }
    return elements;
}

} // namespace

bool readType(int type, Shape& shape)
{
    constexpr int kDouble = 0x40;
    constexpr int kComplex = 0x29;
    const int kind = type & ~kDouble;
    if (kind != kComplex && kind != 0x2A && kind != 0x2C)
        return false;
    shape.isReal = kind != kComplex;
    shape.complexBytes = (type & kDouble) != 0 ? 16 : 8;
    return true;
}

WorkArea workAreaOf(const Shape& shape)
{
    const std::size_t copy = complexElements(shape) * shape.complexBytes;
    WorkArea area{copy, copy};
    for (const long long extent : shape.extents)
        if (!isDirect(extent)) {
            const auto padded = std::bit_ceil(static_cast<std::size_t>(2 * extent - 1));
            area.bytes = std::max(area.bytes, copy / static_cast<std::size_t>(extent) * padded);
            area.mostBytes = 8 * copy;
        }
    area.mostBytes = std::max(area.mostBytes, area.bytes);
    return area;
}

bool isShape(const Shape& shape)
{
    const auto isThere = [](long long extent) { return extent >= 1; };
    return !shape.extents.empty() && shape.extents.size() <= kMostDimensions && shape.batch >= 1
        && std::all_of(shape.extents.begin(), shape.extents.end(), isThere);
}

} // namespace headroom::rehearsal::fft
