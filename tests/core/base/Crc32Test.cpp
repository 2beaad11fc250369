// SPDX-License-Identifier: Apache-2.0
#include "core/base/Crc32.h"

#include <gtest/gtest.h>

#include <string_view>

namespace headroom::trace {
namespace {

std::uint32_t checksum(std::string_view text)
{
    return crc32(std::as_bytes(std::span(text)));
}

// The first is the check value that catalogues of CRCs publish for CRC-32/ISO-HDLC, the others are zlib's.
TEST(Crc32Test, agreesWithPublishedValues)
{
    EXPECT_EQ(checksum("123456789"), 0xCBF43926U);
    EXPECT_EQ(checksum(""), 0U);
    EXPECT_EQ(checksum("The quick brown fox jumps over the lazy dog"), 0x414FA339U);
}

} // namespace
} // namespace headroom::trace
