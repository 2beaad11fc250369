// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/RefusedRequest.h"

#include "core/tensor/Torch.h"
#include "profiling/measurement/Ending.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

namespace headroom::collectors::refused_request_test {
namespace {

using protocol::OutOfMemoryFacts;

// As CUDACachingAllocator.cpp puts it together.
std::string nativeText(
    const std::string& tried, const std::string& free, const std::string& allowed, const std::string& unallocated)
{
    return "CUDA out of memory. Tried to allocate " + tried + ". GPU 0 has a total capacity of 23.64 GiB of which "
        + free + " is free. Including non-PyTorch memory, this process has 23.60 GiB memory in use. "
        + (allowed.empty() ? "" : allowed + " allowed; ")
        + "Of the allocated memory 20.00 GiB is allocated by PyTorch, with 30.00 MiB allocated in private pools (e.g., "
          "CUDA Graphs), and "
        + unallocated
        + " is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting "
          "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.";
}

// format_size of CUDACachingAllocator.cpp.
std::string printedByLibTorch(Bytes bytes)
{
    std::ostringstream text;
    text.precision(2);
    text << std::fixed;
    if (bytes <= 1024)
        text << bytes << " bytes";
    else if (bytes <= 1048576)
        text << static_cast<double>(bytes) / 1024.0 << " KiB";
    else if (bytes <= 1073741824)
        text << static_cast<double>(bytes) / 1048576.0 << " MiB";
    else
        text << static_cast<double>(bytes) / 1073741824.0 << " GiB";
    return text.str();
}

TEST(RefusedRequestTest, theTextOfCudasAllocatorTellsWhatWasMissing)
{
    const OutOfMemoryFacts facts = factsIn(nativeText("20.00 MiB", "12.19 MiB", "", "512.00 MiB"));
    EXPECT_EQ(facts.requestedBytes, 20 * kMiB);
    EXPECT_EQ(facts.freeBytes, std::llround(12.19 * kMiB));
    EXPECT_EQ(facts.allocatedBytes, 20 * kGiB);
    EXPECT_EQ(facts.reservedBytes, 20 * kGiB + 512 * kMiB);
    EXPECT_EQ(facts.missingBytes, 20 * kMiB - std::llround(12.19 * kMiB));
}

TEST(RefusedRequestTest, underALimitItIsTheLimitThatLacksIt)
{
    const OutOfMemoryFacts facts = factsIn(nativeText("2.00 GiB", "3.00 GiB", "21.00 GiB", "512.00 MiB"));
    EXPECT_EQ(facts.missingBytes, 20 * kGiB + 512 * kMiB + 2 * kGiB - 21 * kGiB);
}

TEST(RefusedRequestTest, withoutPrivatePoolsTheTextReadsTheSame)
{
    const OutOfMemoryFacts facts =
        factsIn("CUDA out of memory. Tried to allocate 512 bytes. GPU 1 has a total capacity of 139.80 GiB of which "
                "1.50 KiB is free. Process 17 has 8.00 GiB memory in use. Of the allocated memory 1.00 GiB is "
                "allocated by PyTorch, and 3 bytes is reserved by PyTorch but unallocated.");
    EXPECT_EQ(facts.requestedBytes, 512);
    EXPECT_EQ(facts.freeBytes, 1536);
    EXPECT_EQ(facts.reservedBytes, kGiB + 3);
    EXPECT_EQ(facts.missingBytes, std::nullopt) << "free memory in pieces: more of it would not help";
}

TEST(RefusedRequestTest, theDriversOwnPoolTellsItsFiguresLineByLine)
{
    const OutOfMemoryFacts facts = factsIn("Allocation on device 0 would exceed allowed memory. (out of memory)\n"
                                           "Currently allocated     : 3.00 GiB\nRequested               : 2.00 GiB\n"
                                           "Device limit            : 8.00 GiB\nFree (according to CUDA): 4.50 GiB\n"
                                           "PyTorch limit (set by user-supplied memory fraction)\n"
                                           "                        : 4.00 GiB");
    EXPECT_EQ(facts.requestedBytes, 2 * kGiB);
    EXPECT_EQ(facts.freeBytes, 9 * kGiB / 2);
    EXPECT_EQ(facts.allocatedBytes, 3 * kGiB);
    EXPECT_EQ(facts.reservedBytes, std::nullopt);
    EXPECT_EQ(facts.missingBytes, kGiB);
}

TEST(RefusedRequestTest, otherTextsTellNothing)
{
    for (const char* text : {"", "CUDA error: out of memory", "CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate",
             "CUDA out of memory. Tried to allocate more than 1EB memory."})
        EXPECT_EQ(factsIn(text), OutOfMemoryFacts{}) << text;
}

TEST(RefusedRequestTest, whatTheObserverSaysIsExact)
{
    const RefusedRequest refused{.segmentBytes = 20 * kMiB,
        .allowedBytes = 24 * kGiB,
        .freeBytes = 7 * kMiB,
        .allocatedBytes = 5 * kGiB + 512,
        .reservedBytes = 6 * kGiB};
    const OutOfMemoryFacts facts = factsOf(refused);
    EXPECT_EQ(facts, (OutOfMemoryFacts{"", 20 * kMiB, 13 * kMiB, 7 * kMiB, 5 * kGiB + 512, 6 * kGiB}));
    RefusedRequest limited = refused;
    limited.freeBytes = 10 * kGiB;
    limited.allowedBytes = 6 * kGiB + kMiB;
    EXPECT_EQ(factsOf(limited).missingBytes, 19 * kMiB);
}

// An earlier request may have been refused without ending the trial.
TEST(RefusedRequestTest, aTextIsAboutTheRequestWhoseSizeItPrints)
{
    RefusedRequest refused;
    refused.segmentBytes = 2 * kGiB + 3 * kMiB;
    EXPECT_TRUE(mayTellOf(factsIn("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has"), refused));
    EXPECT_FALSE(mayTellOf(factsIn("CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has"), refused));
    EXPECT_FALSE(mayTellOf(OutOfMemoryFacts{}, refused));
    std::mt19937_64 random(7);
    for (int draw = 0; draw < 1000; ++draw) {
        refused.segmentBytes = static_cast<Bytes>(random() >> (24 + random() % 40));
        const std::string text = nativeText(printedByLibTorch(refused.segmentBytes), "1.00 MiB", "", "1.00 MiB");
        EXPECT_TRUE(mayTellOf(factsIn(text), refused)) << refused.segmentBytes;
    }
    for (const Bytes edge : {kKiB, kKiB + 1, kMiB, kMiB + 1, kGiB, kGiB + 1})
        for (const char* text : {"1024 bytes", "1.00 KiB", "1024.00 KiB", "1.00 MiB", "1024.00 MiB", "1.00 GiB"}) {
            refused.segmentBytes = edge;
            const Bytes printed = *factsIn("Tried to allocate " + std::string(text)).requestedBytes;
            EXPECT_EQ(mayTellOf(factsIn("Tried to allocate " + std::string(text)), refused),
                printed == edge || printed + 1 == edge)
                << edge << " " << text;
        }
}

TEST(RefusedRequestTest, theExceptionThatEndsATrialIsRead)
{
    const auto ending = catchTrialStop(
        [] { TORCH_CHECK_WITH(OutOfMemoryError, false, nativeText("20.00 MiB", "12.00 MiB", "", "512.00 MiB")); });
    ASSERT_TRUE(ending);
    EXPECT_EQ(ending->outcome, Outcome::OutOfMemory);
    EXPECT_EQ(ending->request.requestedBytes, 20 * kMiB);
    EXPECT_EQ(ending->request.missingBytes, 8 * kMiB);
}

} // namespace
} // namespace headroom::collectors::refused_request_test
