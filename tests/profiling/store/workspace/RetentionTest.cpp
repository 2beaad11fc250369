// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/StoreErrors.h"
#include "tests/profiling/store/RandomRecords.h"
#include "tests/profiling/store/StoreTest.h"
#include "tests/profiling/trace/pyramids/CategoryTrace.h"

#include <sys/mount.h>

#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace headroom::store {
namespace {

constexpr std::int64_t kEndNs = 1'000'000'000'000;

class RetentionTest : public StoreTest {
protected:
    static RepeatImport tracedRepeat(std::int64_t trial, int index, std::size_t events = 40'000)
    {
        RepeatImport source = repeatOf(trial, index);
        source.samples = {{0, 0.5}};
        source.phases = {{"forward", 0, 1, 2}};
        source.owners = trace::testOwners();
        source.records = RandomRecords(1).make(50);
        source.tracks.push_back({"device", trace::ownedTrace(events), {}});
        return source;
    }

    std::int64_t rows(const std::string& table) const
    {
        SQLite::Database database(workspacePath().string(), SQLite::OPEN_READONLY);
        return database.execAndGet("SELECT count(*) FROM " + table).getInt64();
    }

    static void expectNoTrace(Workspace& workspace, std::int64_t repeat)
    {
        EXPECT_TRUE(workspace.trace().tracks(repeat).empty());
        EXPECT_EQ(workspace.trace().owners(repeat).all().size(), 1U);
        EXPECT_EQ(workspace.trace().records(repeat, 0, kEndNs), trace::DeviceRecords{});
    }

    static std::vector<std::string> messages(Workspace& workspace, std::int64_t repeat)
    {
        std::vector<std::string> messages;
        for (const DiagnosticRow& row : workspace.repeatDiagnostics(repeat)) {
            EXPECT_EQ(row.kind, "trace_dropped");
            messages.push_back(row.message);
        }
        return messages;
    }
};

TEST_F(RetentionTest, aDroppedTraceLeavesItsResultsAndSaysSo)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace, 2);
    const std::int64_t repeat = workspace.importRepeat(tracedRepeat(trial, 0)).repeat;
    const std::int64_t other = workspace.importRepeat(tracedRepeat(trial, 1)).repeat;
    const Bytes before = workspace.traceBytes().at(trial);
    const DroppedTraces dropped = workspace.dropRepeatTrace(repeat);
    EXPECT_EQ(dropped.repeats, 1);
    EXPECT_EQ(workspace.traceBytes().at(trial), before - dropped.bytes);
    expectNoTrace(workspace, repeat);
    EXPECT_EQ(workspace.samples(repeat).size(), 1U);
    EXPECT_EQ(workspace.phases(repeat).size(), 1U);
    ASSERT_EQ(messages(workspace, repeat).size(), 1U);
    EXPECT_NE(messages(workspace, repeat).front().find("the results are kept: as was asked for"), std::string::npos);
    EXPECT_EQ(workspace.trace().tracks(other).size(), 1U);
    EXPECT_EQ(workspace.dropRepeatTrace(repeat), DroppedTraces{});
}

TEST_F(RetentionTest, allTracesOfATrialOrAnExperimentGo)
{
    Workspace workspace = create();
    const std::int64_t first = addTrial(workspace, 2);
    const std::int64_t second = addTrial(workspace, 1);
    for (const auto& [trial, index] : {std::pair{first, 0}, {first, 1}, {second, 0}})
        workspace.importRepeat(tracedRepeat(trial, index));
    EXPECT_EQ(workspace.dropTrialTraces(first).repeats, 2);
    EXPECT_EQ(workspace.traceBytes().size(), 1U);
    EXPECT_EQ(workspace.dropExperimentTraces(workspace.findTrial(second)->experiment).repeats, 1);
    EXPECT_TRUE(workspace.traceBytes().empty());
    for (const char* const table : {"event_blocks", "pyramids", "category_pyramids", "owners", "strings", "traces"})
        EXPECT_EQ(rows(table), 0) << table;
    eachRecordTable([&](auto table) { EXPECT_EQ(rows(decltype(table)::kName), 0); });
}

TEST_F(RetentionTest, theSizeOfATraceIsWhatTheFileGrewBy)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace, 3);
    workspace.importRepeat(repeatOf(trial, 0));
    EXPECT_TRUE(workspace.traceBytes().empty());
    workspace.compact();
    const auto before = static_cast<Bytes>(std::filesystem::file_size(workspacePath()));
    workspace.importRepeat(tracedRepeat(trial, 1, 200'000));
    workspace.compact();
    const auto growth = static_cast<double>(std::filesystem::file_size(workspacePath())) - static_cast<double>(before);
    EXPECT_NEAR(static_cast<double>(workspace.traceBytes().at(trial)) / growth, 1, 0.1);
}

TEST_F(RetentionTest, compactingGivesTheRoomBack)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace, 2);
    workspace.importRepeat(tracedRepeat(trial, 0, 300'000));
    workspace.importRepeat(tracedRepeat(trial, 1));
    const Bytes dropped = workspace.dropRepeatTrace(workspace.repeats(trial).front().id).bytes;
    const CompactResult result = workspace.compact();
    EXPECT_LE(result.bytesAfter, result.bytesBefore - dropped);
    EXPECT_EQ(result.bytesAfter, static_cast<Bytes>(std::filesystem::file_size(workspacePath())));
    EXPECT_EQ(integrity(workspacePath()), "ok");
    EXPECT_EQ(workspace.trace().tracks(workspace.repeats(trial).back().id).size(), 1U);
}

TEST_F(RetentionTest, compactingWaitsForNobodyForEver)
{
    create();
    WorkspaceOptions impatient;
    impatient.busyTimeout = std::chrono::milliseconds(100);
    Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite, impatient);
    const std::int64_t trial = addTrial(workspace);
    SQLite::Database other(workspacePath().string(), SQLite::OPEN_READWRITE);
    other.exec("BEGIN IMMEDIATE");
    EXPECT_NE(refusal<FileError>([&]() { workspace.compact(); }).find("locked by another writer"), std::string::npos);
    other.exec("ROLLBACK; BEGIN; SELECT * FROM trials");
    EXPECT_NE(refusal<FileError>([&]() { workspace.compact(); }).find("somebody reads it just now"), std::string::npos);
    other.exec("COMMIT");
    EXPECT_GT(workspace.compact().bytesAfter, 0);
    EXPECT_TRUE(workspace.findTrial(trial));
}

TEST_F(RetentionTest, compactingIsRefusedWithinABatch)
{
    Workspace workspace = create();
    Workspace::Batch batch(workspace);
    addTrial(workspace);
    EXPECT_NE(refusal<FileError>([&]() { workspace.compact(); }).find("while writes are grouped"), std::string::npos);
}

TEST_F(RetentionTest, aKilledCompactionLosesNothing)
{
    std::int64_t trial = 0;
    {
        Workspace workspace = create();
        trial = addTrial(workspace, 2);
        workspace.importRepeat(tracedRepeat(trial, 0, 100'000));
        workspace.importRepeat(tracedRepeat(trial, 1, 100'000));
        workspace.dropRepeatTrace(workspace.repeats(trial).front().id);
    }
    std::mt19937 random(1);
    for (int round = 0; round < 10; ++round) {
        const pid_t child = fork();
        if (child == 0) {
            Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
            for (;;)
                workspace.compact();
        }
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        ASSERT_EQ(integrity(workspacePath()), "ok");
        Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
        EXPECT_EQ(workspace.trace().events(workspace.repeats(trial).back().id, "device", 0, kEndNs).size(), 100'000U);
    }
}

class TraceLimitTest : public RetentionTest {
protected:
    Workspace open(std::optional<Bytes> limit) const
    {
        WorkspaceOptions options;
        options.traceLimit = limit;
        return Workspace::open(workspacePath(), Access::Create, options);
    }
};

TEST_F(TraceLimitTest, theOldestTracesOfOtherExperimentsMakeRoom)
{
    std::vector<std::int64_t> trials;
    Bytes one = 0;
    {
        Workspace workspace = open({});
        for (int i = 0; i < 3; ++i) {
            trials.push_back(addTrial(workspace));
            workspace.importRepeat(tracedRepeat(trials.back(), 0));
        }
        one = workspace.traceBytes().at(trials[1]);
    }
    Workspace workspace = open(3 * one + one / 2);
    trials.push_back(addTrial(workspace));
    const std::int64_t repeat = workspace.importRepeat(tracedRepeat(trials[3], 0)).repeat;
    expectNoTrace(workspace, workspace.repeats(trials[0]).front().id);
    EXPECT_EQ(messages(workspace, workspace.repeats(trials[0]).front().id).size(), 1U);
    EXPECT_EQ(workspace.traceBytes().size(), 3U);
    EXPECT_EQ(workspace.trace().tracks(repeat).size(), 1U);
}

TEST_F(TraceLimitTest, anExperimentThatFillsItAloneLosesItsNewTraceAndNobodyElseTheirs)
{
    Workspace workspace = open({});
    const std::int64_t other = addTrial(workspace);
    workspace.importRepeat(tracedRepeat(other, 0));
    Workspace limited = open(workspace.traceBytes().at(other) * 3 / 2);
    const std::int64_t trial = addTrial(limited);
    const std::int64_t large = limited.importRepeat(tracedRepeat(trial, 0, 200'000)).repeat;
    expectNoTrace(limited, large);
    ASSERT_EQ(messages(limited, large).size(), 1U);
    EXPECT_NE(
        messages(limited, large).front().find("those of this experiment alone would take more"), std::string::npos);
    EXPECT_EQ(limited.trace().tracks(limited.repeats(other).front().id).size(), 1U);
}

} // namespace
} // namespace headroom::store
