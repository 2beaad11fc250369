// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

#include <csignal>
#include <thread>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;

class ProgramSignalTest : public Program {
protected:
    // The first trial completes, the second hangs.
    ProgramSignalTest() { setVariable("HEADROOM_SCRIPT", "hang@8"); }

    const std::vector<std::string> m_sweep{"run", "--model", "ffn-stack-tiny", "--set", "workload.sequence_length=4,8",
        "--device", "cpu", "--format", "json"};
};

TEST_F(ProgramSignalTest, theFirstStopsTheRunAndKeepsWhatIsFinished)
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const std::size_t before = requests();
        const Ended ended = run(m_sweep, [&](pid_t program) {
            waitForRequests(before + 2);
            ::kill(program, signal);
        });
        EXPECT_EQ(ended.exitCode, 130);
        EXPECT_THAT(ended.err, HasSubstr("stopping"));
        const OrderedJson results = ended.json();
        EXPECT_EQ(results.at("trials").at(0).at("outcome"), "completed");
        EXPECT_EQ(results.at("summary").at("interrupted"), true);
    }
}

// When a terminal is closed, it and its shell each send a SIGHUP.
TEST_F(ProgramSignalTest, aSecondHangUpDoesNotEndItAtOnce)
{
    const Ended ended = run(m_sweep, [&](pid_t program) {
        waitForRequests(2);
        for (int i = 0; i < 20; ++i) {
            ::kill(program, SIGHUP);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    EXPECT_EQ(ended.exitCode, 130);
    EXPECT_EQ(ended.json().at("summary").at("interrupted"), true);
}

TEST_F(ProgramSignalTest, aHangUpThatWasIgnoredFromTheStartStaysSo)
{
    beforeStart([] { ::signal(SIGHUP, SIG_IGN); }); // nohup
    std::vector<std::string> sweep = m_sweep;
    sweep.insert(sweep.end(), {"--timeout", "2"});
    const Ended ended = run(sweep, [&](pid_t program) {
        waitForRequests(2);
        ::kill(program, SIGHUP);
    });
    EXPECT_EQ(ended.exitCode, 3) << "the second trial timed out: " << ended.err;
    EXPECT_EQ(ended.json().at("trials").at(1).at("outcome"), "timed_out");
}

TEST_F(ProgramSignalTest, aSecondResumeOfARunThatLivesIsRefused)
{
    std::vector<std::string> resumed = m_sweep;
    resumed.push_back("--resume");
    Ended second;
    Ended own;
    pid_t first = 0;
    const Ended ended = run(resumed, [&](pid_t program) {
        first = program;
        waitForRequests(2);
        second = run(resumed);
        own = run("run --model ffn-stack-tiny --sequence-length 4 --device cpu --format json"); // a separate run
        ::kill(program, SIGINT);
    });
    EXPECT_EQ(ended.exitCode, 130);
    EXPECT_EQ(second.exitCode, 5) << second.err;
    EXPECT_EQ(linesOf(second.err).size(), 1U) << second.err;
    EXPECT_THAT(second.err, HasSubstr("headroom: error: "));
    EXPECT_THAT(second.err, HasSubstr("run at this moment by process " + std::to_string(first) + " on "));
    EXPECT_EQ(own.exitCode, 0) << own.err;
    setVariable("HEADROOM_SCRIPT", "");
    EXPECT_EQ(run(resumed).exitCode, 0);
    EXPECT_EQ(requests(), 4U) << "what is finished is not run again";
    for (const auto& [name, text] : files())
        EXPECT_FALSE(name.ends_with(".run")) << name;
}

TEST_F(ProgramSignalTest, anInterruptedRunCanBeResumed)
{
    run(m_sweep, [&](pid_t program) {
        waitForRequests(2);
        ::kill(program, SIGINT);
    });
    setVariable("HEADROOM_SCRIPT", "");
    std::vector<std::string> resumed = m_sweep;
    resumed.push_back("--resume");
    const Ended ended = run(resumed);
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_EQ(requests(), 3u);
    for (const OrderedJson& trial : ended.json("trials"))
        EXPECT_EQ(trial.at("outcome"), "completed");
}

TEST_F(ProgramSignalTest, aKilledProgramLeavesAWorkspaceThatCanBeResumed)
{
    const Ended killed = run(m_sweep, [&](pid_t program) {
        waitForRequests(2);
        ::kill(program, SIGKILL);
    });
    EXPECT_EQ(killed.exitCode, 128 + SIGKILL);
    setVariable("HEADROOM_SCRIPT", "");
    std::vector<std::string> resumed = m_sweep;
    resumed.push_back("--resume");
    EXPECT_EQ(run(resumed).exitCode, 0);
    EXPECT_EQ(requests(), 3u);
}

} // namespace
} // namespace headroom::cli
