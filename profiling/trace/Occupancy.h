// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headroom::trace {

/// A stretch of time, ns.
struct Span {
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0; ///< exclusive

    bool operator==(const Span&) const = default;
};

/// How much of the time something was busy, in equal stretches of time: what is drawn of millions of kernels.
struct Occupancy {
    /// At most so many stretches.
    static constexpr std::size_t kMostStretches = 1 << 19;

    std::int64_t firstNs = 0; ///< begin of the first stretch
    int shift = 0; ///< log2 of a stretch's nanoseconds
    std::vector<std::uint64_t> busyNs{}; ///< of each stretch

    bool operator==(const Occupancy&) const = default;
};

/// Adds up spans that come in the order of their begin. The longer the whole, the longer its stretches.
class OccupancyBuilder {
public:
    /// Spans without a length are passed over; what overlaps counts once.
    void add(const Span& span);
    Occupancy take();

private:
    void count(const Span& span);
    std::uint64_t offsetOf(std::int64_t timeNs) const;
    void halve();

    Occupancy m_occupancy{.shift = 10};
    Span m_open; ///< not counted yet: the next one may go on with it
    bool m_hasOpen = false;
    bool m_hasBegun = false;
};

/// Byte layout: docs/database.md.
std::vector<std::byte> encodeOccupancy(const Occupancy& occupancy);

/// Bounds-checked; throws MalformedBlock for anything out of form.
Occupancy decodeOccupancy(std::span<const std::byte> data);

} // namespace headroom::trace
