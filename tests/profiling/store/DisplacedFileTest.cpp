// SPDX-License-Identifier: Apache-2.0
//
// A workspace that is deleted, moved or replaced while it is open.
#include "profiling/store/StoreErrors.h"
#include "tests/profiling/store/StoreTest.h"

namespace headroom::store::displaced_file_test {
namespace {

class DisplacedFileTest : public StoreTest {
protected:
    DisplacedFileTest()
        : m_workspace(create())
        , m_trial(addTrial(m_workspace, 5))
    {
        m_workspace.importRepeat(repeatOf(m_trial, 0));
    }

    // Every way to write is refused in the same words, and nothing appears in the folder.
    void expectNoWrite(const std::string& what)
    {
        const auto before = stored();
        const auto message = [&](const std::function<void()>& write) {
            try {
                write();
            } catch (const DisplacedFileError& error) {
                return error.problem();
            }
            return std::string("no error");
        };
        EXPECT_EQ(message([&] { m_workspace.importRepeat(repeatOf(m_trial, 1)); }), what);
        EXPECT_EQ(message([&] { m_workspace.addExperiment({}); }), what);
        EXPECT_EQ(message([&] { m_workspace.setTrialStatus(m_trial, TrialStatus::Done); }), what);
        EXPECT_EQ(message([&] {
            Workspace::Batch batch(m_workspace);
            m_workspace.importRepeat(repeatOf(m_trial, 1));
        }),
            what);
        EXPECT_EQ(stored(), before);
        EXPECT_EQ(m_workspace.repeats(m_trial).size(), 1U); // what it had can still be read
    }

    // Marks of readers in the shared memory come and go.
    std::map<std::string, std::pair<std::size_t, std::size_t>> stored() const
    {
        auto files = snapshot();
        std::erase_if(files, [](const auto& entry) { return entry.first.ends_with("-shm"); });
        return files;
    }

    void replaceByAnother() const
    {
        Workspace other = Workspace::open(file("other.db"), Access::Create);
        other.addExperiment({.name = "other"});
        other.addExperiment({.name = "another"});
    }

    Workspace m_workspace;
    std::int64_t m_trial;
};

TEST_F(DisplacedFileTest, aDeletedOneIsNotMadeAnew)
{
    std::filesystem::remove(workspacePath());
    expectNoWrite("the workspace was deleted or moved while it was open; nothing was written");
}

TEST_F(DisplacedFileTest, aMovedOneIsNotWritten)
{
    std::filesystem::rename(workspacePath(), file("moved.db"));
    expectNoWrite("the workspace was deleted or moved while it was open; nothing was written");
}

TEST_F(DisplacedFileTest, oneThatIsPutBackGoesOn)
{
    std::filesystem::rename(workspacePath(), file("moved.db"));
    EXPECT_THROW(m_workspace.importRepeat(repeatOf(m_trial, 1)), DisplacedFileError);
    std::filesystem::rename(file("moved.db"), workspacePath());
    m_workspace.importRepeat(repeatOf(m_trial, 1));
    EXPECT_EQ(m_workspace.repeats(m_trial).size(), 2U);
}

TEST_F(DisplacedFileTest, aReplacedOneIsNotWrittenAndItsSuccessorIsLeftAlone)
{
    replaceByAnother();
    std::filesystem::rename(file("other.db"), workspacePath());
    expectNoWrite("another file has taken the place of the workspace while it was open; nothing was written");
}

TEST_F(DisplacedFileTest, aLogThatIsGoneIsNotWrittenInto)
{
    std::filesystem::remove(workspacePath().string() + "-wal");
    expectNoWrite("the -wal file of the workspace was deleted or replaced while it was open; nothing was written");
}

// SQLite would remove the log by its name when the last connection of the old file is closed.
TEST_F(DisplacedFileTest, closingAReplacedOneLeavesTheLogOfItsSuccessor)
{
    std::filesystem::rename(workspacePath(), file("old.db"));
    for (const char* ending : {"-wal", "-shm"})
        std::filesystem::rename(workspacePath().string() + ending, file("old.db").string() + ending);
    const int ended = inChild([&] {
        Workspace successor = create();
        successor.addExperiment({.name = "kept in the log"});
        _exit(0); // as if killed: the experiment is in the log alone
    });
    ASSERT_EQ(ended, 0);
    {
        const Workspace goes(std::move(m_workspace));
    }
    Workspace successor = Workspace::open(workspacePath(), Access::ReadOnly);
    ASSERT_EQ(successor.experiments().size(), 1U);
    EXPECT_EQ(successor.experiments().front().name, "kept in the log");
}

TEST_F(DisplacedFileTest, oneThatANewerProgramHasBroughtUpToDateIsNotWritten)
{
    SQLite::Database newer(workspacePath().string(), SQLite::OPEN_READWRITE);
    newer.exec("PRAGMA user_version = 99");
    EXPECT_EQ(fileErrorOf([&] { m_workspace.addExperiment({}); }),
        workspacePath().string()
            + ": the workspace has format version 99, written by a newer Headroom (valid: up to 3)");
}

} // namespace
} // namespace headroom::store::displaced_file_test
