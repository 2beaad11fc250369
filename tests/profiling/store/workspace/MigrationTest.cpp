// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/store/StoreTest.h"

namespace headroom::store {
namespace {

/// The schema of tomorrow: a new column and a new table.
WorkspaceOptions tomorrow()
{
    WorkspaceOptions options;
    options.schema.migrations.push_back(
        {6, "ALTER TABLE trials ADD COLUMN colour TEXT; CREATE TABLE notes (text TEXT NOT NULL) STRICT;"});
    return options;
}

class MigrationTest : public StoreTest {
protected:
    std::int64_t number(const std::string& sql) const
    {
        SQLite::Database database(workspacePath().string(), SQLite::OPEN_READONLY);
        return database.execAndGet(sql).getInt64();
    }
};

TEST_F(MigrationTest, aNewWorkspaceCarriesItsMarks)
{
    create();
    EXPECT_EQ(number("PRAGMA application_id"), 0x48445257);
    EXPECT_EQ(number("PRAGMA user_version"), 5);
    SQLite::Database database(workspacePath().string(), SQLite::OPEN_READONLY);
    EXPECT_EQ(database.execAndGet("PRAGMA journal_mode").getString(), "wal");
    EXPECT_EQ(number("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
                     "AND name NOT LIKE 'sqlite_%' AND strict = 0"),
        0);
}

TEST_F(MigrationTest, anOlderWorkspaceIsBroughtUpToDateWithItsRows)
{
    {
        Workspace workspace = create();
        addTrial(workspace);
    }
    {
        Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite, tomorrow());
        EXPECT_EQ(workspace.trials(workspace.findExperiment("sweep")->id).size(), 1U);
    }
    EXPECT_EQ(number("PRAGMA user_version"), 6);
    EXPECT_EQ(number("SELECT count(*) FROM trials WHERE colour IS NULL"), 1);
    EXPECT_EQ(number("SELECT count(*) FROM notes"), 0);
}

/// The schema of version 1, before experiments said how they ended.
WorkspaceOptions versionOne()
{
    WorkspaceOptions options;
    options.schema.migrations.resize(1);
    return options;
}

TEST_F(MigrationTest, aWorkspaceOfVersionOneGetsTheEndOfItsExperiments)
{
    {
        Workspace workspace = Workspace::open(workspacePath(), Access::Create, versionOne());
        addTrial(workspace);
    }
    EXPECT_EQ(number("PRAGMA user_version"), 1);
    Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
    EXPECT_EQ(number("PRAGMA user_version"), 5);
    const ExperimentRow old = workspace.experiments().at(0);
    EXPECT_FALSE(old.finishedAt || old.summaryJson || old.environment);
    workspace.finishExperiment(
        old.id, {Timestamp(std::chrono::seconds(9)), "{}", workspace.addEnvironment(R"({"host":"h"})")});
    EXPECT_EQ(workspace.experiments().at(0).summaryJson, "{}");
}

/// The schema of version 3, in which a window of records was found by reading all before it.
WorkspaceOptions versionThree()
{
    WorkspaceOptions options;
    options.schema.migrations.resize(3);
    return options;
}

TEST_F(MigrationTest, recordsOfAWorkspaceOfVersionThreeAreFoundByWindow)
{
    std::int64_t repeat = 0;
    {
        Workspace workspace = Workspace::open(workspacePath(), Access::Create, versionThree());
        repeat = workspace.importRepeat(repeatOf(addTrial(workspace), 0)).repeat;
    }
    SQLite::Database(workspacePath().string(), SQLite::OPEN_READWRITE)
        .exec("INSERT INTO kernels SELECT " + std::to_string(repeat)
            + ", value, value / 2 * 10, value / 2 * 10 + iif(value % 5000 = 7, 30000, 5), 0, 0, 0, 0, 0, 0, 0, 0, 0, "
              "0, "
              "0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM (WITH RECURSIVE n (value) AS (SELECT 0 UNION ALL SELECT value + 1 "
              "FROM "
              "n WHERE value < 9999) SELECT value FROM n)");
    Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
    EXPECT_EQ(number("PRAGMA user_version"), 5);
    EXPECT_EQ(number("SELECT count(*) FROM record_stretches"), 3);
    EXPECT_EQ(number("SELECT sum(count) FROM record_stretches WHERE records = 'kernels'"), 10'000);
    const TraceReader reader = workspace.trace();
    EXPECT_EQ(reader.records(repeat, 49'990, 50'000).kernels.size(), 3U); // number 5007 goes on
    EXPECT_EQ(reader.records(repeat, 50'000, 50'010).kernels.size(), 1U);
    EXPECT_EQ(reader.records(repeat, 0, 60'000).kernels.size(), 10'000U);
    EXPECT_FALSE(reader.occupancy(repeat, Work::Kernels));
    EXPECT_EQ(reader.spans(repeat, Work::Kernels, 50'000, 50'010).size(), 1U);
}

TEST_F(MigrationTest, aNewWorkspaceGetsAllStepsAtOnce)
{
    Workspace::open(workspacePath(), Access::Create, tomorrow());
    EXPECT_EQ(number("PRAGMA user_version"), 6);
    EXPECT_EQ(number("SELECT count(*) FROM notes"), 0);
}

TEST_F(MigrationTest, aStepThatFailsLeavesTheFileAsItWas)
{
    create();
    const auto before = snapshot();
    WorkspaceOptions broken = tomorrow();
    broken.schema.migrations.push_back({7, "CREATE TABLE more (x INTEGER) STRICT; ALTER TABLE nowhere RENAME TO y;"});
    EXPECT_THROW(Workspace::open(workspacePath(), Access::ReadWrite, broken), FileError);
    EXPECT_EQ(snapshot(), before);
    EXPECT_EQ(number("PRAGMA user_version"), 5);
}

TEST_F(MigrationTest, aReaderDoesNotMigrate)
{
    create();
    const auto before = snapshot();
    EXPECT_EQ(refusal<FileError>([&]() { Workspace::open(workspacePath(), Access::ReadOnly, tomorrow()); }),
        workspacePath().string()
            + ": the workspace has format version 5, older than this program's (valid: 6; open it for writing once to "
              "bring it up to date)");
    EXPECT_EQ(snapshot(), before);
}

TEST_F(MigrationTest, aNewerWorkspaceIsRefusedUntouched)
{
    Workspace::open(workspacePath(), Access::Create, tomorrow());
    const auto before = snapshot();
    for (const Access access : {Access::ReadOnly, Access::ReadWrite, Access::Create})
        EXPECT_EQ(refusal<FileError>([&]() { Workspace::open(workspacePath(), access); }),
            workspacePath().string()
                + ": the workspace has format version 6, written by a newer Headroom (valid: up to 5)");
    EXPECT_EQ(snapshot(), before);
}

// A newer version that is still in the write-ahead log, not in the file.
TEST_F(MigrationTest, aNewerVersionInTheLogIsSeen)
{
    create();
    SQLite::Database other(workspacePath().string(), SQLite::OPEN_READWRITE);
    other.exec("PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 7;");
    EXPECT_NE(
        refusal<FileError>([&]() { Workspace::open(workspacePath(), Access::ReadWrite); }).find("format version 7"),
        std::string::npos);
}

} // namespace
} // namespace headroom::store
