// SPDX-License-Identifier: Apache-2.0
#include "core/base/FreedMemory.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <vector>

#include <unistd.h>

namespace headroom {
namespace {

Bytes residentBytesNow()
{
    std::ifstream statm("/proc/self/statm");
    Bytes mappedPages = 0, residentPages = 0;
    statm >> mappedPages >> residentPages;
    return residentPages * static_cast<Bytes>(::sysconf(_SC_PAGESIZE));
}

// 64 MiB in touched blocks that are freed. Behind them one stays alive, so that the C library cannot return them by
// itself.
std::unique_ptr<char[]> freeManyBlocks()
{
    std::vector<std::unique_ptr<char[]>> blocks(2048);
    for (auto& block : blocks)
        block = std::make_unique<char[]>(32 * kKiB);
    return std::make_unique<char[]>(32 * kKiB);
}

TEST(FreedMemoryTest, isGivenBackWhereMoreIsKeptThanAllowed)
{
#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)
    GTEST_SKIP() << "another C library's malloc";
#endif
    const auto last = freeManyBlocks();
    const Bytes kept = residentBytesNow();
    ASSERT_GE(kept, 64 * kMiB) << "blocks were returned by themselves";
    returnFreedMemory(kGiB);
    EXPECT_GE(residentBytesNow(), kept - kMiB);
    returnFreedMemory(32 * kMiB);
    EXPECT_LE(residentBytesNow(), kept - 50 * kMiB);
}

} // namespace
} // namespace headroom
