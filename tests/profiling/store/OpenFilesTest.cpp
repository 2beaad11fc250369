// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/OpenFiles.h"

#include "profiling/store/traces/SpoolReader.h"
#include "tests/hooks/DatabaseOpens.h"
#include "tests/profiling/store/StoreTest.h"

#include <fcntl.h>
#include <fstream>
#include <functional>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace headroom::store::open_files_test {
namespace {

// A process of its own from the beginning, which does as it is told: connections do not survive a fork.
class OtherProcess {
public:
    explicit OtherProcess(const std::function<bool(int)>& carryOut)
    {
        if (::pipe(m_ask) != 0 || ::pipe(m_answer) != 0)
            throw std::runtime_error("no pipe");
        m_child = ::fork();
        if (m_child == 0)
            serve(carryOut);
        ::close(m_ask[0]);
        ::close(m_answer[1]);
    }
    ~OtherProcess()
    {
        ::close(m_ask[1]);
        ::close(m_answer[0]);
        ::waitpid(m_child, nullptr, 0);
    }
    OtherProcess(const OtherProcess&) = delete;
    OtherProcess& operator=(const OtherProcess&) = delete;

    bool ask(int what)
    {
        bool isGood = false;
        return ::write(m_ask[1], &what, sizeof what) == sizeof what
            && ::read(m_answer[0], &isGood, sizeof isGood) == sizeof isGood && isGood;
    }

private:
    [[noreturn]] void serve(const std::function<bool(int)>& carryOut)
    {
        ::close(m_ask[1]);
        int what = 0;
        while (::read(m_ask[0], &what, sizeof what) == sizeof what) {
            bool isGood = false;
            try {
                isGood = carryOut(what);
            } catch (const std::exception& error) {
                fprintf(stderr, "other process: %s\n", error.what());
            }
            if (::write(m_answer[1], &isGood, sizeof isGood) != sizeof isGood)
                break;
        }
        _exit(0);
    }

    int m_ask[2] = {};
    int m_answer[2] = {};
    pid_t m_child = 0;
};

class OpenFilesTest : public StoreTest {
protected:
    // Everything that the store does with a workspace, while another connection of the process has it open.
    void useInEveryWay() const
    {
        Workspace first = create();
        const std::int64_t trial = addTrial(first, 2);
        SpoolWriter spool(file("1.spool"));
        spool.append("device", trace::randomTrace(20'000));
        spool.finish();
        for (const Access access : {Access::ReadOnly, Access::ReadWrite, Access::Create})
            Workspace::open(workspacePath(), access).experiments();
        RepeatImport import = repeatOf(trial, 0);
        import.spool = file("1.spool");
        first.importRepeat(import);
        first.dropTrialTraces(trial);
        first.compact();
    }

    // How many locks this process holds on the workspace, as the kernel says.
    // The list is not read all at once: while other processes lock and unlock, an entry may be missed or come twice.
    static int locksOf(const std::filesystem::path& path)
    {
        int found = listedLocksOf(path);
        for (int again = listedLocksOf(path); again != found; again = listedLocksOf(path))
            found = again;
        return found;
    }

private:
    static int listedLocksOf(const std::filesystem::path& path)
    {
        struct stat status{};
        ::stat(path.c_str(), &status);
        const std::string suffix = ":" + std::to_string(status.st_ino) + " ";
        const std::string owner = " " + std::to_string(::getpid()) + " ";
        std::ifstream all("/proc/locks");
        int found = 0;
        for (std::string line; std::getline(all, line);)
            found += line.find(suffix) != std::string::npos && line.find(owner) != std::string::npos ? 1 : 0;
        return found;
    }
};

TEST_F(OpenFilesTest, nothingButSqliteOpensAWorkspace)
{
    const DatabaseOpens opens;
    useInEveryWay();
    EXPECT_GT(opens.bySqlite(), 3);
    EXPECT_EQ(opens.foreign(), std::vector<std::string>{});
}

TEST_F(OpenFilesTest, theWatchSeesWhatItIsMadeFor)
{
    create();
    const DatabaseOpens opens;
    contentOf(workspacePath());
    ASSERT_EQ(opens.foreign().size(), 1U);
    EXPECT_EQ(opens.foreign().front().rfind(workspacePath().string() + " by ", 0), 0U);
}

TEST_F(OpenFilesTest, openingAWorkspaceAgainTakesNoLockAway)
{
    Workspace first = create();
    addTrial(first);
    const int before = locksOf(workspacePath());
    if (before == 0)
        GTEST_SKIP() << "the kernel does not list locks here";
    for (const Access access : {Access::ReadOnly, Access::ReadWrite, Access::Create})
        Workspace::open(workspacePath(), access).experiments();
    EXPECT_EQ(refusal<FileError>([&] { SpoolReader reader(workspacePath()); }),
        workspacePath().string()
            + ": the SQLite database belongs to another program and was left alone (valid: a spool of Headroom)");
    EXPECT_EQ(locksOf(workspacePath()), before);
}

// How workspaces were destroyed: a process that had lost its locks wrote on into a log that another one had removed.
TEST_F(OpenFilesTest, aSecondLookInOneProcessDoesNotLetAnotherOneRemoveTheLog)
{
    constexpr std::int64_t kTrial = 1;
    OtherProcess other([&](int repeats) {
        Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
        return workspace.repeats(kTrial).size() == static_cast<std::size_t>(repeats);
    });
    Workspace window = create();
    ASSERT_EQ(addTrial(window, 100), kTrial);
    for (int round = 0; round < 20; ++round) {
        Workspace::open(workspacePath(), Access::ReadOnly).experiments();
        EXPECT_TRUE(other.ask(round));
        window.importRepeat(repeatOf(kTrial, round));
        EXPECT_TRUE(other.ask(round + 1)) << "what was written after the second look is lost";
    }
    EXPECT_EQ(integrity(workspacePath()), "ok");
}

TEST_F(OpenFilesTest, filesOfAnOpenWorkspaceAreKnownByTheirIdentity)
{
    {
        Workspace workspace = create();
        addTrial(workspace);
        std::filesystem::create_hard_link(workspacePath(), file("hard.db"));
        std::filesystem::create_symlink(workspacePath(), file("soft.db"));
        for (const char* name : {"headroom.db", "hard.db", "soft.db", "headroom.db-wal", "headroom.db-shm"}) {
            EXPECT_TRUE(isOpenHere(file(name))) << name;
            EXPECT_EQ(refusal<FileError>([&] { requireNotOpenHere(file(name)); }),
                file(name).string()
                    + ": this is the workspace that is open, or a file that belongs to it (valid: another file)");
        }
        EXPECT_FALSE(isOpenHere(file("other.db")));
    }
    EXPECT_FALSE(isOpenHere(workspacePath()));
    EXPECT_NO_THROW(requireNotOpenHere(workspacePath()));
}

class NoPlainFileTest : public OpenFilesTest {
protected:
    void expectRefused(const std::filesystem::path& path, const std::string& word)
    {
        for (const Access access : {Access::ReadOnly, Access::ReadWrite, Access::Create})
            EXPECT_EQ(refusal<FileError>([&] { Workspace::open(path, access); }),
                path.string() + ": this is " + word + ", not a file (valid: a workspace of Headroom)");
    }
};

// Without the refusal this test would not come to its end: nobody writes into the pipe.
TEST_F(NoPlainFileTest, isRefusedBeforeItIsOpened)
{
    ASSERT_EQ(::mkfifo(file("pipe.db").c_str(), 0600), 0);
    std::filesystem::create_directory(file("folder.db"));
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    file("socket.db").string().copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const DatabaseOpens opens;
    expectRefused(file("pipe.db"), "a pipe");
    expectRefused(file("folder.db"), "a folder");
    expectRefused(file("socket.db"), "a socket");
    expectRefused("/dev/zero", "a device");
    EXPECT_EQ(opens.foreign(), std::vector<std::string>{});
    EXPECT_EQ(opens.bySqlite(), 0);
    ::close(descriptor);
}

} // namespace
} // namespace headroom::store::open_files_test
