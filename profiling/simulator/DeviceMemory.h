// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/SegmentAddresses.h"
#include "profiling/simulator/SegmentPlacement.h"
#include "profiling/simulator/Stream.h"

#include <optional>

namespace headroom::simulator {

/// More than any device has, and small enough that addresses stay below 2^53.
inline constexpr Bytes kUnlimitedBytes = Bytes{1} << 45;

/// What a simulated device offers to an allocator.
struct DeviceCapacity {
    Bytes limitBytes = kUnlimitedBytes; ///< what segments may take together
    Bytes totalBytes = limitBytes; ///< what the device reports; memory fractions and virtual ranges refer to it
    config::SegmentAddresses segmentAddresses = config::SegmentAddresses::Ascending;
};

/// The device behind a caching allocator: hands out bytes up to a limit, and virtual addresses.
///
/// Where segments lie follows the platform (SegmentPlacement). A real driver's choice is known from recordings only; it
/// matters where two free blocks of one stream have the same size: the lower one wins.
class DeviceMemory {
public:
    /// What `nextAddress` gives are multiples of `alignmentBytes`; the default is what cudaMalloc gives to segments,
    /// too.
    explicit DeviceMemory(DeviceCapacity capacity, Bytes alignmentBytes = 2 * kMiB);

    /// Takes bytes from the device; false when they are not there.
    [[nodiscard]] bool take(Bytes bytes);
    void giveBack(Bytes bytes) { m_takenBytes -= bytes; }

    /// Limits what may be taken to a part of the total; at least what is taken is kept.
    void setFraction(double fraction);
    bool hasFraction() const { return m_fractionBytes.has_value(); }
    Bytes fractionBytes() const { return m_fractionBytes.value_or(m_capacity.limitBytes); }

    /// Whether the memory fraction (not the device) allows this much more.
    [[nodiscard]] bool fractionAllows(Bytes bytes);

    /// Virtual addresses that are no segment's: ascending, never twice.
    Address nextAddress(Bytes bytes);

    /// Where a segment lies from now on.
    Address placeSegment(Bytes bytes);
    void returnSegment(Address address, Bytes bytes);
    /// The next segment lies there, as a recording says.
    void dictateSegment(Address address) { m_dictatedAddress = address; }

    Bytes takenBytes() const { return m_takenBytes; }
    Bytes freeBytes() const;
    Bytes totalBytes() const { return m_capacity.totalBytes; }
    /// How much more the device (or the fraction) would need for the last refused request.
    Bytes missingBytes() const;
    /// What the last refused request asked for.
    Bytes lastRefusedBytes() const { return m_lastRefusedBytes; }

private:
    DeviceCapacity m_capacity;
    Bytes m_alignmentBytes;
    std::optional<Bytes> m_fractionBytes;
    Bytes m_takenBytes = 0;
    Bytes m_lastRefusedBytes = 0;
    Address m_nextAddress;
    SegmentPlacement m_placement;
    std::optional<Address> m_dictatedAddress;
};

} // namespace headroom::simulator
