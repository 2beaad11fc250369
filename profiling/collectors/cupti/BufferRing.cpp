// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/BufferRing.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace headroom::collectors::cupti {
namespace {

constexpr std::size_t kPage = 4096;

std::size_t wholePages(std::size_t bytes)
{
    return (bytes + kPage - 1) / kPage * kPage;
}

} // namespace

void BufferRing::AlignedFree::operator()(std::uint8_t* memory) const
{
    std::free(memory);
}

BufferRing::BufferRing(std::size_t bufferBytes)
    : m_bufferBytes(wholePages(bufferBytes))
    , m_memory(static_cast<std::uint8_t*>(std::aligned_alloc(kPage, kCount * m_bufferBytes)))
{
    if (!m_memory)
        throw std::bad_alloc();
    std::memset(m_memory.get(), 0, kCount * m_bufferBytes);
}

std::uint8_t* BufferRing::take()
{
    for (std::size_t index = 0; index < kCount; ++index) {
        State free = State::Free;
        if (m_slots[index].state.compare_exchange_strong(free, State::Out, std::memory_order_acquire))
            return bufferAt(index);
    }
    m_refused.fetch_add(1);
    return nullptr;
}

void BufferRing::complete(const std::uint8_t* buffer, std::size_t validBytes)
{
    const std::uint8_t* begin = m_memory.get();
    if (buffer < begin || buffer >= begin + kCount * m_bufferBytes) {
        m_foreign.fetch_add(1);
        return;
    }
    Slot& slot = m_slots[static_cast<std::size_t>(buffer - begin) / m_bufferBytes];
    slot.order = m_completed.fetch_add(1);
    slot.validBytes = validBytes < m_bufferBytes ? validBytes : m_bufferBytes;
    slot.state.store(State::Filled, std::memory_order_release);
}

std::optional<std::span<std::uint8_t>> BufferRing::nextFilled()
{
    std::optional<std::size_t> first;
    for (std::size_t index = 0; index < kCount; ++index)
        if (m_slots[index].state.load(std::memory_order_acquire) == State::Filled
            && (!first || m_slots[index].order < m_slots[*first].order))
            first = index;
    m_reading = first;
    if (!first)
        return std::nullopt;
    return std::span(bufferAt(*first), m_slots[*first].validBytes);
}

void BufferRing::release()
{
    if (!m_reading)
        return;
    Slot& slot = m_slots[*m_reading];
    std::memset(bufferAt(*m_reading), 0, slot.validBytes);
    m_reading.reset();
    slot.state.store(State::Free, std::memory_order_release);
}

bool BufferRing::isIdle() const
{
    return std::none_of(
        m_slots.begin(), m_slots.end(), [](const Slot& slot) { return slot.state.load() == State::Out; });
}

} // namespace headroom::collectors::cupti
