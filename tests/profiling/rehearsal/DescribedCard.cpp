// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/rehearsal/DescribedCard.h"

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace headroom::rehearsal::tests {

namespace {

constexpr char kRest[] = R"(name Card of the tests
count 2
capabilityMajor 9
capabilityMinor 0
multiprocessors 132
threadsPerMultiprocessor 2048
blocksPerMultiprocessor 32
warpSize 32
sharedBytesPerBlock 49152
sharedBytesPerBlockOptIn 232448
sharedBytesPerMultiprocessor 233472
registersPerBlock 65536
registersPerMultiprocessor 65536
l2Bytes 52428800
memoryBusBits 5120
clockKilohertz 1980000
memoryClockKilohertz 2619000
ascendingSegments 0
kernelSeconds 2e-6
bytesPerSecond 3.35e12
hostLinkBytesPerSecond 64e9
)";

std::string temporaryFile(const char* purpose)
{
    return ::testing::TempDir() + "headroom-card-" + purpose + "-" + std::to_string(::getpid());
}

/// A child of a test keeps what its parent described.
const bool kIsDescribed = [] {
    if (std::getenv("HEADROOM_CARD") != nullptr)
        return true;
    const std::string card = temporaryFile("description");
    std::FILE* file = std::fopen(card.c_str(), "w");
    std::fprintf(
        file, "totalBytes %zu\ncontextBytes %zu\nhostBytes %zu\n%s", kCardBytes, kContextBytes, kHostBytes, kRest);
    std::fclose(file);
    ::setenv("HEADROOM_CARD", card.c_str(), 1);
    ::setenv("HEADROOM_CARD_ACCOUNT", temporaryFile("account").c_str(), 1);
    ::setenv("HEADROOM_CARD_LEDGER", temporaryFile("ledger").c_str(), 1);
    return true;
}();

class FilesAreRemoved : public testing::Environment {
    void TearDown() override
    {
        for (const char* purpose : {"description", "account", "ledger"})
            std::remove(temporaryFile(purpose).c_str());
    }
};

[[maybe_unused]] testing::Environment* const kRemoval = testing::AddGlobalTestEnvironment(new FilesAreRemoved);

} // namespace

std::size_t freeBytes()
{
    std::size_t free = 0;
    std::size_t total = 0;
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    EXPECT_EQ(total, kCardBytes);
    return free;
}

} // namespace headroom::rehearsal::tests
