// SPDX-License-Identifier: Apache-2.0
//
// A workspace that is deleted, moved or replaced while it is open.
#include "profiling/store/StoreErrors.h"
#include "tests/profiling/store/StoreTest.h"
#include "tests/support/ChildProcess.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <functional>
#include <thread>
#include <utility>

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
            const auto error = errorOf<DisplacedFileError>(write);
            return error ? error->problem() : "";
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

// As a window has it: each of its threads has a connection, and closes it when it looks for itself.
TEST_F(DisplacedFileTest, whatOtherConnectionsOfTheProgramHaveOpenDoesNotGoIntoTheSuccessor)
{
    const Workspace second = Workspace::open(workspacePath(), Access::ReadOnly);
    replaceByAnother();
    std::filesystem::rename(file("other.db"), workspacePath());
    for (const Access access : {Access::ReadOnly, Access::ReadWrite}) {
        Workspace successor = Workspace::open(workspacePath(), access);
        EXPECT_EQ(successor.experiments().size(), 2U);
        EXPECT_EQ(m_workspace.repeats(m_trial).size(), 1U);
    }
    Workspace successor = Workspace::open(workspacePath(), Access::ReadWrite);
    {
        const Workspace goes(std::move(m_workspace));
    }
    successor.addExperiment({.name = "a third"});
    EXPECT_EQ(exitCodeOfChild([&] {
        const bool isSeen = Workspace::open(workspacePath(), Access::ReadWrite).experiments().size() == 3;
        _exit(isSeen ? 0 : 1); // it does not remove the log that the successor has open
    }),
        0);
    successor.addExperiment({.name = "a fourth"});
    EXPECT_EQ(Workspace::open(workspacePath(), Access::ReadOnly).experiments().size(), 4U);
    EXPECT_EQ(integrity(workspacePath()), "ok");
}

TEST_F(DisplacedFileTest, theLogOfAMovedOneGoesWithItWhenItsNameIsUsedAgain)
{
    replaceByAnother();
    std::filesystem::rename(workspacePath(), file("moved.db"));
    std::filesystem::rename(file("other.db"), workspacePath());
    EXPECT_EQ(Workspace::open(workspacePath(), Access::ReadWrite).experiments().size(), 2U);
    EXPECT_EQ(Workspace::open(file("moved.db"), Access::ReadOnly).repeats(m_trial).size(), 1U);
    {
        const Workspace goes(std::move(m_workspace));
    }
    EXPECT_EQ(Workspace::open(file("moved.db"), Access::ReadWrite).repeats(m_trial).size(), 1U);
    EXPECT_EQ(integrity(file("moved.db")), "ok");
    EXPECT_EQ(integrity(workspacePath()), "ok");
}

TEST_F(DisplacedFileTest, aLogThatHasNowhereToGoIsNotPlayedIntoTheSuccessor)
{
    replaceByAnother();
    std::filesystem::rename(workspacePath(), file("moved.db"));
    writeText(file("moved.db-wal"), "x");
    std::filesystem::rename(file("other.db"), workspacePath());
    const std::string successor = contentOf(workspacePath());
    EXPECT_EQ(refusal<FileError>([&] { Workspace::open(workspacePath(), Access::ReadWrite); }),
        workspacePath().string()
            + ": this program still has the file open that had this name before, and what it writes would spoil this "
              "one (valid: closing that program, or another name for this file)");
    EXPECT_EQ(contentOf(workspacePath()), successor);
}

// SQLite would remove the log by its name when the last connection of the old file is closed.
TEST_F(DisplacedFileTest, closingAReplacedOneLeavesTheLogOfItsSuccessor)
{
    std::filesystem::rename(workspacePath(), file("old.db"));
    for (const char* ending : {"-wal", "-shm"})
        std::filesystem::rename(workspacePath().string() + ending, file("old.db").string() + ending);
    const int ended = exitCodeOfChild([&] {
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

// A program that has a workspace open, until it is told to close it or killed.
class Holder {
public:
    explicit Holder(const std::function<Workspace()>& open)
    {
        EXPECT_EQ(::pipe(m_ready.data()), 0);
        EXPECT_EQ(::pipe(m_close.data()), 0);
        m_process = ::fork();
        if (m_process == 0) {
            {
                Workspace workspace = open();
                say(m_ready[1]);
                await(m_close[0]);
            }
            _exit(0);
        }
        await(m_ready[0]);
    }

    void close()
    {
        say(m_close[1]);
        int status = 0;
        EXPECT_EQ(::waitpid(std::exchange(m_process, 0), &status, 0) > 0 ? status : -1, 0);
    }

    ~Holder()
    {
        if (m_process > 0) {
            ::kill(m_process, SIGKILL);
            ::waitpid(m_process, nullptr, 0);
        }
        for (const int descriptor : {m_ready[0], m_ready[1], m_close[0], m_close[1]})
            ::close(descriptor);
    }
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;

private:
    static void say(int descriptor) { EXPECT_EQ(::write(descriptor, "x", 1), 1); }
    static void await(int descriptor)
    {
        char byte = 0;
        EXPECT_EQ(::read(descriptor, &byte, 1), 1);
    }

    std::array<int, 2> m_ready{};
    std::array<int, 2> m_close{};
    pid_t m_process = 0;
};

class TwoProgramsTest : public StoreTest {
protected:
    // With its trial still in the log.
    Workspace filled(const std::string& name) const
    {
        Workspace workspace = Workspace::open(file(name), Access::Create);
        workspace.importRepeat(repeatOf(addTrial(workspace, 5), 0));
        return workspace;
    }

    static std::vector<std::string> namesOf(const std::filesystem::path& path)
    {
        std::vector<std::string> names;
        for (const ExperimentRow& row : Workspace::open(path, Access::ReadOnly).experiments())
            names.push_back(row.name);
        return names;
    }
};

TEST_F(TwoProgramsTest, aMovedOneThatIsUsedUnderItsNewNameIsLeftAlone)
{
    Holder holder([&] { return filled("a.db"); });
    std::filesystem::rename(file("a.db"), file("c.db"));
    EXPECT_EQ(exitCodeOfChild([&] {
        Workspace moved = Workspace::open(file("c.db"), Access::Create);
        for (int index = 0; index < 30; ++index)
            addTrial(moved);
        _exit(0); // as if killed: what it wrote is in its log
    }),
        0);
    holder.close();
    EXPECT_EQ(namesOf(file("c.db")).size(), 30U);
    EXPECT_EQ(integrity(file("c.db")), "ok");
}

TEST_F(TwoProgramsTest, whatTheLogOfAMovedOneHoldsGoesWithIt)
{
    Holder holder([&] { return filled("a.db"); });
    std::filesystem::rename(file("a.db"), file("c.db"));
    holder.close();
    EXPECT_EQ(namesOf(file("c.db")), std::vector<std::string>{"sweep"});
    std::filesystem::rename(file("c.db"), file("a.db")); // beside the log that was left
    EXPECT_EQ(integrity(file("a.db")), "ok");
}

// While a window has the workspace open, which does not write.
TEST_F(TwoProgramsTest, whatAWriterLeavesIsInTheFileItself)
{
    {
        filled("a.db");
    }
    Holder holder([&] { return Workspace::open(file("a.db"), Access::ReadOnly); });
    Workspace::open(file("a.db"), Access::ReadWrite).addExperiment({.name = "another"});
    std::filesystem::copy_file(file("a.db"), file("copy.db"));
    EXPECT_EQ(namesOf(file("copy.db")).size(), 2U);
    EXPECT_EQ(integrity(file("copy.db")), "ok");
}

TEST_F(TwoProgramsTest, aLogThatWasDeletedAndMadeAnewIsItsMakers)
{
    Holder holder([&] { return filled("a.db"); });
    for (const char* ending : {"-wal", "-shm"})
        std::filesystem::remove(file("a.db").string() + ending);
    EXPECT_EQ(exitCodeOfChild([&] {
        Workspace anew = Workspace::open(file("a.db"), Access::Create);
        anew.addExperiment({.name = "kept in the new log"});
        _exit(0);
    }),
        0);
    holder.close();
    EXPECT_EQ(namesOf(file("a.db")), std::vector<std::string>{"kept in the new log"});
}

TEST_F(TwoProgramsTest, aFileThatIsPutInThePlaceOfAnOpenOneIsNotOpened)
{
    {
        filled("backup.db").addExperiment({.name = "of the backup"});
    }
    Holder holder([&] { return filled("a.db"); });
    const std::string backup = contentOf(file("backup.db"));
    std::filesystem::rename(file("backup.db"), file("a.db"));
    for (const Access access : {Access::ReadOnly, Access::ReadWrite, Access::Create})
        EXPECT_NE(refusal<FileError>([&] {
            Workspace::open(file("a.db"), access);
        }).find("still has the file open that had this name before"),
            std::string::npos);
    EXPECT_EQ(contentOf(file("a.db")), backup);
    holder.close();
    EXPECT_EQ(contentOf(file("a.db")), backup);
    EXPECT_EQ(namesOf(file("a.db")).size(), 2U);
}

// As one does that is closing the workspace: the database's descriptor may be seen to be gone before that of the log.
TEST_F(TwoProgramsTest, aLogThatAnotherProgramIsAboutToLetGoIsWaitedFor)
{
    {
        filled("a.db");
    }
    writeText(file("a.db-shm"), "x");
    std::array<int, 2> ready{};
    ASSERT_EQ(::pipe(ready.data()), 0);
    const pid_t closing = ::fork();
    if (closing == 0) {
        const int shared = ::open(file("a.db-shm").c_str(), O_RDWR);
        struct flock lock = {};
        lock.l_type = F_RDLCK;
        lock.l_start = 200; // SQLite's own end at 128
        lock.l_len = 1;
        const char isLocked = ::fcntl(shared, F_SETLK, &lock) == 0 ? 'y' : 'n';
        static_cast<void>(::write(ready[1], &isLocked, 1));
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        ::_exit(0);
    }
    char isLocked = 0;
    ASSERT_EQ(::read(ready[0], &isLocked, 1), 1);
    EXPECT_EQ(isLocked, 'y');
    EXPECT_NO_THROW(Workspace::open(file("a.db"), Access::ReadWrite));
    ::waitpid(closing, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST_F(TwoProgramsTest, oneWithTwoNamesIsReadAndNotWritten)
{
    {
        filled("a.db");
    }
    std::filesystem::create_hard_link(file("a.db"), file("b.db"));
    for (const char* name : {"a.db", "b.db"}) {
        EXPECT_NE(refusal<FileError>([&] { Workspace::open(file(name), Access::ReadWrite); }).find("hard link"),
            std::string::npos);
        EXPECT_EQ(namesOf(file(name)).size(), 1U);
    }
}

TEST_F(DisplacedFileTest, oneThatANewerProgramHasBroughtUpToDateIsNotWritten)
{
    SQLite::Database newer(workspacePath().string(), SQLite::OPEN_READWRITE);
    newer.exec("PRAGMA user_version = 99");
    EXPECT_EQ(refusal<FileError>([&] { m_workspace.addExperiment({}); }),
        workspacePath().string()
            + ": the workspace has format version 99, written by a newer Headroom (valid: up to 5)");
}

} // namespace
} // namespace headroom::store::displaced_file_test
