// SPDX-License-Identifier: Apache-2.0
#include "core/base/Sha256.h"

#include <gtest/gtest.h>

namespace headroom::report {
namespace {

// Digests of FIPS 180-4's examples in base64.
TEST(Sha256Test, givesThePublishedDigests)
{
    EXPECT_EQ(sha256Base64(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    EXPECT_EQ(sha256Base64("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    EXPECT_EQ(sha256Base64("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
        "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=");
    EXPECT_EQ(sha256Base64(std::string(1000000, 'a')), "zcduXJkU+5KBocfihNc+Z/GAmkiklyAOBG05zMcRLNA=");
}

TEST(Sha256Test, textsThatJustFillABlockGetAnotherOne)
{
    EXPECT_EQ(sha256Base64(std::string(55, 'x')), "1eKFaDzU78AtAhpcYgFGlJWJAQBdb3HongmJ+sd+QHI=");
    EXPECT_EQ(sha256Base64(std::string(56, 'x')), "BMJiYTcO51QVSdFt7jIMcj4/0UZx5moJmv4KN3wWiI4=");
    EXPECT_EQ(sha256Base64(std::string(64, 'x')), "fOEAlx9k5wAej+WlGXPs3+HO1Cvv5+6NX9YhlQa1OTw=");
}

} // namespace
} // namespace headroom::report
