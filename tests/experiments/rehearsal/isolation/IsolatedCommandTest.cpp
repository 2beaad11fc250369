// SPDX-License-Identifier: Apache-2.0
#include "tests/experiments/rehearsal/isolation/IsolationFixture.h"

#include "experiments/rehearsal/isolation/ForkedCalls.h"
#include "tests/support/ChildProcess.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <thread>

namespace headroom::experiments::isolated_command_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

using IsolatedCommandTest = IsolationFixture;

TEST_F(IsolatedCommandTest, whatItWritesIsReadInsideAndIsNotOutside)
{
    write("old", "of before");
    EXPECT_EQ(
        run("cat old && echo changed > old && echo more >> old && test \"$(cat old)\" = \"$(printf 'changed\\nmore')\" "
            "&& echo new > made && cat made"),
        0);
    EXPECT_EQ(content("old"), "of before");
    EXPECT_FALSE(isThere("made"));
}

TEST_F(IsolatedCommandTest, whatWasThereIsNotRemovedRenamedOrTruncated)
{
    for (const char* name : {"kept/removed", "renamed", "truncated", "linked"})
        write(name, name);
    EXPECT_EQ(
        run("rm -r kept && mv renamed other && : > truncated && ln linked link && echo x > link && chmod 0 linked "
            "&& test ! -e kept && test ! -e renamed && test -e other && test ! -s truncated"),
        0);
    EXPECT_EQ(content("kept/removed"), "kept/removed");
    EXPECT_EQ(content("renamed"), "renamed");
    EXPECT_EQ(content("truncated"), "truncated");
    EXPECT_EQ(content("linked"), "linked");
    EXPECT_FALSE(isThere("other"));
    EXPECT_FALSE(isThere("link"));
}

TEST_F(IsolatedCommandTest, theGivenFoldersAreWrittenForReal)
{
    fs::create_directory(place() / "given");
    m_written = {place() / "given"};
    EXPECT_EQ(run("echo record > F/record && echo account > given/account"), 0);
    EXPECT_EQ(content("F/record"), "record\n");
    EXPECT_EQ(content("given/account"), "account\n");
}

TEST_F(IsolatedCommandTest, nothingIsLeftOfWhatWasThrownAway)
{
    EXPECT_EQ(run("mkdir -p deep/er && echo x > deep/er/file && chmod 0 deep/er/file && chmod 500 deep/er deep"), 0);
    EXPECT_EQ(discardedFolders(), 0U);
}

TEST_F(IsolatedCommandTest, writesAreRealWhereTheyAreAskedFor)
{
    m_writes = CommandTerms::Writes::Real;
    write("old", "of before");
    EXPECT_EQ(run("echo new > made && rm old"), 0);
    EXPECT_EQ(content("made"), "new\n");
    EXPECT_FALSE(isThere("old"));
}

TEST_F(IsolatedCommandTest, itsExitCodeIsThatOfAShell)
{
    EXPECT_EQ(run("exit 7"), 7);
    EXPECT_EQ(run("kill -KILL $$"), 128 + SIGKILL);
    EXPECT_EQ(run("kill -TERM $$"), 128 + SIGTERM);
}

TEST_F(IsolatedCommandTest, itRunsWhereWeAreAsWhoWeAre)
{
    EXPECT_EQ(run("test \"$(pwd -P)\" = '" + place().string() + "' && test \"$(id -u):$(id -g)\" = "
                  + std::to_string(::geteuid()) + ":" + std::to_string(::getegid())),
        0);
    write("script", "#!/bin/sh\nexit 9\n");
    write("plain", "exit $1\n");
    for (const char* name : {"script", "plain"})
        fs::permissions(place() / name, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
    EXPECT_EQ(end({"./script"}).exitCode, 9);
    EXPECT_EQ(end({"./plain", "8"}).exitCode, 8);
}

TEST_F(IsolatedCommandTest, itSeesItsVariablesAndFindsItsProgramByThem)
{
    write("bin/tool", "#!/bin/sh\ntest \"$MINE\" = given\n");
    fs::permissions(place() / "bin/tool", fs::perms::owner_all | fs::perms::others_exec);
    m_variables = {{"MINE", "given"}, {"PATH", (place() / "bin").string() + ":/usr/bin:/bin"}};
    EXPECT_EQ(end({"tool"}).exitCode, 0);
}

TEST_F(IsolatedCommandTest, aProgramThatIsNotThereIsRefused)
{
    try {
        end({"no-such-program"});
        FAIL() << "it was started";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("no-such-program cannot be started"));
    }
    EXPECT_THROW(end({}), UsageError);
}

TEST_F(IsolatedCommandTest, itsStandardOutputIsOurStandardError)
{
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = run("echo said");
    const std::string error = testing::internal::GetCapturedStderr();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_THAT(error, HasSubstr("said"));
    EXPECT_EQ(code, 0);
}

TEST_F(IsolatedCommandTest, itsStandardInputIsOurs)
{
    write("input", "exit 5\n");
    const int code = exitCodeOfChild([&] {
        const int input = ::open("input", O_RDONLY | O_CLOEXEC);
        ::dup2(input, STDIN_FILENO);
        EXPECT_EQ(end({"sh"}).exitCode, 5);
    });
    EXPECT_EQ(code, 0);
}

TEST_F(IsolatedCommandTest, noDescriptorOfOursIsOpenInIt)
{
    const int ours = ::open("F", O_RDONLY); // as of a library that does not mark it to be closed
    EXPECT_EQ(run("test $(ls /proc/self/fd | wc -l) = 4"), 0);
    ::close(ours);
}

TEST_F(IsolatedCommandTest, aFolderThatIsNotThereIsAnError)
{
    m_written = {place() / "nowhere"};
    EXPECT_THROW(run("true"), FileError);
}

TEST_F(IsolatedCommandTest, itEndsAtItsTimeLimit)
{
    m_timeout = std::chrono::milliseconds(300);
    const CommandEnd ended = end(shell("sleep 1000"));
    EXPECT_TRUE(ended.timedOut);
    EXPECT_FALSE(ended.stopped);
    EXPECT_EQ(ended.exitCode, 128 + SIGKILL);
}

TEST_F(IsolatedCommandTest, itEndsWhenItShall)
{
    IsolatedCommand command(terms(shell("echo $$ > F/process; trap '' TERM INT; while :; do sleep 1; done")));
    const CommandEnd ended = command.wait([&] { return isThere("F/process"); });
    EXPECT_TRUE(ended.stopped);
    EXPECT_FALSE(isAlive("F/process"));
}

TEST_F(IsolatedCommandTest, whatLeftItsSessionDiesWithIt)
{
    EXPECT_EQ(run("setsid sh -c 'sleep 1000 & echo $! > F/far; echo $$ > F/near; wait' & "
                  "while ! test -s F/near || ! test -s F/far; do sleep 0.02; done"),
        0);
    EXPECT_FALSE(isAlive("F/near"));
    EXPECT_FALSE(isAlive("F/far"));
}

TEST_F(IsolatedCommandTest, anObjectThatNobodyWaitsForEndsIt)
{
    {
        const IsolatedCommand command(terms(shell("echo $$ > F/process; sleep 1000")));
        awaitFile("F/process");
    }
    EXPECT_FALSE(isAlive("F/process"));
}

TEST_F(IsolatedCommandTest, nothingIsLeftOfSeveralWhenWeAreKilled)
{
    const std::vector<std::string> files{"F/0", "F/1", "F/2", "F/3"};
    const pid_t we = ::fork();
    if (we == 0) {
        std::vector<std::thread> threads;
        for (const std::string& file : files)
            threads.emplace_back(
                [&] { run("setsid sh -c 'echo $$ > " + file + "; while :; do echo growing >> grown; done' & wait"); });
        threads.front().join();
        ::_exit(0);
    }
    for (const std::string& file : files)
        awaitFile(file);
    EXPECT_EQ(discardedFolders(), files.size());
    ::kill(we, SIGKILL);
    ASSERT_EQ(::waitpid(we, nullptr, 0), we);
    EXPECT_TRUE(becomes([&] {
        return discardedFolders() == 0
            && std::ranges::none_of(files, [&](const std::string& file) { return isAlive(file); });
    }));
    EXPECT_FALSE(isThere("grown"));
}

// As nothing could be killed without it.
TEST_F(IsolatedCommandTest, itIsToldWhenWhoWatchesIsKilled)
{
    IsolatedCommand command(terms(shell("echo $$ > F/process; exec sleep 3")));
    awaitFile("F/process");
    int watching = 0;
    ASSERT_TRUE(becomes([&] { // who started it is its parent for a moment
        watching = parentOf(std::stoi(content("F/process")));
        return parentOf(watching) == ::getpid();
    }));
    ::kill(watching, SIGKILL);
    const CommandEnd ended = command.wait([] { return false; });
    EXPECT_EQ(ended.exitCode, 128 + SIGKILL);
    EXPECT_THAT(ended.lacking, testing::Contains(HasSubstr("was killed")));
}

TEST_F(IsolatedCommandTest, severalRunAtOnceAndSeeNothingOfEachOther)
{
    write("shared", "before");
    std::array<int, 4> codes{};
    std::vector<std::thread> threads;
    for (std::size_t number = 0; number < codes.size(); ++number)
        threads.emplace_back([&, number] {
            const std::string text = std::to_string(number);
            codes[number] = run("echo " + text + " > shared; : > F/" + text
                + "; while test $(ls F | wc -l) -lt 4; do sleep 0.02; done; " + "test \"$(cat shared)\" = " + text);
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_THAT(codes, ElementsAre(0, 0, 0, 0));
    EXPECT_EQ(content("shared"), "before");
}

TEST_F(IsolatedCommandTest, aHiddenFileIsNotOpened)
{
    write("device", "of a GPU");
    write("devices/card0", "of a GPU");
    m_hidden = {place() / "device", place() / "devices"};
    for (const auto writes : {CommandTerms::Writes::Discarded, CommandTerms::Writes::Real}) {
        m_writes = writes;
        EXPECT_EQ(run("! cat device 2> F/said && ! cat devices/card0 2>> F/said && cat F/said"), 0);
        EXPECT_EQ(content("device"), "of a GPU");
    }
}

TEST_F(IsolatedCommandTest, devicesAreThoseThatEveryProgramUses)
{
    EXPECT_EQ(
        run("echo x > /dev/null && head -c 8 /dev/urandom | wc -c && test ! -e /dev/kmsg && test ! -e /dev/nvidia0 && "
            "echo x > /dev/shm/ours"),
        0);
    EXPECT_FALSE(fs::exists("/dev/shm/ours"));
}

TEST_F(IsolatedCommandTest, noProgramGainsRights)
{
    EXPECT_EQ(run("grep -q 'NoNewPrivs:.1' /proc/self/status && ! umount / 2> /dev/null && ! mount --bind /proc / 2> "
                  "/dev/null; true"),
        0);
}

TEST_F(IsolatedCommandTest, programsThatActForOthersAreNotNamed)
{
    m_variables = {{"MINE", "1"}};
    ::setenv("SSH_AUTH_SOCK", "/tmp/agent", 1);
    EXPECT_EQ(run("test -z \"$SSH_AUTH_SOCK\""), 0);
    ::unsetenv("SSH_AUTH_SOCK");
}

} // namespace
} // namespace headroom::experiments::isolated_command_test
