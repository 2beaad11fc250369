// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/workspace/WorkspaceRepair.h"

#include "profiling/store/StoreErrors.h"
#include "profiling/store/workspace/WorkspaceCheck.h"
#include "tests/profiling/store/RandomRecords.h"
#include "tests/profiling/store/StoreTest.h"
#include "tests/profiling/trace/pyramids/CategoryTrace.h"
#include "tests/support/ChildProcess.h"

#include <random>
#include <set>
#include <unistd.h>

namespace headroom::store::workspace_repair_test {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kTraceEvents = 40'000;
constexpr std::int64_t kForEver = 1'000'000'000'000;

class WorkspaceRepairTest : public StoreTest {
protected:
    // Some hundred pages: several experiments, results, samples, traces and records.
    void fill() const
    {
        Workspace workspace = create();
        for (int experiment = 0; experiment < 3; ++experiment) {
            const std::int64_t trial = addTrial(workspace, 40);
            const std::int64_t environment =
                workspace.addEnvironment(R"({"machine": ")" + std::string(9'000, 'm') + "\"}");
            for (int index = 0; index < 40; ++index) {
                RepeatImport source = repeatOf(trial, index);
                source.repeat.environment = environment;
                source.repeat.resultJson = R"({"result": ")" + std::string(2'000, 'r') + "\"}";
                for (std::int64_t step = 0; step < 20; ++step)
                    source.samples.push_back({step, 0.25});
                if (index < 2) {
                    source.owners = trace::testOwners();
                    source.records = RandomRecords(1).make(50);
                    source.tracks.push_back({"device", trace::ownedTrace(kTraceEvents), {}});
                }
                workspace.importRepeat(source);
            }
        }
    }

    void overwrite(std::size_t page, const std::string& bytes) const
    {
        std::fstream stream(workspacePath(), std::ios::binary | std::ios::in | std::ios::out);
        stream.seekp(static_cast<std::streamoff>(page * kPage));
        stream << bytes;
    }

    std::size_t pages() const { return std::filesystem::file_size(workspacePath()) / kPage; }

    // Pages are numbered from 0 here, from 1 by SQLite.
    std::set<std::size_t> pagesOf(const std::string& table, const std::string& kind) const
    {
        SQLite::Database database(workspacePath().string(), SQLite::OPEN_READWRITE);
        SQLite::Statement rows(database, "SELECT pageno FROM dbstat WHERE name = ? AND pagetype LIKE ?");
        rows.bind(1, table);
        rows.bind(2, kind);
        std::set<std::size_t> pages;
        while (rows.executeStep())
            pages.insert(static_cast<std::size_t>(rows.getColumn(0).getInt64()) - 1);
        return pages;
    }

    // All but those without which the file cannot even be opened.
    void overwriteAllRows() const
    {
        const std::set<std::size_t> schema = pagesOf("sqlite_schema", "%");
        for (std::size_t page = 1; page < pages(); ++page)
            if (!schema.contains(page))
                overwrite(page, pageText(page));
    }

    static std::map<std::string, std::int64_t> rowsOf(const std::filesystem::path& path)
    {
        SQLite::Database database(path.string(), SQLite::OPEN_READONLY);
        std::map<std::string, std::int64_t> rows;
        SQLite::Statement tables(database, "SELECT name FROM sqlite_schema WHERE type = 'table'");
        while (tables.executeStep()) {
            const std::string name = tables.getColumn(0).getString();
            rows[name] = database.execAndGet("SELECT count(*) FROM " + name).getInt64();
        }
        return rows;
    }

    static void expectSound(const std::filesystem::path& path)
    {
        for (const WorkspaceFinding& finding : checkWorkspace(path))
            EXPECT_NE(finding.soundness, Soundness::Broken) << finding.check << ": " << finding.found;
    }

    std::string pageText(std::size_t seed) const
    {
        std::mt19937 random(static_cast<std::uint32_t>(seed));
        std::string bytes(kPage, '\0');
        for (char& byte : bytes)
            byte = static_cast<char>(random());
        return bytes;
    }
};

TEST_F(WorkspaceRepairTest, leadingSlashesAreNoAuthority)
{
    fill();
    for (const std::string slashes : {"/", "//"}) {
        const std::filesystem::path path = slashes + workspacePath().string();
        EXPECT_EQ(repairWorkspace(path, file(std::to_string(slashes.size()) + ".db")).lost(), 0) << path;
    }
}

TEST_F(WorkspaceRepairTest, aSoundWorkspaceIsCopiedRowForRow)
{
    fill();
    const auto before = snapshot();
    const RepairReport report = repairWorkspace(workspacePath(), file("new.db"));
    EXPECT_EQ(report.lost(), 0);
    EXPECT_EQ(report.remarks, std::vector<std::string>{});
    expectSound(file("new.db"));
    auto after = snapshot();
    after.erase("new.db");
    EXPECT_EQ(after, before);
    EXPECT_EQ(rowsOf(file("new.db")), rowsOf(workspacePath()));
}

TEST_F(WorkspaceRepairTest, whatIsInTheLogAloneIsCopiedAndTheLogStays)
{
    EXPECT_EQ(exitCodeOfChild([&] {
        Workspace workspace = create();
        workspace.importRepeat(repeatOf(addTrial(workspace), 0));
        _exit(0); // as if killed
    }),
        0);
    const std::string main = contentOf(workspacePath());
    const std::string log = contentOf(workspacePath().string() + "-wal");
    ASSERT_FALSE(log.empty());
    EXPECT_EQ(repairWorkspace(workspacePath(), file("new.db")).lost(), 0);
    EXPECT_EQ(contentOf(workspacePath()), main);
    EXPECT_EQ(contentOf(workspacePath().string() + "-wal"), log);
    EXPECT_EQ(rowsOf(file("new.db")).at("repeats"), 1);
}

// Any page but the first, damaged at random: what comes out is sound, and most of what was there is in it.
TEST_F(WorkspaceRepairTest, anyDamagedPageCostsAPartAndNeverTheWhole)
{
    fill();
    const std::string sound = contentOf(workspacePath());
    const auto rows = rowsOf(workspacePath());
    std::mt19937 random(7);
    int withMostRepeats = 0;
    constexpr int kRounds = 40;
    for (int round = 0; round < kRounds; ++round) {
        writeText(workspacePath(), sound);
        const std::size_t page = 1 + random() % (pages() - 1);
        overwrite(page, round % 2 == 0 ? pageText(page) : std::string(kPage, '\0'));
        SCOPED_TRACE("page " + std::to_string(page));
        const std::string damaged = contentOf(workspacePath());
        const auto output = file("new" + std::to_string(round) + ".db");
        const RepairReport report = repairWorkspace(workspacePath(), output);
        EXPECT_EQ(contentOf(workspacePath()), damaged);
        expectSound(output);
        Workspace workspace = Workspace::open(output, Access::ReadWrite);
        for (const ExperimentRow& experiment : workspace.experiments())
            for (const TrialRow& trial : workspace.trials(experiment.id))
                for (const RepeatRow& repeat : workspace.repeats(trial.id))
                    for (const TrackRow& track : workspace.trace().tracks(repeat.id))
                        EXPECT_FALSE(
                            workspace.timeline(repeat.id, track.track, trace::Counter::Allocated, 0, kForEver, 50)
                                .empty());
        withMostRepeats += rowsOf(output).at("repeats") >= rows.at("repeats") * 9 / 10 ? 1 : 0;
    }
    EXPECT_GT(withMostRepeats, kRounds * 3 / 4);
}

TEST_F(WorkspaceRepairTest, whatIsLostIsCountedAndSaidInTheNewOne)
{
    fill();
    {
        SQLite::Database database(workspacePath().string(), SQLite::OPEN_READWRITE);
        database.exec("UPDATE event_blocks SET data = zeroblob(100) WHERE rowid = 2");
        database.exec("UPDATE pyramids SET data = zeroblob(100) WHERE rowid = 1");
        database.exec("UPDATE repeats SET result_json = '{' WHERE id = 30");
    }
    const RepairReport report = repairWorkspace(workspacePath(), file("new.db"));
    std::map<std::string, std::int64_t> lost;
    for (const RepairedTable& table : report.tables)
        if (table.lost > 0)
            lost[table.name] = table.lost;
    const std::map<std::string, std::int64_t> expected{
        {"event_blocks", 1}, {"pyramids", 1}, {"repeats", 1}, {"samples", 20}};
    EXPECT_EQ(lost, expected);
    expectSound(file("new.db"));
    Workspace repaired = Workspace::open(file("new.db"), Access::ReadOnly);
    EXPECT_EQ(repaired.experimentDiagnostics(1).front().kind, "repaired");
    EXPECT_EQ(repaired.trials(1).front().status, TrialStatus::Running); // a repeat is to be run again
    ASSERT_EQ(report.remarks.size(), 1U);
    EXPECT_NE(report.remarks.front().find("built anew"), std::string::npos);
}

TEST_F(WorkspaceRepairTest, trialsWhoseExperimentIsLostStandUnderAnotherName)
{
    fill();
    {
        SQLite::Database database(workspacePath().string(), SQLite::OPEN_READWRITE);
        database.exec("DELETE FROM experiments WHERE id = 2");
    }
    const RepairReport report = repairWorkspace(workspacePath(), file("new.db"));
    EXPECT_EQ(report.lost(), 0);
    Workspace repaired = Workspace::open(file("new.db"), Access::ReadOnly);
    EXPECT_EQ(repaired.findExperiment(2)->name, "recovered");
    EXPECT_EQ(repaired.repeats(repaired.trials(2).front().id).size(), 40U);
    expectSound(file("new.db"));
}

TEST_F(WorkspaceRepairTest, aFileThatIsThereIsNeverReplaced)
{
    fill();
    writeText(file("new.db"), "mine");
    EXPECT_EQ(refusal<FileError>([&] { repairWorkspace(workspacePath(), file("new.db")); }),
        file("new.db").string() + ": there is a file of this name already (valid: another name)");
    EXPECT_EQ(contentOf(file("new.db")), "mine");
    EXPECT_NE(refusal<FileError>([&] { repairWorkspace(workspacePath(), workspacePath()); }).find("already"),
        std::string::npos);
}

TEST_F(WorkspaceRepairTest, whatCannotBeReadAtAllIsSaidAndLeavesNothing)
{
    fill();
    overwrite(0, std::string(kPage, 'x'));
    EXPECT_THROW(repairWorkspace(workspacePath(), file("new.db")), FileError);
    EXPECT_FALSE(std::filesystem::exists(file("new.db")));
}

TEST_F(WorkspaceRepairTest, aDeletedWorkspaceIsCopiedThroughTheConnectionThatHasItOpen)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace, 2);
    workspace.importRepeat(repeatOf(trial, 0));
    for (const char* ending : {"", "-wal", "-shm"})
        std::filesystem::remove(workspacePath().string() + ending);
    EXPECT_EQ(workspace.copyTo(file("new.db")).lost(), 0);
    EXPECT_EQ(Workspace::open(file("new.db"), Access::ReadOnly).repeats(trial).size(), 1U);
    expectSound(file("new.db"));
}

TEST_F(WorkspaceRepairTest, damageIsAnErrorOfItsOwnWhoeverFindsIt)
{
    fill();
    overwriteAllRows();
    Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
    EXPECT_THROW(workspace.experiments(), DamagedFileError);
    EXPECT_THROW(workspace.addExperiment({.name = "more"}), DamagedFileError);
    EXPECT_THROW(workspace.tallies(), DamagedFileError);
    EXPECT_THROW(workspace.compact(), DamagedFileError);
}

class WorkspaceCheckTest : public WorkspaceRepairTest {
protected:
    std::map<std::string, WorkspaceFinding> check() const
    {
        std::map<std::string, WorkspaceFinding> found;
        for (WorkspaceFinding& finding : checkWorkspace(workspacePath()))
            found[finding.check] = std::move(finding);
        return found;
    }
    std::map<std::string, Soundness> unsound() const
    {
        std::map<std::string, Soundness> found;
        for (const auto& [name, finding] : check())
            if (finding.soundness != Soundness::Sound)
                found[name] = finding.soundness;
        return found;
    }
    void change(const char* sql) const { SQLite::Database(workspacePath().string(), SQLite::OPEN_READWRITE).exec(sql); }

    using Unsound = std::map<std::string, Soundness>;
};

TEST_F(WorkspaceCheckTest, aSoundOneIsSoundAndStaysAsItIs)
{
    fill();
    const auto before = snapshot();
    EXPECT_EQ(unsound(), Unsound{});
    EXPECT_EQ(check().at("results").found, "120 repeats of 3 trials");
    EXPECT_EQ(snapshot(), before);
}

TEST_F(WorkspaceCheckTest, eachKindOfDamageIsFoundByItsCheck)
{
    fill();
    change("PRAGMA foreign_keys = OFF; UPDATE samples SET repeat = 999 WHERE repeat = 1");
    EXPECT_EQ(unsound(), (Unsound{{"references", Soundness::Broken}}));
    change("UPDATE samples SET repeat = 1 WHERE repeat = 999; UPDATE repeats SET result_json = 'x' WHERE id = 2");
    EXPECT_EQ(unsound(), (Unsound{{"results", Soundness::Broken}}));
    change("UPDATE repeats SET result_json = NULL WHERE id = 2; UPDATE event_blocks SET data = x'00' WHERE rowid = 1");
    EXPECT_EQ(unsound(), (Unsound{{"traces", Soundness::Broken}}));
    EXPECT_NE(check().at("traces").meaning.find("headroom workspace repair"), std::string::npos);
    change("PRAGMA user_version = 1");
    EXPECT_EQ(check().at("version").soundness, Soundness::Noteworthy);
}

TEST_F(WorkspaceCheckTest, damagedPagesAreFound)
{
    fill();
    overwrite(*pagesOf("repeats", "leaf").begin(), std::string(kPage, '\0'));
    EXPECT_EQ(unsound().at("integrity"), Soundness::Broken);
    overwriteAllRows();
    EXPECT_EQ(unsound().at("integrity"), Soundness::Broken);
    EXPECT_EQ(unsound().at("results"), Soundness::Broken);
}

TEST_F(WorkspaceCheckTest, whatIsNoWorkspaceIsAFinding)
{
    EXPECT_EQ(unsound().at("workspace"), Soundness::Broken);
    writeText(workspacePath(), "notes");
    EXPECT_EQ(check().at("workspace").found,
        workspacePath().string() + ": the file is not an SQLite database and was left alone");
}

} // namespace
} // namespace headroom::store::workspace_repair_test
