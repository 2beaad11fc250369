// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/WorkerProcess.h"
#include "core/base/Error.h"
#include "tests/support/Refusal.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/TextFiles.h"
#include "tests/support/UndecidedVariables.h"
#include "tests/support/Waiting.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace headroom::experiments {
namespace {

using namespace std::chrono_literals;
using ReadEnd = WorkerProcess::ReadEnd;

WorkerProcess::Clock::time_point in(std::chrono::milliseconds time)
{
    return WorkerProcess::Clock::now() + time;
}

std::size_t openDescriptors()
{
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
        ++count;
    return count;
}

bool hasChildren()
{
    return ::waitpid(-1, nullptr, WNOHANG | __WALL) != -1 || errno != ECHILD;
}

// A shell script as the worker.
class Script {
public:
    explicit Script(const std::string& body)
    {
        m_folder.write("script", "#!/bin/sh\n" + body + "\n");
        ::chmod(path().c_str(), 0755);
    }
    std::filesystem::path path() const { return m_folder.path() / "script"; }

private:
    TemporaryFolder m_folder;
};

TEST(WorkerProcessTest, readsLinesUntilTheEnd)
{
    const Script script("echo one; printf 'two\\nthree'");
    WorkerProcess process(script.path());
    EXPECT_EQ(process.readLine(in(10s)).line, "one");
    EXPECT_EQ(process.readLine(in(10s)).line, "two");
    const auto last = process.readLine(in(10s));
    EXPECT_EQ(last.end, ReadEnd::EndOfOutput);
    EXPECT_EQ(last.line, "three");
    EXPECT_EQ(process.wait(in(10s)), (ExitStatus{0, 0}));
}

// What a worker is given of these variables, "-" where nothing.
std::string variablesOfAWorker()
{
    const Script script("echo \"${OMP_WAIT_POLICY--} ${GOMP_SPINCOUNT--} ${MALLOC_TRIM_THRESHOLD_--} $HOME\"");
    return WorkerProcess(script.path()).readLine(in(10s)).line;
}

TEST(WorkerProcessTest, itsThreadsAndItsFreedMemoryWaitUnlessTheUserHasDecided)
{
    const UndecidedVariables undecided;
    const EnvironmentVariable home("HOME", "/home");
    EXPECT_EQ(variablesOfAWorker(), "passive 1000 68719476736 /home");
    {
        const EnvironmentVariable policy("OMP_WAIT_POLICY", "active");
        EXPECT_EQ(variablesOfAWorker(), "active - 68719476736 /home");
    }
    const EnvironmentVariable threshold("MALLOC_TRIM_THRESHOLD_", "4096");
    EXPECT_EQ(variablesOfAWorker(), "passive 1000 4096 /home");
}

// LibTorch follows the first of these variables, so what the user has set must not stand beside what a trial says.
TEST(WorkerProcessTest, itsAllocatorFollowsTheTrialNotTheUsersVariables)
{
    const Script script("echo \"${PYTORCH_CUDA_ALLOC_CONF-none} ${PYTORCH_HIP_ALLOC_CONF-none} "
                        "${PYTORCH_ALLOC_CONF-none}\"");
    const EnvironmentVariable cuda("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:64");
    const EnvironmentVariable hip("PYTORCH_HIP_ALLOC_CONF", "max_split_size_mb:65");
    const EnvironmentVariable any("PYTORCH_ALLOC_CONF", "max_split_size_mb:66");
    EXPECT_EQ(WorkerProcess(script.path()).readLine(in(10s)).line, "none none none");
    EXPECT_EQ(WorkerProcess(script.path(), "expandable_segments:True").readLine(in(10s)).line,
        "expandable_segments:True none expandable_segments:True");
}

TEST(WorkerProcessTest, answersWhatItIsSent)
{
    const Script script("while read line; do echo \"got $line\"; done; exit 3");
    WorkerProcess process(script.path());
    EXPECT_EQ(process.send("a b"), WorkerProcess::Sent::Yes);
    EXPECT_EQ(process.readLine(in(10s)).line, "got a b");
    EXPECT_EQ(process.readLine(in(20ms)).end, ReadEnd::Deadline);
    process.closeInput();
    EXPECT_EQ(process.readLine(in(10s)).end, ReadEnd::EndOfOutput);
    EXPECT_EQ(process.wait(in(10s))->text(), "exit code 3");
    EXPECT_EQ(process.send("late"), WorkerProcess::Sent::WorkerGone);
}

TEST(WorkerProcessTest, writingToAWorkerThatHasGoneIsNoSignal)
{
    const Script script("exec 0<&-; echo ready; sleep 100");
    WorkerProcess process(script.path());
    process.readLine(in(10s));
    EXPECT_EQ(process.send("anything"), WorkerProcess::Sent::WorkerGone);
    sigset_t pending;
    sigpending(&pending);
    EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST(WorkerProcessTest, readsALongLineInPieces)
{
    const Script script("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end");
    WorkerProcess process(script.path());
    EXPECT_EQ(process.readLine(in(20s)).line, std::string(3'000'000, 'x'));
    EXPECT_EQ(process.readLine(in(10s)).line, "end");
}

TEST(WorkerProcessTest, keepsTheEndOfALongLog)
{
    const Script script("i=0; while [ $i -lt 3000 ]; do echo \"line $i\" >&2; i=$((i+1)); done; echo done");
    WorkerProcess process(script.path());
    EXPECT_EQ(process.readLine(in(20s)).line, "done");
    EXPECT_EQ(process.readLine(in(10s)).end, ReadEnd::EndOfOutput);
    EXPECT_EQ(process.logTail().size(), WorkerProcess::kLogTailBytes);
    EXPECT_TRUE(process.logTail().ends_with("line 2998\nline 2999\n"));
}

TEST(WorkerProcessTest, namesTheSignal)
{
    const Script script("kill -SEGV $$");
    WorkerProcess process(script.path());
    EXPECT_EQ(process.wait(in(10s))->text(), "signal 11 (SIGSEGV)");
}

TEST(WorkerProcessTest, killsWhatTheWorkerStartedToo)
{
    const Script script("sleep 1000 & echo $!; wait");
    WorkerProcess process(script.path());
    const pid_t grandchild = std::stoi(process.readLine(in(10s)).line);
    process.kill();
    EXPECT_EQ(process.wait(in(10s))->signal, SIGKILL);
    EXPECT_EQ(process.readLine(in(10s)).end, ReadEnd::EndOfOutput);
    // It is somebody else's zombie at most.
    const std::string state = "/proc/" + std::to_string(grandchild) + "/cmdline";
    EXPECT_EQ(contentOf(state), "");
}

TEST(WorkerProcessTest, isInAProcessGroupOfItsOwn)
{
    const Script script("sleep 100");
    WorkerProcess process(script.path());
    EXPECT_EQ(::getpgid(process.pid()), process.pid());
    EXPECT_NE(::getpgid(process.pid()), ::getpgrp());
}

TEST(WorkerProcessTest, inheritsNoBlockedSignalsAndNoDescriptors)
{
    sigset_t blocked;
    sigset_t before;
    sigfillset(&blocked);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const Script script("grep SigBlk /proc/self/status; ls /proc/self/fd | wc -l");
    WorkerProcess process(script.path());
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    EXPECT_EQ(process.readLine(in(10s)).line, "SigBlk:\t0000000000000000");
    EXPECT_EQ(std::stoi(process.readLine(in(10s)).line), 4); // the three standard ones and that of ls on the folder
}

TEST(WorkerProcessTest, diesWithTheProcessThatStartedIt)
{
    const Script script("echo $$; sleep 1000");
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t middle = ::fork();
    if (middle == 0) {
        WorkerProcess process(script.path());
        const std::string pid = process.readLine(in(10s)).line;
        const bool written = ::write(ends[1], pid.data(), pid.size()) > 0;
        ::kill(::getpid(), written ? SIGKILL : SIGTERM);
    }
    ::close(ends[1]);
    char text[32] = {};
    ASSERT_GT(::read(ends[0], text, sizeof(text) - 1), 0);
    ::close(ends[0]);
    ::waitpid(middle, nullptr, 0);
    const std::string state = std::string("/proc/") + text + "/cmdline";
    EXPECT_TRUE(comesTrue([&] { return contentOf(state).empty(); }));
}

TEST(WorkerProcessTest, leavesNoZombieAndNoDescriptor)
{
    const Script hanging("sleep 1000");
    const Script quick("exit 0");
    const std::size_t before = openDescriptors();
    for (int i = 0; i < 5; ++i) {
        WorkerProcess hangs(hanging.path());
        WorkerProcess ends(quick.path());
        EXPECT_THROW(WorkerProcess("/nowhere/worker"), FileError);
    }
    EXPECT_EQ(openDescriptors(), before);
    EXPECT_FALSE(hasChildren());
}

TEST(WorkerProcessTest, saysWhatCannotBeStarted)
{
    EXPECT_EQ(refusal<FileError>([] { WorkerProcess("/nowhere/worker"); }),
        "/nowhere/worker: worker cannot be started: No such file or directory (valid: an executable program)");
}

} // namespace
} // namespace headroom::experiments
