// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/SpoolReader.h"
#include "tests/profiling/store/StoreTest.h"
#include "tests/support/ChildProcess.h"

#include <csignal>
#include <sys/mount.h>
#include <unistd.h>

namespace headroom::store {
namespace {

using SpoolTest = StoreTest;

TEST_F(SpoolTest, holdsTracksPhasesAndDiagnostics)
{
    const auto device = trace::randomTrace(5'000, 1);
    const auto host = trace::randomTrace(300, 2);
    const trace::PhaseSpan phase{"forward", 3, 10, 20};
    {
        SpoolWriter spool(file("spool"), {.eventsPerBlock = 1'000});
        spool.beginTrack("device", {.allocated = 7, .reserved = 8, .active = 9});
        for (std::size_t i = 0; i < device.size(); i += 100)
            spool.append("device", std::span(device).subspan(i, 100));
        spool.append("host", host);
        spool.addPhase(phase);
        DiagnosticRow lost;
        lost.kind = "dropped_events";
        lost.count = 12;
        spool.addDiagnostic(lost);
        spool.finish();
    }
    EXPECT_EQ(snapshot().size(), 1U); // no -wal file stays behind
    SpoolReader reader(file("spool"));
    EXPECT_TRUE(reader.isFinished());
    EXPECT_EQ(reader.phases(), std::vector{phase});
    ASSERT_EQ(reader.diagnostics().size(), 1U);
    EXPECT_EQ(reader.diagnostics().front().count, 12);
    const auto tracks = reader.tracks();
    ASSERT_EQ(tracks.size(), 2U);
    EXPECT_EQ(tracks[0].blocks, 5);
    EXPECT_EQ(tracks[1].events, 300);
    EXPECT_EQ(reader.trace().events(kSpoolRepeat, "device", 0, device.back().timeNs + 1), device);
    EXPECT_EQ(reader.trace().timeline(kSpoolRepeat, "device", trace::Counter::Reserved, 0, 1, 2).front().last, 8);
}

TEST_F(SpoolTest, isNeverWrittenOverAnotherFile)
{
    writeText(file("spool"), "precious");
    EXPECT_EQ(refusal<FileError>([&]() { SpoolWriter spool(file("spool")); }),
        file("spool").string() + ": the spool exists already (valid: a new file name)");
    EXPECT_EQ(contentOf(file("spool")), "precious");
}

TEST_F(SpoolTest, theCountersOfATrackAreSaidBeforeItsEvents)
{
    SpoolWriter spool(file("spool"));
    spool.append("device", trace::randomTrace(10));
    EXPECT_THROW(spool.beginTrack("device", {}), FileError);
}

TEST_F(SpoolTest, canBeReadWhileItIsWritten)
{
    SpoolWriter spool(file("spool"), {.eventsPerBlock = 100});
    spool.append("device", trace::randomTrace(250));
    SpoolReader reader(file("spool"));
    EXPECT_FALSE(reader.isFinished());
    EXPECT_EQ(reader.tracks().front().events, 200);
    spool.flush();
    EXPECT_EQ(reader.tracks().front().events, 250);
}

TEST_F(SpoolTest, aKilledWriterLeavesEveryWholeBlock)
{
    const auto events = trace::randomTrace(2'599);
    exitCodeOfChild([&]() {
        SpoolWriter spool(file("spool"), {.eventsPerBlock = 100});
        spool.append("device", events);
        kill(getpid(), SIGKILL);
    });
    SpoolReader reader(file("spool"));
    EXPECT_FALSE(reader.isFinished());
    const std::vector whole(events.begin(), events.begin() + 2'500);
    EXPECT_EQ(reader.trace().events(kSpoolRepeat, "device", 0, events.back().timeNs + 1), whole);
}

// SQLite's own limit on the number of pages ends in the same code as a disk without space.
TEST_F(SpoolTest, onAFullDiskEveryWholeBlockIsKeptAndTheErrorIsClear)
{
    const auto events = trace::randomTrace(40'000);
    {
        SpoolWriter spool(file("spool"), {.eventsPerBlock = 1'000, .maxPages = 100});
        EXPECT_EQ(refusal<FileError>([&]() {
            for (std::size_t i = 0; i < events.size(); i += 100)
                spool.append("device", std::span(events).subspan(i, 100));
        }),
            file("spool").string() + ": the disk is full, nothing was saved (valid: free space on its disk)");
        EXPECT_THROW(spool.finish(), FileError);
    }
    SpoolReader reader(file("spool"));
    EXPECT_FALSE(reader.isFinished());
    const auto kept = reader.trace().events(kSpoolRepeat, "device", 0, events.back().timeNs + 1);
    EXPECT_GT(kept.size(), 5'000U);
    EXPECT_EQ(kept.size() % 1'000, 0U);
    EXPECT_TRUE(std::equal(kept.begin(), kept.end(), events.begin()));
}

TEST_F(SpoolTest, aRealFullDiskKeepsEveryWholeBlock)
{
    const auto disk = file("disk");
    std::filesystem::create_directory(disk);
    if (mount("headroom-test", disk.c_str(), "tmpfs", 0, "size=2m") != 0)
        GTEST_SKIP() << "mounting a small disk needs privileges";
    const auto events = trace::randomTrace(300'000);
    {
        SpoolWriter spool(disk / "spool", {.eventsPerBlock = 1'000});
        EXPECT_NE(
            refusal<FileError>([&]() { spool.append("device", events); }).find("the disk is full"), std::string::npos);
    }
    {
        SpoolReader reader(disk / "spool");
        EXPECT_FALSE(reader.isFinished());
        EXPECT_GT(reader.tracks().at(0).events, 5'000);
    }
    umount(disk.c_str());
}

} // namespace
} // namespace headroom::store
