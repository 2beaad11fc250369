// SPDX-License-Identifier: Apache-2.0
#include "core/base/Error.h"
#include "profiling/recordings/RecordingFile.h"
#include "profiling/recordings/Replay.h"
#include "profiling/recordings/TracedEvents.h"
#include "profiling/simulator/BlockSizes.h"
#include "profiling/trace/CategoryCounters.h"
#include "tests/profiling/recordings/FinalBlocks.h"
#include "tests/profiling/recordings/RecordedFolder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headroom::recordings {
namespace {

using config::SegmentAddresses;
using trace::Action;
using trace::AllocatorEvent;

std::string describe(const AllocatorEvent& event)
{
    return std::to_string(static_cast<int>(event.action)) + " of " + std::to_string(event.requestedBytes) + " in "
        + std::to_string(event.bytes) + " at " + std::to_string(event.address);
}

bool isOfTheAllocator(const AllocatorEvent& event)
{
    return event.action != Action::OutOfMemory && event.action != Action::Relabelled;
}

/// The events of a recording after its start, in its own order; sizes of blocks by where they lie.
std::vector<AllocatorEvent> sizedEvents(const RealRecording& recording)
{
    simulator::BlockSizes sizes(recording.file.settings());
    std::vector<AllocatorEvent> events;
    eachTracedEvent(recording.device(), [&](std::span<const AllocatorEvent> piece) {
        for (const AllocatorEvent& event : piece) {
            if (event.timeNs == kBeforeNs)
                sizes.adopt(event);
            else if (isOfTheAllocator(event))
                events.push_back(sizes.sized(event));
        }
    });
    EXPECT_EQ(sizes.misfits(), 0);
    return events;
}

trace::MemoryCounters countersBefore(const DeviceRecording& device)
{
    trace::MemoryCounters counters = device.heldBefore;
    eachTracedEvent(device, [&](std::span<const AllocatorEvent> piece) {
        for (const AllocatorEvent& event : piece)
            if (event.timeNs == kBeforeNs)
                counters.apply(event);
    });
    return counters;
}

/// Recordings of real GPUs, which are other people's: they are read where HEADROOM_RECORDINGS names their folder.
class RealRecordingsTest : public testing::Test {
protected:
    void SetUp() override
    {
        std::string reason;
        const auto folder = recordingsFolder(reason);
        if (!folder)
            GTEST_SKIP() << reason;
        m_folder = *folder;
        m_recordings = realRecordings(*folder);
        if (m_recordings.empty())
            GTEST_SKIP() << folder->string() << " has no recording with events";
    }

    static ReplayTerms termsOf(const RealRecording& recording, ReplayAddresses addresses)
    {
        return {.settings = recording.file.settings(), .addresses = addresses};
    }

    static ReplayOutcome replayed(const RealRecording& recording, const ReplayTerms& terms)
    {
        return Replay(recording.device(), recording.file.owners, terms).run();
    }

    static std::vector<AllocatorEvent> servedEvents(const RealRecording& recording)
    {
        std::vector<AllocatorEvent> events;
        Replay replay(recording.device(), recording.file.owners, termsOf(recording, ReplayAddresses::Recorded));
        replay.setServedListener([&](const AllocatorEvent& event) {
            if (isOfTheAllocator(event))
                events.push_back(event);
        });
        replay.run();
        return events;
    }

    std::filesystem::path m_folder;
    std::vector<RealRecording> m_recordings;
};

TEST_F(RealRecordingsTest, everyFileIsReadWithoutDoubt)
{
    for (const auto& entry : std::filesystem::directory_iterator(m_folder)) {
        if (entry.path().extension() != ".pickle")
            continue;
        SCOPED_TRACE(entry.path());
        const Recording recording = readRecording(entry.path());
        EXPECT_FALSE(recording.devices.empty());
        for (const std::string& remark : recording.remarks)
            EXPECT_EQ(remark.find("not every request"), std::string::npos) << remark;
    }
}

TEST_F(RealRecordingsTest, withTheRecordedAddressesEveryBlockLiesWhereItLay)
{
    for (const RealRecording& recording : m_recordings) {
        SCOPED_TRACE(recording.name);
        const ReplayOutcome outcome = replayed(recording, termsOf(recording, ReplayAddresses::Recorded));
        EXPECT_EQ(outcome.servedAsRecorded, outcome.allocations);
        EXPECT_EQ(outcome.placedAsRecorded, outcome.allocations);
        EXPECT_EQ(outcome.flushesOfTheRecordedSet, outcome.recordedFlushes);
        EXPECT_EQ(outcome.peakReservedBytes, recordedPeakReservedBytes(recording.device()));
    }
}

// What the allocator of the GPU did is what the simulated one does, one by one: the same things with the same addresses
// and sizes in the same order, those within a flush too. So are the bytes after each. How large a block of the
// recording is, slack included, is told by where the next ones lie (BlockSizes), without an allocator.
TEST_F(RealRecordingsTest, everyEventAndTheBytesAfterItAreTheRecordedOnes)
{
    for (const RealRecording& recording : m_recordings) {
        SCOPED_TRACE(recording.name);
        const std::vector<AllocatorEvent> told = sizedEvents(recording);
        const std::vector<AllocatorEvent> served = servedEvents(recording);
        ASSERT_EQ(served.size(), told.size());
        trace::MemoryCounters expected = countersBefore(recording.device());
        trace::MemoryCounters counters = expected;
        for (std::size_t i = 0; i < told.size(); ++i) {
            ASSERT_EQ(describe(served[i]), describe(told[i])) << "event " << i << " of " << told.size();
            expected.apply(told[i]);
            counters.apply(served[i]);
            ASSERT_EQ(counters.allocated, expected.allocated) << "event " << i;
            ASSERT_EQ(counters.reserved, expected.reserved) << "event " << i;
            ASSERT_EQ(counters.active, expected.active) << "event " << i;
        }
    }
}

// The file's own segments at the end hold what the simulated allocator holds, block by block, slack included.
TEST_F(RealRecordingsTest, theBlocksAtTheEndAreThoseOfTheFile)
{
    for (const RealRecording& recording : m_recordings) {
        SCOPED_TRACE(recording.name);
        Replay replay(recording.device(), recording.file.owners, termsOf(recording, ReplayAddresses::Recorded));
        replay.run();
        EXPECT_EQ(
            finalBlocksOf(replay.allocator().snapshot()), finalBlocksOfFile(recording.path, recording.device().device));
    }
}

// A block is counted out of the category that it was counted into, whoever gave it back.
TEST_F(RealRecordingsTest, noCategoryEverHoldsLessThanNothing)
{
    for (const RealRecording& recording : m_recordings) {
        SCOPED_TRACE(recording.name);
        const trace::OwnerCategories categories(recording.file.owners.all());
        trace::CategoryCounters held;
        Bytes least = 0;
        eachTracedEvent(recording.device(), [&](std::span<const AllocatorEvent> piece) {
            for (const AllocatorEvent& event : piece) {
                held.apply(event, categories);
                least = std::min(least, std::ranges::min(held.categories.bytes));
            }
        });
        EXPECT_EQ(least, 0);
    }
}

TEST_F(RealRecordingsTest, withThePlatformsOrderEveryFlushAndEveryPeakIsRight)
{
    for (const RealRecording& recording : m_recordings) {
        SCOPED_TRACE(recording.name);
        const ReplayOutcome outcome = replayed(recording, termsOf(recording, ReplayAddresses::Platform));
        EXPECT_EQ(outcome.flushesOfTheRecordedSet, outcome.recordedFlushes);
        EXPECT_EQ(outcome.peakReservedBytes, recordedPeakReservedBytes(recording.device()));
    }
}

// A recording that could not tell the orders apart would show nothing.
TEST_F(RealRecordingsTest, theOtherOrderIsWrongWhereCachesAreFlushed)
{
    std::int64_t wrong = 0;
    std::int64_t flushes = 0;
    for (const RealRecording& recording : m_recordings) {
        ReplayTerms terms = termsOf(recording, ReplayAddresses::Platform);
        terms.platform = config::otherThan(platformOf(recording.device()));
        const ReplayOutcome outcome = replayed(recording, terms);
        wrong += outcome.recordedFlushes - outcome.flushesOfTheRecordedSet;
        flushes += outcome.recordedFlushes;
    }
    if (flushes < 10)
        GTEST_SKIP() << "these recordings have " << flushes << " flushes in all";
    EXPECT_GT(wrong, 0);
}

} // namespace
} // namespace headroom::recordings
