// SPDX-License-Identifier: Apache-2.0
#include "core/base/Error.h"
#include "profiling/recordings/RecordingFile.h"
#include "profiling/recordings/Replay.h"
#include "tests/profiling/recordings/RecordedFolder.h"

#include <gtest/gtest.h>

namespace headroom::recordings {
namespace {

using config::SegmentAddresses;

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

// Flushes happen in the simulation where the next event is; until then the recording is ahead.
TEST_F(RealRecordingsTest, reservedBytesAreTheRecordedOnesAfterEveryAllocation)
{
    for (const RealRecording& recording : m_recordings) {
        SCOPED_TRACE(recording.name);
        Replay replay(recording.device(), recording.file.owners, termsOf(recording, ReplayAddresses::Recorded));
        Bytes reserved = recording.device().reservedBefore();
        std::int64_t different = 0;
        replay.setListener([&](std::size_t place, const simulator::DeviceStats& stats) {
            const RecordedEvent& event = recording.device().events[place];
            if (event.kind == EventKind::SegmentAlloc || event.kind == EventKind::SegmentMap)
                reserved += event.bytes;
            else if (event.kind == EventKind::SegmentFree || event.kind == EventKind::SegmentUnmap)
                reserved -= event.bytes;
            else if (isOfBlock(event.kind))
                different += stats.reservedBytes.aggregate.current == reserved ? 0 : 1;
        });
        replay.run();
        EXPECT_EQ(different, 0);
    }
}

// The segments at the end of the file say what was allocated then, slack included: the events do not tell of it.
TEST_F(RealRecordingsTest, allocatedBytesAtTheEndAreThoseOfTheFilesSegments)
{
    for (const RealRecording& recording : m_recordings) {
        SCOPED_TRACE(recording.name);
        Replay replay(recording.device(), recording.file.owners, termsOf(recording, ReplayAddresses::Recorded));
        replay.run();
        Bytes allocated = 0;
        for (const RecordedSegment& segment : recording.device().before)
            for (const RecordedBlock& block : segment.blocks)
                allocated += block.isLive && !block.isPending ? block.bytes : 0;
        for (const RecordedEvent& event : recording.device().events)
            allocated += event.kind == EventKind::Alloc  ? event.blockBytes
                : event.kind == EventKind::FreeRequested ? -event.blockBytes
                                                         : 0;
        EXPECT_EQ(replay.allocator().stats().allocatedBytes.aggregate.current, allocated);
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
