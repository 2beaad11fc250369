// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/RecordSizes.h"

#include <cupti.h>

#include <array>

namespace headroom::collectors::cupti {
namespace {

constexpr std::uint32_t kMostKinds = 128; // 13.0 has 56
constexpr std::size_t kMostBytes = 1024;
constexpr std::size_t kAlignment = 8; // ACTIVITY_RECORD_ALIGNMENT

// The distance between the first two records of a buffer in which a record of this kind could begin at every aligned
// position.
std::size_t stepOver(std::uint32_t kind)
{
    struct Place {
        std::uint32_t kind;
        std::uint32_t rest;
    };
    static_assert(sizeof(Place) == kAlignment);
    alignas(kAlignment) std::array<Place, 2 * kMostBytes / kAlignment> places;
    places.fill({kind, 0});
    auto* buffer = reinterpret_cast<std::uint8_t*>(places.data());
    CUpti_Activity* record = nullptr;
    for (int index = 0; index < 2; ++index)
        if (cuptiActivityGetNextRecord(buffer, sizeof(places), &record) != CUPTI_SUCCESS)
            return 0;
    return static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(record) - buffer);
}

} // namespace

RecordSizes RecordSizes::ofLibrary()
{
    std::map<std::uint32_t, std::size_t> bytes;
    for (std::uint32_t kind = 1; kind < kMostKinds; ++kind)
        if (const std::size_t step = stepOver(kind); step > 0)
            bytes[kind] = step;
    return RecordSizes(std::move(bytes));
}

std::size_t RecordSizes::of(std::uint32_t kind) const
{
    const auto it = m_bytes.find(kind);
    return it == m_bytes.end() ? 0 : it->second;
}

} // namespace headroom::collectors::cupti
