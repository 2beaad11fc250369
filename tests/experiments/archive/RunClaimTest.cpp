// SPDX-License-Identifier: Apache-2.0
#include "experiments/archive/RunClaim.h"

#include "core/base/Error.h"
#include "experiments/archive/SpoolFiles.h"
#include "tests/support/ChildProcess.h"
#include "tests/support/Refusal.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/Waiting.h"

#include <gmock/gmock.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <map>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace headroom::experiments::run_claim_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

class RunClaimTest : public testing::Test {
protected:
    RunClaimTest() { m_folder.write("w.db", ""); }

    fs::path workspace() const { return m_folder.path() / "w.db"; }

    std::vector<std::string> files() const
    {
        std::vector<std::string> names = m_folder.names();
        std::erase(names, "w.db");
        return names;
    }

    // A process that holds the claim and waits; the claim is there when this returns.
    pid_t holderProcess(std::int64_t experiment) const
    {
        const pid_t child = ::fork();
        if (child == 0) {
            const auto claim = RunClaim::take(workspace(), experiment, "headroom run a");
            for (; claim;)
                ::pause();
            ::_exit(1);
        }
        EXPECT_TRUE(comesTrue(
            [&] { return RunClaim::isHeld(workspace(), experiment) && RunClaim::holder(workspace(), experiment); }));
        return child;
    }

    static void killAndReap(pid_t child)
    {
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
    }

    void allow(const std::string& name, unsigned permissions) const
    {
        fs::permissions(m_folder.path() / name, static_cast<fs::perms>(permissions));
    }

    // In a process of a user whom permissions bind.
    static bool holdsForOthers(const std::function<bool()>& statement)
    {
        return exitCodeOfChild([&] {
            becomeNobody();
            ::_exit(statement() ? 0 : 1);
        }) == 0;
    }

    void write(const std::string& name, const std::string& text = "x") const { m_folder.write(name, text); }

    TemporaryFolder m_folder;
};

TEST_F(RunClaimTest, oneRunHoldsItAndItsEndGivesItBack)
{
    {
        const auto claim = RunClaim::take(workspace(), 3, "headroom run a");
        ASSERT_TRUE(claim);
        EXPECT_TRUE(RunClaim::isHeld(workspace(), 3));
        EXPECT_FALSE(RunClaim::take(workspace(), 3, "headroom run b")) << "in the same process, too";
        EXPECT_TRUE(RunClaim::take(workspace(), 4, "headroom run c")) << "of another experiment";
        EXPECT_TRUE(RunClaim::isHeld(workspace(), 3)) << "asking and reading does not lose it";
    }
    EXPECT_FALSE(RunClaim::isHeld(workspace(), 3));
    EXPECT_THAT(files(), IsEmpty());
    EXPECT_TRUE(RunClaim::take(workspace(), 3, "headroom run d"));
}

TEST_F(RunClaimTest, itSaysWhoHoldsIt)
{
    const pid_t child = holderProcess(3);
    const auto holder = RunClaim::holder(workspace(), 3);
    ASSERT_TRUE(holder);
    EXPECT_EQ(holder->pid, child);
    EXPECT_EQ(holder->commandLine, "headroom run a");
    EXPECT_THAT(toText(holder), HasSubstr("by process " + std::to_string(child) + " on "));
    EXPECT_THAT(toText(holder), HasSubstr(" UTC"));
    EXPECT_EQ(toText(RunClaim::holder(workspace(), 9)), "");
    killAndReap(child);
}

TEST_F(RunClaimTest, aProcessThatLivesKeepsOthersOutAndOneThatWasKilledDoesNot)
{
    const pid_t child = holderProcess(3);
    EXPECT_FALSE(RunClaim::take(workspace(), 3, "headroom run b"));
    killAndReap(child);
    EXPECT_EQ(files(), std::vector<std::string>{"w.db.3.run"});
    const auto claim = RunClaim::take(workspace(), 3, "headroom run b");
    ASSERT_TRUE(claim);
    EXPECT_EQ(RunClaim::holder(workspace(), 3)->pid, ::getpid());
}

TEST_F(RunClaimTest, aClaimOfAnotherUserIsHeldWhileTheirRunLives)
{
    const pid_t child = holderProcess(3);
    allow("", 0777);
    write("w.db.3-7-0.4711-99.spool");
    for (const unsigned permissions : {0444U, 0U}) {
        allow("w.db.3.run", permissions);
        EXPECT_TRUE(holdsForOthers([&] { return RunClaim::isHeld(workspace(), 3); })) << permissions;
        EXPECT_TRUE(holdsForOthers([&] { return removeLeftFiles(workspace()) == 0; })) << permissions;
        EXPECT_TRUE(fs::exists(m_folder.path() / "w.db.3-7-0.4711-99.spool")) << permissions;
    }
    killAndReap(child);
}

TEST_F(RunClaimTest, oneThatAKilledRunOfAnotherUserLeftIsNoErrorOfTheNext)
{
    killAndReap(holderProcess(3));
    allow("", 0777);
    allow("w.db.3.run", 0444);
    EXPECT_TRUE(holdsForOthers([&] { return !RunClaim::isHeld(workspace(), 3); }));
    EXPECT_TRUE(holdsForOthers([&] { return removeLeftFiles(workspace()) == 0; }));
}

TEST_F(RunClaimTest, whoMayWriteTheWorkspaceMayTakeWhatIsLeft)
{
    allow("w.db", 0666);
    const mode_t before = ::umask(022);
    killAndReap(holderProcess(3));
    ::umask(before);
    allow("", 0777);
    EXPECT_TRUE(holdsForOthers([&] { return RunClaim::take(workspace(), 3, "").has_value(); }));
    EXPECT_THAT(files(), IsEmpty());
}

TEST_F(RunClaimTest, aLinkToTheWorkspaceIsTheSameWorkspace)
{
    const fs::path link = m_folder.path() / "link.db";
    fs::create_symlink(workspace(), link);
    const auto claim = RunClaim::take(link, 3, "");
    EXPECT_FALSE(RunClaim::take(workspace(), 3, ""));
}

// Whoever took it between somebody's look and their lock has removed the file when they gave it back.
TEST_F(RunClaimTest, manyThatComeAtOnceHoldItOneAfterTheOther)
{
    std::atomic<int> holders = 0;
    std::atomic<int> most = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            for (int round = 0; round < 50; ++round)
                if (const auto claim = RunClaim::take(workspace(), 3, "")) {
                    most = std::max(most.load(), ++holders);
                    std::this_thread::yield();
                    --holders;
                }
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(most, 1);
    EXPECT_THAT(files(), IsEmpty());
}

TEST_F(RunClaimTest, aFolderThatCannotBeWrittenIsNamed)
{
    EXPECT_THAT(
        refusal<FileError>([&] { RunClaim::take(m_folder.file("no folder/w.db"), 3, ""); }), HasSubstr("no folder"));
}

TEST_F(RunClaimTest, spoolsAreToldApartByWhetherTheirRunLives)
{
    const pid_t child = holderProcess(3);
    write("w.db.3-7-0.4711-99.spool");
    write("w.db.3-7-0.4711-99.spool-journal", "xx");
    write("w.db.4-7-0.4712-99.spool");
    write("w.db.5-7-0.4713-99.spool-journal"); // all that is left of it
    write("w.db.4-7-0.kept.spool");
    write("w.db.9-0.spool"); // of a version before
    write("w.db.3.4711-98.spools/7-0.spool", "xx");
    write("w.db.3.4711-98.spools/compiled/a/b", "xxx");
    write("w.db.4.4712-98.spools/7-0.spool");
    write("w.db.4-7-0.4712-99.spool.mine");
    write("other.db.4-7-0.4712-99.spool");
    std::map<std::string, SpoolFile> found;
    for (const SpoolFile& file : spoolsBeside(workspace()))
        found.emplace(file.path.filename().string().substr(5), file);
    killAndReap(child);
    ASSERT_EQ(found.size(), 7U);
    EXPECT_EQ(found.at("3.4711-98.spools").state, SpoolState::InUse);
    EXPECT_EQ(found.at("3.4711-98.spools").pid, 4711);
    EXPECT_EQ(found.at("3.4711-98.spools").bytes, 5);
    EXPECT_EQ(found.at("4.4712-98.spools").state, SpoolState::Left);
    EXPECT_EQ(found.at("3-7-0.4711-99.spool").state, SpoolState::InUse);
    EXPECT_EQ(found.at("3-7-0.4711-99.spool").pid, 4711);
    EXPECT_EQ(found.at("3-7-0.4711-99.spool").bytes, 3);
    EXPECT_EQ(found.at("4-7-0.4712-99.spool").state, SpoolState::Left);
    EXPECT_EQ(found.at("4-7-0.4712-99.spool").experiment, 4);
    EXPECT_EQ(found.at("5-7-0.4713-99.spool").state, SpoolState::Left);
    EXPECT_EQ(found.at("4-7-0.kept.spool").state, SpoolState::Kept);
    EXPECT_EQ(found.at("9-0.spool").state, SpoolState::Unknown);
}

TEST_F(RunClaimTest, onlyWhatKilledRunsHaveLeftIsRemoved)
{
    const pid_t killed = holderProcess(4);
    killAndReap(killed);
    const pid_t alive = holderProcess(3);
    write("w.db.3-7-0.4711-99.spool");
    write("w.db.4-7-0.4712-99.spool", "12345");
    write("w.db.4-7-0.4712-99.spool-journal", "123");
    write("w.db.4.4712-98.spools/7-0.spool", "1234");
    write("w.db.3.4711-98.spools/7-0.spool", "1");
    write("w.db.4-7-0.kept.spool");
    write("w.db.9-0.spool");
    EXPECT_EQ(removeLeftFiles(workspace()), 12);
    EXPECT_THAT(files(),
        testing::UnorderedElementsAre("w.db.3.run", "w.db.3.4711-98.spools", "w.db.3-7-0.4711-99.spool",
            "w.db.4-7-0.kept.spool", "w.db.9-0.spool"));
    killAndReap(alive);
    EXPECT_EQ(removeLeftFiles(workspace()), 2);
    EXPECT_THAT(files(), testing::UnorderedElementsAre("w.db.4-7-0.kept.spool", "w.db.9-0.spool"));
}

TEST_F(RunClaimTest, aSpoolThatIsKeptTakesItsJournalWithIt)
{
    {
        const SpoolFolder folder(workspace(), 4, 4712, 99);
        EXPECT_THAT(files(), IsEmpty());
        const fs::path spool = folder.spool(7, 0);
        EXPECT_THAT(files(), testing::ElementsAre("w.db.4.4712-99.spools"));
        write("w.db.4.4712-99.spools/7-0.spool");
        write("w.db.4.4712-99.spools/7-0.spool-journal");
        write("w.db.4.4712-99.spools/compiled/kernel");
        keepSpool(spool, keptSpoolPath(workspace(), {.experiment = 4, .trial = 7, .repeat = 0}));
    }
    EXPECT_THAT(files(), testing::UnorderedElementsAre("w.db.4-7-0.kept.spool", "w.db.4-7-0.kept.spool-journal"));
}

} // namespace
} // namespace headroom::experiments::run_claim_test
