// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/recordings/Replay.h"

#include <gtest/gtest.h>

namespace headroom::recordings {
namespace {

using config::SegmentAddresses;

/// Recordings of real GPUs, which are other people's: they are read where HEADROOM_RECORDINGS names their folder.
class RecordedAllocatorTest : public testing::Test {
protected:
    void SetUp() override
    {
        std::string reason;
        const auto folder = recordingsFolder(reason);
        if (!folder)
            GTEST_SKIP() << reason;
        m_recordings = replayableRecordings(*folder);
        if (m_recordings.empty())
            GTEST_SKIP() << folder->string() << " has no recording that can be replayed";
    }

    std::vector<Recording> m_recordings;
};

TEST_F(RecordedAllocatorTest, withTheRecordedAddressesEveryBlockLiesWhereItLay)
{
    for (const Recording& recording : m_recordings) {
        SCOPED_TRACE(recording.name);
        const ReplayOutcome outcome = Replay(recording, std::nullopt).run();
        EXPECT_EQ(outcome.atRecordedAddress, outcome.allocations);
        EXPECT_EQ(outcome.flushesOfTheRecordedSet, outcome.flushes);
        EXPECT_EQ(outcome.peakReservedBytes, recording.peakReservedBytes());
    }
}

TEST_F(RecordedAllocatorTest, withThePlatformsOrderEveryFlushAndEveryPeakIsRight)
{
    for (const Recording& recording : m_recordings) {
        SCOPED_TRACE(recording.name);
        const ReplayOutcome outcome = Replay(recording, recording.platform()).run();
        EXPECT_EQ(outcome.flushesOfTheRecordedSet, outcome.flushes);
        EXPECT_EQ(outcome.peakReservedBytes, recording.peakReservedBytes());
        std::cout << recording.name << ", " << config::toText(recording.platform()) << ": " << outcome.atRecordedAddress
                  << " of " << outcome.allocations << " at the recorded address, " << outcome.flushesOfTheRecordedSet
                  << " of " << outcome.flushes << " flushes, peak reserved " << outcome.peakReservedBytes << '\n';
    }
}

// A recording that could not tell the orders apart would show nothing.
TEST_F(RecordedAllocatorTest, theOtherOrderIsWrongWhereCachesAreFlushed)
{
    int wrong = 0;
    int flushes = 0;
    for (const Recording& recording : m_recordings) {
        const ReplayOutcome outcome = Replay(recording, config::otherThan(recording.platform())).run();
        wrong += outcome.flushes - outcome.flushesOfTheRecordedSet;
        flushes += outcome.flushes;
    }
    if (flushes < 10)
        GTEST_SKIP() << "these recordings have " << flushes << " flushes in all";
    EXPECT_GT(wrong, 0);
}

} // namespace
} // namespace headroom::recordings
