// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/store/StoreTest.h"

#include "tests/support/ChildProcess.h"

#include <sys/wait.h>
#include <unistd.h>

namespace headroom::store {
namespace {

using TwoProcessesTest = StoreTest;

constexpr int kRepeats = 40;

TEST_F(TwoProcessesTest, writersTakeTurnsAndNothingIsLost)
{
    std::int64_t trial = 0;
    {
        Workspace workspace = create();
        trial = addTrial(workspace);
    }
    const auto write = [&](int first) {
        Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
        for (int index = first; index < 2 * kRepeats; index += 2)
            workspace.importRepeat(repeatOf(trial, index));
    };
    const pid_t child = fork();
    if (child == 0)
        _exit(exitCodeOfChild([&]() { write(1); }));
    write(0);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(create().repeats(trial).size(), 2U * kRepeats);
}

TEST_F(TwoProcessesTest, aReaderSeesOnlyWholeRepeatsWhileAnotherWrites)
{
    std::int64_t trial = 0;
    {
        Workspace workspace = create();
        trial = addTrial(workspace);
    }
    const pid_t child = fork();
    if (child == 0) {
        _exit(exitCodeOfChild([&]() {
            Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
            for (int index = 0; index < kRepeats; ++index) {
                RepeatImport source = repeatOf(trial, index);
                source.samples = {{0, 1.0}, {1, 2.0}, {2, 3.0}};
                workspace.importRepeat(source);
            }
        }));
    }
    int status = 0;
    Workspace reader = Workspace::open(workspacePath(), Access::ReadOnly);
    while (waitpid(child, &status, WNOHANG) == 0) {
        for (const RepeatRow& repeat : reader.repeats(trial))
            EXPECT_EQ(reader.samples(repeat.id).size(), 3U);
    }
    EXPECT_EQ(status, 0);
    EXPECT_EQ(reader.repeats(trial).size(), static_cast<std::size_t>(kRepeats));
}

TEST_F(TwoProcessesTest, bothMayCreateTheWorkspaceAtOnce)
{
    for (int round = 0; round < 10; ++round) {
        std::filesystem::remove(workspacePath());
        const pid_t child = fork();
        if (child == 0)
            _exit(exitCodeOfChild([&]() {
                Workspace workspace = create();
                addTrial(workspace);
            }));
        {
            Workspace workspace = create();
            addTrial(workspace);
        }
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
        EXPECT_EQ(create().experiments().size(), 2U);
    }
}

} // namespace
} // namespace headroom::store
