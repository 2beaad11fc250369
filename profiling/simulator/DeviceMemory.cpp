// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/DeviceMemory.h"

#include <algorithm>
#include <utility>

namespace headroom::simulator {

namespace {

/// Above all segments, below 2^53.
constexpr Address kFirstAddress = Address{1} << 48;

} // namespace

DeviceMemory::DeviceMemory(DeviceCapacity capacity, Bytes alignmentBytes)
    : m_capacity(capacity)
    , m_alignmentBytes(alignmentBytes)
    , m_nextAddress(kFirstAddress)
    , m_placement(capacity.segmentAddresses)
{
}

bool DeviceMemory::take(Bytes bytes)
{
    if (bytes > m_capacity.limitBytes - m_takenBytes) {
        m_lastRefusedBytes = bytes;
        return false;
    }
    m_takenBytes += bytes;
    return true;
}

void DeviceMemory::setFraction(double fraction)
{
    m_fractionBytes = static_cast<Bytes>(fraction * static_cast<double>(m_capacity.totalBytes));
}

bool DeviceMemory::fractionAllows(Bytes bytes)
{
    if (!m_fractionBytes || m_takenBytes + bytes <= *m_fractionBytes)
        return true;
    m_lastRefusedBytes = bytes;
    return false;
}

Address DeviceMemory::nextAddress(Bytes bytes)
{
    const Address address = m_nextAddress;
    m_nextAddress += static_cast<Address>(roundUp(bytes, m_alignmentBytes));
    return address;
}

Address DeviceMemory::placeSegment(Bytes bytes)
{
    const auto dictated = std::exchange(m_dictatedAddress, std::nullopt);
    const bool isThere = dictated && !isTaken(*dictated, bytes);
    if (isThere)
        m_placement.adopt(*dictated, bytes);
    const Address address = isThere ? *dictated : m_placement.place(bytes);
    m_segments[address] = bytes;
    return address;
}

bool DeviceMemory::isTaken(Address address, Bytes bytes) const
{
    const auto after = m_segments.lower_bound(address + static_cast<Address>(bytes));
    if (after == m_segments.begin())
        return false;
    const auto& [begin, held] = *std::prev(after);
    return begin + static_cast<Address>(held) > address;
}

Address DeviceMemory::placeRange(Bytes bytes)
{
    const auto dictated = std::exchange(m_dictatedRange, std::nullopt);
    return dictated ? *dictated : nextAddress(bytes);
}

void DeviceMemory::returnSegment(Address address, Bytes bytes)
{
    m_placement.giveBack(address);
    m_segments.erase(address);
    giveBack(bytes);
}

Bytes DeviceMemory::freeBytes() const
{
    return std::max(Bytes{0}, std::min(m_capacity.limitBytes, fractionBytes()) - m_takenBytes);
}

Bytes DeviceMemory::missingBytes() const
{
    return m_takenBytes + m_lastRefusedBytes - std::min(m_capacity.limitBytes, fractionBytes());
}

} // namespace headroom::simulator
