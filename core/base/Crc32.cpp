// SPDX-License-Identifier: Apache-2.0
#include "core/base/Crc32.h"

#include <array>
#include <bit>
#include <cstring>

namespace headroom::trace {
namespace {

static_assert(std::endian::native == std::endian::little, "the eight-byte step below reads little-endian words");

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b] is the checksum of byte b followed by k zero bytes: eight look-ups replace eight dependent steps.
constexpr Tables makeTables()
{
    Tables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t value = byte;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1) ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
        tables[0][byte] = value;
    }
    for (std::size_t k = 1; k < 8; ++k) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t shorter = tables[k - 1][byte];
            tables[k][byte] = (shorter >> 8) ^ tables[0][shorter & 0xFFU];
        }
    }
    return tables;
}

constexpr Tables kTables = makeTables();

} // namespace

std::uint32_t crc32(std::span<const std::byte> data)
{
    std::uint32_t value = 0xFFFFFFFFU;
    while (data.size() >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, data.data(), 8);
        word ^= value;
        value = 0;
        for (std::size_t k = 0; k < 8; ++k)
            value ^= kTables[7 - k][(word >> (8 * k)) & 0xFFU];
        data = data.subspan(8);
    }
    for (const std::byte byte : data)
        value = (value >> 8) ^ kTables[0][(value ^ std::to_integer<std::uint32_t>(byte)) & 0xFFU];
    return ~value;
}

} // namespace headroom::trace
