// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/store/StoreTest.h"

#include <chrono>
#include <csignal>
#include <limits>
#include <thread>

namespace headroom::store {
namespace {

constexpr std::size_t kEvents = 20'000;
constexpr std::size_t kSamples = 7;

using Report = std::function<void()>;

class KilledProcessTest : public StoreTest {
protected:
    /// Starts a child that reports each of its steps, and kills it a moment after the given number of them.
    static void killAfter(
        std::size_t steps, std::chrono::microseconds moment, const std::function<void(const Report&)>& body)
    {
        int progress[2];
        ASSERT_EQ(pipe(progress), 0);
        const pid_t child = fork();
        if (child == 0) {
            body([&]() { [[maybe_unused]] const auto written = write(progress[1], "x", 1); });
            _exit(0);
        }
        close(progress[1]);
        char byte = 0;
        while (steps-- > 0)
            EXPECT_EQ(read(progress[0], &byte, 1), 1);
        std::this_thread::sleep_for(moment);
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        close(progress[0]);
        EXPECT_TRUE(WIFSIGNALED(status)) << "the child was not killed in the middle of its work";
    }

    static RepeatImport fullRepeat(std::int64_t trial, int index)
    {
        RepeatImport source = repeatOf(trial, index);
        for (std::size_t step = 0; step < kSamples; ++step)
            source.samples.push_back({static_cast<std::int64_t>(step), 0.5});
        source.tracks.push_back({"device", trace::randomTrace(kEvents), {}});
        return source;
    }

    static void expectComplete(Workspace& workspace, const RepeatRow& repeat)
    {
        EXPECT_EQ(workspace.samples(repeat.id).size(), kSamples);
        const auto tracks = workspace.trace().tracks(repeat.id);
        ASSERT_EQ(tracks.size(), 1U);
        EXPECT_EQ(tracks.front().events, static_cast<std::int64_t>(kEvents));
        const auto endNs = tracks.front().lastNs + 1;
        EXPECT_EQ(workspace.trace().events(repeat.id, "device", 0, endNs).size(), kEvents);
        EXPECT_FALSE(workspace.timeline(repeat.id, "device", trace::Counter::Active, 0, endNs, 20).empty());
    }
};

TEST_F(KilledProcessTest, everyRepeatIsCompleteOrAbsent)
{
    std::int64_t trial = 0;
    {
        Workspace workspace = create();
        trial = addTrial(workspace);
    }
    std::mt19937 random(1);
    int next = 0;
    for (int round = 0; round < 20; ++round) {
        killAfter(1 + random() % 3, std::chrono::microseconds(random() % 10'000), [&](const Report& report) {
            Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
            RepeatImport source = fullRepeat(trial, next);
            for (report();; ++source.repeat.repeatIndex) {
                workspace.importRepeat(source);
                report();
            }
        });
        ASSERT_EQ(integrity(workspacePath()), "ok");
        Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
        const auto repeats = workspace.repeats(trial);
        for (int index = next; index < static_cast<int>(repeats.size()); ++index)
            expectComplete(workspace, repeats[static_cast<std::size_t>(index)]);
        next = static_cast<int>(repeats.size());
    }
    EXPECT_GT(next, 0);
}

TEST_F(KilledProcessTest, aKilledBatchLeavesWholeRepeats)
{
    std::int64_t trial = 0;
    {
        Workspace workspace = create();
        trial = addTrial(workspace);
    }
    killAfter(6, std::chrono::microseconds(2'000), [&](const Report& report) {
        Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
        Workspace::Batch batch(workspace, std::chrono::milliseconds(5));
        RepeatImport source = fullRepeat(trial, 0);
        for (;; ++source.repeat.repeatIndex) {
            workspace.importRepeat(source);
            batch.commitIfDue();
            report();
        }
    });
    ASSERT_EQ(integrity(workspacePath()), "ok");
    Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
    for (const RepeatRow& repeat : workspace.repeats(trial))
        expectComplete(workspace, repeat);
}

TEST_F(KilledProcessTest, aKilledCreationCanBeRepeated)
{
    std::mt19937 random(2);
    for (int round = 0; round < 20; ++round) {
        killAfter(1, std::chrono::microseconds(random() % 6'000), [&](const Report& report) {
            report();
            for (;;) {
                std::filesystem::remove(workspacePath());
                create();
            }
        });
        EXPECT_NO_THROW(create()) << round;
        EXPECT_EQ(integrity(workspacePath()), "ok");
        std::filesystem::remove(workspacePath());
    }
}

TEST_F(KilledProcessTest, aSpoolIsImportableUpToItsLastBlock)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace);
    const auto events = trace::randomTrace(100);
    std::mt19937 random(3);
    for (int round = 0; round < 20; ++round) {
        const auto path = file("spool" + std::to_string(round));
        killAfter(1 + random() % 10, std::chrono::microseconds(random() % 5'000), [&](const Report& report) {
            SpoolWriter spool(path, {.eventsPerBlock = 250});
            for (report();; report())
                spool.append("device", events);
        });
        RepeatImport source = repeatOf(trial, round);
        source.spool = path;
        const ImportResult result = workspace.importRepeat(source);
        EXPECT_EQ(result.malformedBlocks, 0);
        EXPECT_EQ(workspace.repeatDiagnostics(result.repeat).front().kind, "unfinished_spool");
        for (const TrackRow& track : workspace.trace().tracks(result.repeat))
            EXPECT_EQ(track.events, track.blocks * 250);
    }
    EXPECT_EQ(integrity(workspacePath()), "ok");
}

// Each flush of records is a transaction: all of one that ended are there, and nothing of one that did not.
TEST_F(KilledProcessTest, recordsThatWereFlushedAreImported)
{
    constexpr std::size_t kKernels = 500;
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace);
    std::mt19937 random(4);
    for (int round = 0; round < 20; ++round) {
        const auto path = file("spool" + std::to_string(round));
        const std::size_t flushes = 1 + random() % 12;
        killAfter(1 + flushes, std::chrono::microseconds(random() % 5'000), [&](const Report& report) {
            SpoolWriter spool(path);
            trace::DeviceRecords records;
            records.kernels.resize(kKernels);
            report();
            for (std::int64_t timeNs = 0;; report()) {
                for (trace::KernelRecord& kernel : records.kernels) {
                    kernel.beginNs = timeNs++;
                    kernel.endNs = timeNs;
                }
                spool.addRecords(records);
            }
        });
        RepeatImport source = repeatOf(trial, round);
        source.spool = path;
        const std::int64_t repeat = workspace.importRepeat(source).repeat;
        EXPECT_EQ(workspace.repeatDiagnostics(repeat).front().kind, "unfinished_spool");
        constexpr auto kEver = std::numeric_limits<std::int64_t>::max();
        const auto kernels = workspace.trace().records(repeat, 0, kEver).kernels;
        EXPECT_GE(kernels.size(), flushes * kKernels);
        EXPECT_EQ(kernels.size() % kKernels, 0U);
        for (std::size_t i = 0; i < kernels.size(); ++i)
            ASSERT_EQ(kernels[i].beginNs, static_cast<std::int64_t>(i));
        const auto last = static_cast<std::int64_t>(kernels.size());
        EXPECT_EQ(workspace.trace().records(repeat, last - 3, last).kernels.size(), 3U);
    }
    EXPECT_EQ(integrity(workspacePath()), "ok");
}

} // namespace
} // namespace headroom::store
