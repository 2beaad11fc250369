// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/solvers/CusolverSizes.h"

#include <algorithm>

namespace headroom::rehearsal::solver {
namespace {

constexpr double kBlock = 64;

WorkSize upTo(double counted, double most)
{
    return {counted, std::max(counted, most)};
}

} // namespace

WorkSize geqrf(double m, double n)
{
    return upTo(n * kBlock, m * n);
}

WorkSize orgqr(double m, double n)
{
    return upTo(m * n, m * n);
}

WorkSize ormqr(double m, double n)
{
    return upTo(std::max(m, n) * kBlock, m * n);
}

WorkSize getrf(double m, double n)
{
    return upTo(std::max(m, n) * kBlock, m * n);
}

WorkSize potrf(double n)
{
    return upTo(n * kBlock, n * n);
}

WorkSize sytrf(double n)
{
    return upTo(n * kBlock, n * n);
}

// The bidiagonal form, then the vectors of both sides.
WorkSize gesvd(double m, double n)
{
    const double least = std::min(m, n);
    return upTo(3 * least + (m + n) * kBlock, 3 * least * least + 2 * m * n);
}

// One-sided rotations work on copies of the matrix and of the vectors.
WorkSize gesvdj(double m, double n)
{
    return upTo(m * n + n * n, 4 * (m * n + n * n));
}

WorkSize syevd(double n)
{
    return upTo(1 + 6 * n + 2 * n * n, 4 * n * n + n * kBlock);
}

WorkSize syevj(double n)
{
    return upTo(2 * n * n, 6 * n * n);
}

WorkSize geev(double n)
{
    return upTo(n * (kBlock + 2), 3 * n * n);
}

WorkSize syevBatchedBytes(double n, double batch, double elementBytes)
{
    constexpr double kSmallest = 32; // below, all take the same
    constexpr double kMeasured =
        271'320 / (32.0 * 32.0 * 4); // (4,452 MB less the tensors) / 16,384, by element of 32 x 32
    const double extent = std::max(n, kSmallest);
    const double counted = kMeasured * extent * extent * elementBytes * batch;
    return upTo(counted, 2 * counted);
}

} // namespace headroom::rehearsal::solver
