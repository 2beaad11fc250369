// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/SpoolReader.h"
#include "tests/profiling/store/RandomRecords.h"
#include "tests/profiling/store/StoreTest.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace headroom::store::records_test {
namespace {

constexpr auto kBegin = std::numeric_limits<std::int64_t>::min();
constexpr auto kEnd = std::numeric_limits<std::int64_t>::max();

const std::vector<trace::MemoryOwner> kOwners{{},
    {config::MemoryCategory::Weights, "transformer_blocks.3.ff.net.0.proj", ""},
    {config::MemoryCategory::RecomputedActivations, "transformer_blocks.3", "checkpointing"},
    {config::MemoryCategory::SavedActivations, "model.layers.3", "", "modeling_llama.py:312"},
    {config::MemoryCategory::Temporaries, "", "", "modeling_llama.py:7"}};

class RecordsTest : public StoreTest {
protected:
    std::filesystem::path writeSpool(const std::vector<trace::DeviceRecords>& parts) const
    {
        SpoolWriter spool(file("spool"));
        for (trace::OwnerId id = 0; id < kOwners.size(); ++id)
            spool.addOwner(id, kOwners[id]);
        for (const trace::DeviceRecords& part : parts)
            spool.addRecords(part);
        spool.finish();
        return file("spool");
    }

    std::int64_t import(const std::filesystem::path& spool)
    {
        RepeatImport source = repeatOf(m_trial, m_next++);
        source.spool = spool;
        return m_workspace.importRepeat(source).repeat;
    }

    std::int64_t rows(const std::string& table) const
    {
        SQLite::Database database(workspacePath().string(), SQLite::OPEN_READONLY);
        return database.execAndGet("SELECT count(*) FROM " + table).getInt64();
    }

    Workspace m_workspace = create();
    std::int64_t m_trial = addTrial(m_workspace, 9);
    int m_next = 0;
};

TEST_F(RecordsTest, ownersComeBackUnderTheirNumbers)
{
    const auto spool = writeSpool({});
    EXPECT_TRUE(std::ranges::equal(SpoolReader(spool).trace().owners(kSpoolRepeat).all(), kOwners));
    EXPECT_TRUE(std::ranges::equal(m_workspace.trace().owners(import(spool)).all(), kOwners));
}

TEST_F(RecordsTest, aTraceWithoutOwnersHasTheUnknownOne)
{
    EXPECT_EQ(m_workspace.trace().owners(m_workspace.importRepeat(repeatOf(m_trial, 0)).repeat).all().size(), 1U);
}

TEST_F(RecordsTest, everyMemberOfEveryRecordComesBack)
{
    const trace::DeviceRecords records = RandomRecords(1).make(300);
    const auto spool = writeSpool({records});
    const trace::DeviceRecords expected = recordsInWindow(records, kBegin, kEnd);
    EXPECT_EQ(SpoolReader(spool).trace().records(kSpoolRepeat, kBegin, kEnd), expected);
    EXPECT_EQ(m_workspace.trace().records(import(spool), kBegin, kEnd), expected);
}

TEST_F(RecordsTest, partsOfACaptureAddUp)
{
    RandomRecords random(2);
    const std::vector parts{random.make(40), random.make(1), random.make(70)};
    trace::DeviceRecords all;
    for (const trace::DeviceRecords& part : parts)
        eachRecordTable([&](auto table) {
            const auto list = decltype(table)::kList;
            (all.*list).insert((all.*list).end(), (part.*list).begin(), (part.*list).end());
        });
    EXPECT_EQ(m_workspace.trace().records(import(writeSpool(parts)), kBegin, kEnd), recordsInWindow(all, kBegin, kEnd));
}

TEST_F(RecordsTest, aWindowHoldsWhatReachesIntoIt)
{
    const trace::DeviceRecords records = RandomRecords(3).make(200);
    const std::int64_t repeat = import(writeSpool({records}));
    std::mt19937 random(4);
    for (int round = 0; round < 20; ++round) {
        const std::int64_t from = random() % 1'000'000;
        const std::int64_t to = from + random() % 50'000;
        EXPECT_EQ(m_workspace.trace().records(repeat, from, to), recordsInWindow(records, from, to));
    }
}

/// Kernels of a long trace, back to back, many beginning at the same time, and a few that run for very long.
trace::DeviceRecords manyKernels(int count)
{
    std::mt19937 random(11);
    trace::DeviceRecords records;
    for (int i = 0; i < count; ++i) {
        trace::KernelRecord& kernel = records.kernels.emplace_back();
        kernel.beginNs = i / 3 * 100;
        kernel.endNs = kernel.beginNs + static_cast<std::int64_t>(random() % 3'000 == 0 ? 200'000 : random() % 90);
        kernel.name = "kernel " + std::to_string(random() % 7);
    }
    return records;
}

// Windows lie in one of the stretches in which rows are found, or reach over their borders.
TEST_F(RecordsTest, aWindowOfAManyKernelsHoldsWhatReachesIntoIt)
{
    constexpr int kKernels = 30'000;
    const trace::DeviceRecords records = manyKernels(kKernels);
    const std::int64_t repeat = import(writeSpool({records}));
    EXPECT_EQ(rows("record_stretches"), (kKernels + 4'095) / 4'096);
    std::mt19937 random(12);
    for (int round = 0; round < 60; ++round) {
        const std::int64_t from = random() % 1'100'000;
        const std::int64_t to = from + random() % (round % 2 == 0 ? 300 : 60'000);
        const trace::DeviceRecords expected = recordsInWindow(records, from, to);
        EXPECT_TRUE(m_workspace.trace().records(repeat, from, to) == expected) << from << " to " << to;
        std::vector<trace::Span> spans;
        for (const trace::KernelRecord& kernel : expected.kernels)
            if (kernel.endNs > from)
                spans.push_back({kernel.beginNs, kernel.endNs});
        EXPECT_TRUE(m_workspace.trace().spans(repeat, Work::Kernels, from, to) == spans) << from << " to " << to;
    }
}

TEST_F(RecordsTest, howBusyKernelsWereIsKnownWithoutReadingThem)
{
    const std::int64_t repeat = import(writeSpool({manyKernels(9'000)}));
    const auto occupancy = m_workspace.trace().occupancy(repeat, Work::Kernels);
    ASSERT_TRUE(occupancy);
    std::vector<bool> account(600'000, false);
    for (const trace::KernelRecord& kernel : manyKernels(9'000).kernels)
        std::fill(account.begin() + kernel.beginNs, account.begin() + kernel.endNs, true);
    EXPECT_EQ(std::accumulate(occupancy->busyNs.begin(), occupancy->busyNs.end(), std::uint64_t{0}),
        static_cast<std::uint64_t>(std::ranges::count(account, true)));
    EXPECT_FALSE(m_workspace.trace().occupancy(repeat, Work::Copies));
    const trace::DeviceRecords memory = m_workspace.trace().memoryRecords(repeat, kBegin, kEnd);
    EXPECT_EQ(memory.kernels.size(), 1U);
}

TEST_F(RecordsTest, aDroppedTraceTakesItsIndexWithIt)
{
    const std::int64_t repeat = import(writeSpool({manyKernels(5'000)}));
    EXPECT_EQ(rows("record_stretches") + rows("occupancies"), 3);
    m_workspace.dropTrialTraces(m_trial);
    EXPECT_EQ(rows("record_stretches") + rows("occupancies"), 0);
    EXPECT_EQ(m_workspace.trace().records(repeat, kBegin, kEnd), trace::DeviceRecords{});
}

TEST_F(RecordsTest, recordsOfSeveralRepeatsAreKeptApart)
{
    const trace::DeviceRecords first = RandomRecords(5).make(20);
    const std::int64_t repeat = import(writeSpool({first}));
    std::filesystem::remove(file("spool"));
    import(writeSpool({RandomRecords(6).make(20)}));
    EXPECT_EQ(m_workspace.trace().records(repeat, kBegin, kEnd), recordsInWindow(first, kBegin, kEnd));
}

TEST_F(RecordsTest, aRepeatThatGivesWayTakesItsRecordsWithIt)
{
    RepeatImport cancelled = repeatOf(m_trial, 0, Outcome::Cancelled);
    cancelled.spool = writeSpool({RandomRecords(7).make(20)});
    m_workspace.importRepeat(cancelled);
    EXPECT_EQ(rows("kernels"), 20);
    m_workspace.importRepeat(repeatOf(m_trial, 0));
    eachRecordTable([&](auto table) { EXPECT_EQ(rows(decltype(table)::kName), 0) << decltype(table)::kName; });
    EXPECT_EQ(rows("owners") + rows("strings"), 0);
}

TEST_F(RecordsTest, recordsAtHandNeedNoSpool)
{
    RepeatImport source = repeatOf(m_trial, 0);
    source.owners = kOwners;
    source.records = RandomRecords(8).make(30);
    const std::int64_t repeat = m_workspace.importRepeat(source).repeat;
    EXPECT_TRUE(std::ranges::equal(m_workspace.trace().owners(repeat).all(), kOwners));
    EXPECT_EQ(m_workspace.trace().records(repeat, kBegin, kEnd), recordsInWindow(source.records, kBegin, kEnd));
}

TEST_F(RecordsTest, malformedRowsAreDiagnosticsAndTheRestIsImported)
{
    const auto spool = writeSpool({RandomRecords(9).make(10)});
    SQLite::Database database(spool.string(), SQLite::OPEN_READWRITE);
    database.exec("UPDATE owners SET category = 'nonsense' WHERE id = 1; UPDATE owners SET id = -3 WHERE id = 2;"
                  "PRAGMA writable_schema = ON;"
                  "UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'kernels'");
    SQLite::Database(spool.string(), SQLite::OPEN_READWRITE).exec("UPDATE kernels SET grid_x = 'x' WHERE ordinal < 3");
    const std::int64_t repeat = import(spool);
    const auto diagnostics = m_workspace.repeatDiagnostics(repeat);
    ASSERT_EQ(diagnostics.size(), 2U);
    EXPECT_EQ(diagnostics[0].kind, "malformed_record");
    EXPECT_EQ(diagnostics[0].count, 2);
    EXPECT_EQ(diagnostics[1].count, 3);
    EXPECT_EQ(m_workspace.trace().records(repeat, kBegin, kEnd).kernels.size(), 7U);
    EXPECT_EQ(m_workspace.trace().records(repeat, kBegin, kEnd).copies.size(), 10U);
    // Owners keep their numbers: those of the two rows that were refused are the unknown one's.
    const std::vector<trace::MemoryOwner> kept{kOwners[0], {}, {}, kOwners[3], kOwners[4]};
    EXPECT_TRUE(std::ranges::equal(m_workspace.trace().owners(repeat).all(), kept));
}

// The tables are written out in a released migration, the columns that are read and written stand elsewhere.
TEST_F(RecordsTest, everyTableHasTheColumnsThatAreRead)
{
    writeSpool({});
    for (const auto& path : {workspacePath(), file("spool")}) {
        SQLite::Database database(path.string(), SQLite::OPEN_READONLY);
        eachRecordTable([&](auto table) {
            using Table = decltype(table);
            std::vector<std::string> columns;
            SQLite::Statement statement(
                database, std::string("SELECT name FROM pragma_table_info('") + Table::kName + "') ORDER BY cid");
            while (statement.executeStep())
                columns.push_back(statement.getColumn(0).getString());
            EXPECT_EQ(columns, columnNames<Table>()) << Table::kName;
        });
    }
}

} // namespace
} // namespace headroom::store::records_test
