// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/store/StoreTest.h"

#include "tests/support/ChildProcess.h"

#include <csignal>
#include <unistd.h>

namespace headroom::store {
namespace {

class SpoolImportTest : public StoreTest {
protected:
    SpoolImportTest()
        : m_workspace(create())
        , m_trial(addTrial(m_workspace))
    {
    }

    std::filesystem::path spoolPath() const { return file("spool"); }

    void writeSpool(const std::vector<trace::AllocatorEvent>& events) const
    {
        SpoolWriter spool(spoolPath(), {.eventsPerBlock = 4'000});
        spool.append("device", events);
        spool.addPhase({"backward", 0, 5, 6});
        spool.finish();
    }

    void damage(const std::string& sql) const
    {
        SQLite::Database(spoolPath().string(), SQLite::OPEN_READWRITE).exec(sql);
    }

    ImportResult import()
    {
        RepeatImport source = repeatOf(m_trial, 0);
        source.phases = {{"forward", 0, 1, 2}};
        source.spool = spoolPath();
        return m_workspace.importRepeat(source);
    }

    std::vector<std::string> kinds(std::int64_t repeat)
    {
        std::vector<std::string> kinds;
        for (const DiagnosticRow& row : m_workspace.repeatDiagnostics(repeat))
            kinds.push_back(row.kind);
        return kinds;
    }

    Workspace m_workspace;
    std::int64_t m_trial;
};

TEST_F(SpoolImportTest, everythingArrives)
{
    const auto events = trace::randomTrace(30'000);
    writeSpool(events);
    const ImportResult result = import();
    EXPECT_EQ(result.blocks, 8);
    EXPECT_EQ(result.malformedBlocks, 0);
    EXPECT_TRUE(kinds(result.repeat).empty());
    EXPECT_EQ(m_workspace.trace().events(result.repeat, "device", 0, events.back().timeNs + 1), events);
    EXPECT_EQ(m_workspace.phases(result.repeat),
        (std::vector<trace::PhaseSpan>{{"forward", 0, 1, 2}, {"backward", 0, 5, 6}}));
}

TEST_F(SpoolImportTest, aMalformedBlockIsADiagnosticAndTheRestIsImported)
{
    const auto events = trace::randomTrace(30'000);
    writeSpool(events);
    damage("UPDATE event_blocks SET data = substr(data, 1, 500) WHERE ordinal = 3;"
           "UPDATE event_blocks SET data = x'00' WHERE ordinal = 6;");
    const ImportResult result = import();
    EXPECT_EQ(result.blocks, 6);
    EXPECT_EQ(result.malformedBlocks, 2);
    const auto diagnostics = m_workspace.repeatDiagnostics(result.repeat);
    ASSERT_EQ(diagnostics.size(), 2U);
    EXPECT_EQ(diagnostics[0].kind, "malformed_block");
    EXPECT_EQ(diagnostics[0].severity, Severity::Error);
    EXPECT_EQ(diagnostics[0].message,
        "block 3 of track 'device' was left out: the event block is truncated or has bytes left over");
    EXPECT_EQ(m_workspace.trace().events(result.repeat, "device", 0, events.back().timeNs + 1).size(), 22'000U);
}

// The blocks after a lost one know the counters that they begin with.
TEST_F(SpoolImportTest, theCurveIsRightAgainAfterALostBlock)
{
    const auto events = trace::randomTrace(12'000);
    writeSpool(events);
    damage("UPDATE event_blocks SET data = x'00' WHERE ordinal = 1;");
    const std::int64_t repeat = import().repeat;
    trace::MemoryCounters counters;
    for (const trace::AllocatorEvent& event : events)
        counters.apply(event);
    const std::int64_t endNs = events.back().timeNs + 1;
    for (const trace::Counter counter : trace::kCounters)
        EXPECT_EQ(m_workspace.timeline(repeat, "device", counter, 0, endNs, 100).back().last, counters.of(counter));
}

TEST_F(SpoolImportTest, aDamagedPyramidIsBuiltAnew)
{
    const auto events = trace::randomTrace(50'000);
    writeSpool(events);
    const std::int64_t endNs = events.back().timeNs + 1;
    RepeatImport intact = repeatOf(m_trial, 1);
    intact.spool = spoolPath();
    const std::int64_t expected = m_workspace.importRepeat(intact).repeat;
    damage("UPDATE pyramids SET data = x'11' WHERE counter = 'active';");
    const std::int64_t repeat = import().repeat;
    EXPECT_EQ(kinds(repeat), std::vector<std::string>{"malformed_pyramid"});
    for (const trace::Counter counter : trace::kCounters)
        EXPECT_EQ(m_workspace.timeline(repeat, "device", counter, 0, endNs, 500),
            m_workspace.timeline(expected, "device", counter, 0, endNs, 500));
}

TEST_F(SpoolImportTest, damagedStatesOfSegmentsAreNamedAndBuiltAnew)
{
    writeSpool(trace::randomTrace(120'000));
    damage("UPDATE segment_stretches SET data = substr(data, 1, 60) WHERE ordinal = "
           "(SELECT max(ordinal) FROM segment_stretches)");
    const std::int64_t repeat = import().repeat;
    EXPECT_EQ(kinds(repeat), std::vector<std::string>{"malformed_segment_state"});
    const StretchReader reader = m_workspace.trace().stretches(repeat, "device");
    for (const trace::SegmentStretch& stretch : reader.stretches())
        EXPECT_NO_THROW(reader.state(stretch.ordinal));
}

TEST_F(SpoolImportTest, aKilledWorkersSpoolIsImportedUpToItsLastBlock)
{
    const auto events = trace::randomTrace(50'999);
    exitCodeOfChild([&]() {
        SpoolWriter spool(spoolPath(), {.eventsPerBlock = 1'000});
        spool.append("device", events);
        kill(getpid(), SIGKILL);
    });
    const ImportResult result = import();
    EXPECT_EQ(result.blocks, 50);
    EXPECT_EQ(kinds(result.repeat), std::vector<std::string>{"unfinished_spool"});
    const std::vector whole(events.begin(), events.begin() + 50'000);
    EXPECT_EQ(m_workspace.trace().events(result.repeat, "device", 0, events.back().timeNs + 1), whole);
    SQLite::Database database(workspacePath().string(), SQLite::OPEN_READONLY);
    EXPECT_GT(database.execAndGet("SELECT count(*) FROM pyramids").getInt64(), 0);
}

TEST_F(SpoolImportTest, statesOfTheSegmentsCoverWhateverArrived)
{
    const auto covered = [&](std::int64_t repeat) {
        const StretchReader reader = m_workspace.trace().stretches(repeat, "device");
        return reader.stretches().size() >= 2 && areCovered(reader.blocks(), reader.stretches());
    };
    const auto events = trace::randomTrace(120'000);
    const std::string damages[] = {"", "DELETE FROM event_blocks WHERE ordinal = 12",
        "UPDATE segment_stretches SET data = substr(data, 1, 60) WHERE ordinal > 0",
        "UPDATE segment_stretches SET failures = x'ffff' WHERE ordinal > 0", "DELETE FROM segment_stretches",
        "DELETE FROM segment_stretches WHERE ordinal = 0", "DROP TABLE segment_stretches; PRAGMA user_version = 2"};
    for (const std::string& change : damages) {
        SCOPED_TRACE(change);
        writeSpool(events);
        if (!change.empty())
            damage(change);
        EXPECT_TRUE(covered(import().repeat));
        std::filesystem::remove(spoolPath());
        m_trial = addTrial(m_workspace);
    }
}

TEST_F(SpoolImportTest, aMissingOrForeignSpoolCostsTheTraceAndNotTheRepeat)
{
    const std::int64_t repeat = import().repeat;
    EXPECT_EQ(kinds(repeat), std::vector<std::string>{"unreadable_spool"});
    EXPECT_EQ(m_workspace.phases(repeat).size(), 1U);
    writeText(file("other"), "not a spool at all");
    RepeatImport source = repeatOf(m_trial, 1);
    source.spool = file("other");
    EXPECT_EQ(kinds(m_workspace.importRepeat(source).repeat), std::vector<std::string>{"unreadable_spool"});
}

TEST_F(SpoolImportTest, aTruncatedSpoolCostsItsTailAndNotTheRepeat)
{
    writeSpool(trace::randomTrace(30'000));
    const auto size = std::filesystem::file_size(spoolPath());
    for (const auto part : {3U, 10U, 60U}) {
        std::filesystem::copy_file(spoolPath(), file("cut"), std::filesystem::copy_options::overwrite_existing);
        std::filesystem::resize_file(file("cut"), size * part / 100);
        RepeatImport source = repeatOf(m_trial, static_cast<int>(part));
        source.spool = file("cut");
        EXPECT_FALSE(kinds(m_workspace.importRepeat(source).repeat).empty());
    }
    EXPECT_EQ(m_workspace.repeats(m_trial).size(), 3U);
}

TEST_F(SpoolImportTest, randomDamageNeverBreaksAnImport)
{
    writeSpool(trace::randomTrace(18'000));
    const std::string original = contentOf(spoolPath());
    std::mt19937 random(11);
    for (int round = 0; round < 60; ++round) {
        std::string bytes = original;
        for (auto changes = 1 + random() % 200; changes > 0; --changes)
            bytes[100 + random() % (bytes.size() - 100)] = static_cast<char>(random());
        writeText(file("bad"), bytes);
        RepeatImport source = repeatOf(m_trial, round);
        source.spool = file("bad");
        EXPECT_NO_THROW(m_workspace.importRepeat(source)) << round;
    }
    EXPECT_EQ(m_workspace.repeats(m_trial).size(), 60U);
    EXPECT_EQ(integrity(workspacePath()), "ok");
}

} // namespace
} // namespace headroom::store
