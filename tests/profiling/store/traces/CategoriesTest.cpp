// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/SpoolReader.h"
#include "tests/profiling/store/StoreTest.h"
#include "tests/profiling/trace/pyramids/CategoryTrace.h"
#include "tests/support/ChildProcess.h"

#include <algorithm>
#include <csignal>
#include <unistd.h>

namespace headroom::store {
namespace {

constexpr trace::MemoryCounters kBefore{.allocated = 9'000, .reserved = 2, .active = 9'000};

class CategoriesTest : public StoreTest {
protected:
    void writeSpool(const std::vector<trace::AllocatorEvent>& events, std::size_t eventsPerBlock = 4'000) const
    {
        SpoolWriter spool(file("spool"), {.eventsPerBlock = eventsPerBlock});
        append(spool, events);
        spool.finish();
    }

    static void append(SpoolWriter& spool, const std::vector<trace::AllocatorEvent>& events)
    {
        const auto owners = trace::testOwners();
        for (trace::OwnerId id = 0; id < owners.size(); ++id)
            spool.addOwner(id, owners[id]);
        spool.beginTrack("device", kBefore);
        spool.append("device", events);
    }

    std::int64_t importSpool()
    {
        RepeatImport source = repeatOf(m_trial, 0);
        source.spool = file("spool");
        return m_workspace.importRepeat(source).repeat;
    }

    void expectWhatTheEventsSay(std::int64_t repeat, const std::vector<trace::AllocatorEvent>& events)
    {
        std::mt19937_64 random(3);
        const std::int64_t beginNs = events.front().timeNs;
        const auto length = static_cast<std::uint64_t>(events.back().timeNs - beginNs + 1'000);
        for (int round = 0; round < 40; ++round) {
            const std::int64_t from = beginNs + static_cast<std::int64_t>(random() % length) - 500;
            const std::int64_t to = from + 1 + static_cast<std::int64_t>(length >> (random() % 30));
            const std::size_t width = 2 + random() % 200;
            const trace::BinRange range = trace::BinRange::covering(from, to, width);
            EXPECT_TRUE(m_workspace.trace().categories(repeat, "device", from, to, width)
                == trace::plainCategories(events, trace::testOwners(), kBefore.allocated, range))
                << from << ' ' << to << ' ' << width;
        }
    }

    std::int64_t rows(const std::string& table) const
    {
        SQLite::Database database(workspacePath().string(), SQLite::OPEN_READONLY);
        return database.execAndGet("SELECT count(*) FROM " + table).getInt64();
    }

    Workspace m_workspace = create();
    std::int64_t m_trial = addTrial(m_workspace, 9);
};

TEST_F(CategoriesTest, storedPyramidsShowWhatTheEventsSay)
{
    const auto events = trace::ownedTrace(200'000);
    writeSpool(events);
    const std::int64_t repeat = importSpool();
    EXPECT_GT(rows("category_pyramids"), 4);
    expectWhatTheEventsSay(repeat, events);
}

TEST_F(CategoriesTest, shortTracksShowWhatTheEventsSay)
{
    const auto events = trace::ownedTrace(3'000);
    writeSpool(events, 700);
    const std::int64_t repeat = importSpool();
    EXPECT_EQ(rows("category_pyramids"), 0);
    expectWhatTheEventsSay(repeat, events);
}

TEST_F(CategoriesTest, wrappedCountersAreShownAsTheyAre)
{
    const auto events = trace::wrappingTrace(50'000, 7);
    writeSpool(events);
    expectWhatTheEventsSay(importSpool(), events);
}

TEST_F(CategoriesTest, eventsAtHandNeedNoSpool)
{
    const auto events = trace::ownedTrace(30'000, 5);
    RepeatImport source = repeatOf(m_trial, 0);
    source.owners = trace::testOwners();
    source.tracks.push_back({"device", events, kBefore});
    expectWhatTheEventsSay(m_workspace.importRepeat(source).repeat, events);
}

TEST_F(CategoriesTest, theStackReachesThePeakOfTheTimeline)
{
    const auto events = trace::ownedTrace(80'000, 6);
    writeSpool(events);
    const std::int64_t repeat = importSpool();
    for (const std::size_t width : {2U, 100U, 1'920U}) {
        const auto endNs = events.back().timeNs + 1;
        const auto stack = m_workspace.trace().categories(repeat, "device", 0, endNs, width);
        const auto curve = m_workspace.timeline(repeat, "device", trace::Counter::Allocated, 0, endNs, width);
        ASSERT_EQ(stack.size(), curve.size());
        for (std::size_t i = 0; i < stack.size(); ++i) {
            EXPECT_EQ(stack[i].allocated, curve[i]);
            EXPECT_EQ(stack[i].atMax.total(), curve[i].max);
        }
    }
}

TEST_F(CategoriesTest, theyAreBuiltAtTheImportOfAKilledWritersSpool)
{
    auto events = trace::ownedTrace(50'999, 8);
    exitCodeOfChild([&]() {
        SpoolWriter spool(file("spool"), {.eventsPerBlock = 1'000});
        append(spool, events);
        kill(getpid(), SIGKILL);
    });
    const std::int64_t repeat = importSpool();
    EXPECT_GT(rows("category_pyramids"), 0);
    events.resize(50'000);
    expectWhatTheEventsSay(repeat, events);
}

TEST_F(CategoriesTest, aDamagedChunkIsBuiltAnew)
{
    const auto events = trace::ownedTrace(60'000, 9);
    writeSpool(events);
    SQLite::Database(file("spool").string(), SQLite::OPEN_READWRITE)
        .exec("UPDATE category_pyramids SET data = x'11' WHERE rowid = 2");
    const std::int64_t repeat = importSpool();
    const auto diagnostics = m_workspace.repeatDiagnostics(repeat);
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics.front().kind, "malformed_pyramid");
    expectWhatTheEventsSay(repeat, events);
}

// As the first version left them: pyramids of the counters and none of the categories.
TEST_F(CategoriesTest, aTrackSummarisedWithoutOwnersIsUnknownThroughout)
{
    const auto events = trace::randomTrace(60'000, 10);
    writeSpool(events);
    const std::int64_t repeat = importSpool();
    SQLite::Database(workspacePath().string(), SQLite::OPEN_READWRITE).exec("DELETE FROM category_pyramids");
    expectWhatTheEventsSay(repeat, events);
}

TEST_F(CategoriesTest, aTrackThatDoesNotExistHoldsNothing)
{
    writeSpool(trace::ownedTrace(10));
    const auto buckets = m_workspace.trace().categories(importSpool(), "host", 0, 100, 4);
    ASSERT_FALSE(buckets.empty());
    EXPECT_EQ(buckets.front().atMax, trace::CategoryBytes{});
}

TEST_F(CategoriesTest, besideTheTrackWhatIsHeldStays)
{
    const auto events = trace::ownedTrace(20'000, 11);
    writeSpool(events);
    const std::int64_t repeat = importSpool();
    const auto buckets = m_workspace.trace().categories(repeat, "device", -500, -100, 2);
    EXPECT_EQ(buckets.back().atMax.of(config::MemoryCategory::Unknown), kBefore.allocated);
}

} // namespace
} // namespace headroom::store
