// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace headroom::trace {

/// CRC-32 as in zlib, gzip and IEEE 802.3 (reflected polynomial 0xEDB88320), so that any tool can check a block.
std::uint32_t crc32(std::span<const std::byte> data);

} // namespace headroom::trace
