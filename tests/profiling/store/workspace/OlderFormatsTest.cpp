// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/SpoolReader.h"
#include "tests/profiling/store/StoreTest.h"
#include "tests/profiling/trace/BlockOfVersion1.h"
#include "tests/support/Checkout.h"

#include <limits>

namespace headroom::store::older_formats_test {
namespace {

constexpr auto kBegin = std::numeric_limits<std::int64_t>::min();
constexpr auto kEnd = std::numeric_limits<std::int64_t>::max();

/// Files as programs of before left them, from the texts in fixtures/.
class OlderFormatsTest : public StoreTest {
protected:
    static void make(const std::filesystem::path& path, const std::string& fixture)
    {
        SQLite::Database(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
            .exec(contentOf(checkout(std::string("tests/profiling/store/fixtures/") + fixture)));
    }

    // The last one has a time that no window can end behind.
    static std::vector<trace::AllocatorEvent> events()
    {
        std::vector<trace::AllocatorEvent> events = trace::eventsOfVersion1();
        events.pop_back();
        return events;
    }
};

TEST_F(OlderFormatsTest, aWorkspaceOfVersionTwoKeepsItsTraces)
{
    make(workspacePath(), "workspace-2.sql");
    Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
    const ExperimentRow experiment = workspace.findExperiment("ltx").value();
    EXPECT_EQ(experiment.summaryJson, R"({"record":"summary"})");
    const TrialRow trial = workspace.trials(experiment.id).at(0);
    const RepeatRow repeat = workspace.repeats(trial.id).at(0);
    EXPECT_EQ(workspace.samples(repeat.id).size(), 2U);
    EXPECT_EQ(workspace.trace().events(repeat.id, "device", kBegin, kEnd), events());
    EXPECT_EQ(workspace.trace().tracks(repeat.id).size(), 2U);
    EXPECT_EQ(workspace.trace().owners(repeat.id).all().size(), 1U);
    EXPECT_EQ(workspace.trace().records(repeat.id, kBegin, kEnd), trace::DeviceRecords{});
    EXPECT_GT(workspace.traceBytes().at(trial.id), 0);
}

TEST_F(OlderFormatsTest, memoryOfAWorkspaceOfVersionTwoIsUnknownThroughout)
{
    make(workspacePath(), "workspace-2.sql");
    Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
    for (const TrackRow& track : workspace.trace().tracks(1)) {
        const auto curve = workspace.timeline(1, track.track, trace::Counter::Allocated, 0, 1'000'000'000, 300);
        const auto stack = workspace.trace().categories(1, track.track, 0, 1'000'000'000, 300);
        ASSERT_EQ(stack.size(), curve.size()) << track.track;
        for (std::size_t i = 0; i < stack.size(); ++i) {
            EXPECT_EQ(stack[i].allocated, curve[i]);
            EXPECT_EQ(stack[i].atMax.of(config::MemoryCategory::Unknown), curve[i].max);
            EXPECT_EQ(stack[i].atMax.total(), curve[i].max);
        }
    }
}

TEST_F(OlderFormatsTest, aSpoolOfVersionOneIsImported)
{
    make(file("spool"), "spool-1.sql");
    Workspace workspace = create();
    RepeatImport source = repeatOf(addTrial(workspace), 0);
    source.spool = file("spool");
    const std::int64_t repeat = workspace.importRepeat(source).repeat;
    EXPECT_EQ(workspace.trace().events(repeat, "device", kBegin, kEnd), events());
    EXPECT_EQ(workspace.phases(repeat).size(), 1U);
    const auto diagnostics = workspace.repeatDiagnostics(repeat);
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics.front().kind, "dropped_events");
}

TEST_F(OlderFormatsTest, aSpoolOfVersionOneHasNoOwnersToRead)
{
    make(file("spool"), "spool-1.sql");
    SpoolReader spool(file("spool"));
    EXPECT_FALSE(spool.hasRecords());
    EXPECT_TRUE(spool.isFinished());
}

} // namespace
} // namespace headroom::store::older_formats_test
