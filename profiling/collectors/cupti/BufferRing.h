// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace headroom::collectors::cupti {

/// The buffers that CUPTI fills, allocated and touched beforehand: CUPTI requests them inside the program's own CUDA
/// calls, where an allocation would show as a slow launch. take() and complete() never wait.
class BufferRing {
public:
    static constexpr std::size_t kCount = 16;

    /// `bufferBytes`: NVIDIA advises 1 to 10 MB.
    explicit BufferRing(std::size_t bufferBytes);

    std::size_t bufferBytes() const { return m_bufferBytes; }

    /// A zeroed buffer for CUPTI; null when all are in use, which is counted. From any thread.
    std::uint8_t* take();
    /// CUPTI returns a buffer with its first `validBytes` filled. From any thread. A buffer that is not ours is
    /// counted.
    void complete(const std::uint8_t* buffer, std::size_t validBytes);

    /// The filled buffer that was returned first, if there is one; it belongs to the reader until release(). From one
    /// thread at a time.
    std::optional<std::span<std::uint8_t>> nextFilled();
    /// Zeroes the buffer of the last nextFilled() and frees it for CUPTI.
    void release();

    /// True when CUPTI holds none of the buffers.
    bool isIdle() const;
    /// Requests made while all buffers were in use: their records are dropped, which CUPTI counts too.
    std::int64_t refused() const { return m_refused.load(); }
    /// Buffers returned to us that belong to another client, which has replaced our callbacks or lost its own.
    std::int64_t foreign() const { return m_foreign.load(); }

private:
    enum class State : std::uint8_t { Free, Out, Filled };
    struct Slot {
        std::atomic<State> state = State::Free;
        std::uint64_t order = 0;
        std::size_t validBytes = 0;
    };
    struct AlignedFree {
        void operator()(std::uint8_t* memory) const;
    };

    std::uint8_t* bufferAt(std::size_t index) { return m_memory.get() + index * m_bufferBytes; }

    std::size_t m_bufferBytes;
    std::unique_ptr<std::uint8_t[], AlignedFree> m_memory;
    std::array<Slot, kCount> m_slots;
    std::atomic<std::uint64_t> m_completed = 0;
    std::atomic<std::int64_t> m_refused = 0;
    std::atomic<std::int64_t> m_foreign = 0;
    std::optional<std::size_t> m_reading;
};

} // namespace headroom::collectors::cupti
