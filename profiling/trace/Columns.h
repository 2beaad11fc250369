// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace headroom::trace {

static_assert(std::endian::native == std::endian::little, "blocks are little-endian and copied as they are");

/// Maps small signed numbers to small unsigned ones: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
constexpr std::uint64_t zigzag(std::int64_t value)
{
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

constexpr std::int64_t unzigzag(std::uint64_t value)
{
    return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1U) + 1U));
}

/// `to - from` and `from + delta` modulo 2^64: for every pair of values the difference restores the second.
constexpr std::int64_t wrappingDelta(std::int64_t from, std::int64_t to)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from));
}

constexpr std::int64_t wrappingAdd(std::int64_t from, std::int64_t delta)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(from) + static_cast<std::uint64_t>(delta));
}

/// Writes one column of an encoded block. Sized once for the worst case, so that writes need no checks.
class ColumnWriter {
public:
    static constexpr std::size_t kMaxVarintBytes = 10;

    explicit ColumnWriter(std::size_t capacityBytes)
        : m_data(std::make_unique_for_overwrite<std::byte[]>(capacityBytes))
        , m_end(m_data.get())
    {
    }

    void putByte(std::uint8_t value) { *m_end++ = std::byte{value}; }

    /// Seven bits per byte, low bits first; the high bit is set if more bytes follow.
    void putVarint(std::uint64_t value)
    {
        while (value >= 0x80U) {
            *m_end++ = static_cast<std::byte>(value | 0x80U);
            value >>= 7;
        }
        *m_end++ = static_cast<std::byte>(value);
    }

    std::size_t size() const { return static_cast<std::size_t>(m_end - m_data.get()); }
    std::span<const std::byte> bytes() const { return {m_data.get(), size()}; }

private:
    std::unique_ptr<std::byte[]> m_data;
    std::byte* m_end;
};

/// Reads one column. Every read is bounds-checked and throws MalformedBlock past the end.
class ColumnReader {
public:
    explicit ColumnReader(std::span<const std::byte> data)
        : m_next(data.data())
        , m_end(data.data() + data.size())
    {
    }

    std::uint8_t byte()
    {
        if (m_next == m_end)
            failTruncated();
        return std::to_integer<std::uint8_t>(*m_next++);
    }

    std::uint64_t varint()
    {
        if (m_next != m_end && (std::to_integer<unsigned>(*m_next) & 0x80U) == 0)
            return std::to_integer<std::uint64_t>(*m_next++);
        return longVarint();
    }

    bool atEnd() const { return m_next == m_end; }

private:
    std::uint64_t longVarint();
    [[noreturn]] static void failTruncated();

    const std::byte* m_next;
    const std::byte* m_end;
};

/// Appends a number in its memory representation.
template <typename T> void putFixed(std::vector<std::byte>& out, T value)
{
    const std::size_t end = out.size();
    out.resize(end + sizeof(T));
    std::memcpy(out.data() + end, &value, sizeof(T));
}

/// Reads a number at an offset that the caller has checked.
template <typename T> T getFixed(std::span<const std::byte> data, std::size_t offset)
{
    T value{};
    std::memcpy(&value, data.data() + offset, sizeof(T));
    return value;
}

} // namespace headroom::trace
