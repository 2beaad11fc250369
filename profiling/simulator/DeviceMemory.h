// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/SegmentAddresses.h"
#include "profiling/simulator/SegmentPlacement.h"
#include "profiling/simulator/Stream.h"

#include <map>
#include <optional>

namespace headroom::simulator {

/// More than any device has, and small enough that addresses stay below 2^53.
inline constexpr Bytes kUnlimitedBytes = Bytes{1} << 45;

/// The memory that a simulated device offers to an allocator.
struct DeviceCapacity {
    Bytes limitBytes = kUnlimitedBytes; ///< what segments may take together
    Bytes totalBytes = limitBytes; ///< what the device reports; memory fractions and virtual ranges refer to it
    config::SegmentAddresses segmentAddresses = config::SegmentAddresses::Ascending;
};

/// The device behind a caching allocator: it hands out bytes up to a limit, and virtual addresses.
///
/// Segments are placed as on the platform (SegmentPlacement). A real driver's choice is known only from recordings; it
/// matters if two free blocks of one stream have the same size: the lower one wins.
class DeviceMemory {
public:
    /// `nextAddress` returns multiples of `alignmentBytes`; the default is also cudaMalloc's alignment of segments.
    explicit DeviceMemory(DeviceCapacity capacity, Bytes alignmentBytes = 2 * kMiB);

    /// Takes bytes from the device; false if they are not available.
    [[nodiscard]] bool take(Bytes bytes);
    void giveBack(Bytes bytes) { m_takenBytes -= bytes; }

    /// Limits what may be taken to a fraction of the total, but never to less than is taken already.
    void setFraction(double fraction);
    bool hasFraction() const { return m_fractionBytes.has_value(); }
    Bytes fractionBytes() const { return m_fractionBytes.value_or(m_capacity.limitBytes); }

    /// Whether the memory fraction (not the device) allows this many more bytes.
    [[nodiscard]] bool fractionAllows(Bytes bytes);

    /// Virtual addresses outside all segments: ascending, never the same twice.
    Address nextAddress(Bytes bytes);

    /// Chooses the address of a new segment.
    Address placeSegment(Bytes bytes);
    void returnSegment(Address address, Bytes bytes);
    /// Puts the next segment at this address, taken from a recording, unless another one lies there: under other terms
    /// than the recording's it may not have been given back. Nothing: where the platform would put it.
    void dictateSegment(std::optional<Address> address) { m_dictatedAddress = address; }

    /// The address of the virtual range of a new expandable segment.
    Address placeRange(Bytes bytes);
    void dictateRange(std::optional<Address> address) { m_dictatedRange = address; }

    Bytes takenBytes() const { return m_takenBytes; }
    Bytes freeBytes() const;
    Bytes totalBytes() const { return m_capacity.totalBytes; }
    /// How much more the device (or the fraction) would have needed for the last refused request.
    Bytes missingBytes() const;
    /// The size of the last refused request.
    Bytes lastRefusedBytes() const { return m_lastRefusedBytes; }

private:
    bool isTaken(Address address, Bytes bytes) const;

    DeviceCapacity m_capacity;
    Bytes m_alignmentBytes;
    std::optional<Bytes> m_fractionBytes;
    Bytes m_takenBytes = 0;
    Bytes m_lastRefusedBytes = 0;
    Address m_nextAddress;
    SegmentPlacement m_placement;
    std::map<Address, Bytes> m_segments; ///< held, by address
    std::optional<Address> m_dictatedAddress;
    std::optional<Address> m_dictatedRange;
};

} // namespace headroom::simulator
