// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace headroom::rehearsal::fft {

constexpr int kMostDimensions = 3;

/// What a plan transforms: `batch` times a space of these extents, in complex numbers of so many bytes.
struct Shape {
    std::vector<long long> extents;
    long long batch = 1;
    bool isReal = false; ///< one side is
    std::size_t complexBytes = 8;
};

/// Takes a cufftType; false where it is none.
bool readType(int type, Shape& shape);
/// One to three extents, all of them there.
bool isShape(const Shape& shape);

/// The documentation gives the work area as one copy of the data in complex numbers for extents that have small prime
/// factors, and eight copies as the most that any transform takes.
struct WorkArea {
    std::size_t bytes = 0;
    std::size_t mostBytes = 0;
};

WorkArea workAreaOf(const Shape& shape);

template <typename Count> Shape shapeOf(int rank, const Count* extents, Count batch)
{
    Shape shape;
    if (rank >= 1 && rank <= kMostDimensions && extents != nullptr)
        for (int place = 0; place < rank; ++place)
            shape.extents.push_back(extents[place]);
    shape.batch = batch;
    return shape;
}

} // namespace headroom::rehearsal::fft
