// SPDX-License-Identifier: Apache-2.0
//
// Standard output whose reader closes it: `headroom ... | head -1`.
#include "profiling/store/workspace/Workspace.h"
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headroom::cli::pipe_test {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;
using testing::IsEmpty;

class ProgramPipeTest : public Program {
protected:
    ProgramPipeTest()
    {
        ::mkfifo(path("pipe").c_str(), 0600);
        sendOutputTo(path("pipe"));
    }

    // The reader reads one line and closes the pipe.
    Ended runForALine(const std::vector<std::string>& arguments)
    {
        const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        return run(arguments, [&](pid_t) {
            pollfd watched{reader, POLLIN, 0};
            char letter = 0;
            while (letter != '\n' && ::poll(&watched, 1, 10'000) > 0 && ::read(reader, &letter, 1) > 0)
                m_read += letter;
            ::close(reader);
        });
    }

    // The reader has closed the pipe before the program starts.
    Ended runForNobody(const std::vector<std::string>& arguments)
    {
        beforeStart([pipe = path("pipe")] { ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC); });
        return run(arguments);
    }

    std::string m_read;
};

TEST_F(ProgramPipeTest, aRunWhoseReaderHasSeenEnoughGoesOnToItsEnd)
{
    setVariable("HEADROOM_SCRIPT", "slow");
    const Ended ended = runForALine({"run", "--model", "ffn-stack-tiny", "--set", "workload.sequence_length=4,8,12,16",
        "--device", "cpu", "--format", "jsonl", "--junit", "junit.xml"});
    EXPECT_EQ(OrderedJson::parse(m_read).at("outcome"), "completed");
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("standard output was closed"));
    EXPECT_THAT(ended.err, HasSubstr("headroom.db"));
    auto workspace = store::Workspace::open(path("headroom.db"), store::Access::ReadOnly);
    EXPECT_TRUE(workspace.experiments().at(0).finishedAt);
    EXPECT_EQ(workspace.tallies().at(1).outcomes.at(Outcome::Completed), 4);
    EXPECT_TRUE(exists("junit.xml"));
}

TEST_F(ProgramPipeTest, theExitCodeOfARunStaysWhatItsTrialsSay)
{
    setVariable("HEADROOM_SCRIPT", "exit");
    EXPECT_EQ(runForNobody({"run", "--model", "ffn-stack-tiny", "--device", "cpu"}).exitCode, 3);
}

TEST_F(ProgramPipeTest, noCommandTakesOffenceAtAReaderThatIsGone)
{
    const std::vector<std::vector<std::string>> commands{{"models"}, {"models", "ffn-stack", "--format", "json"},
        {"techniques", "--format", "csv"}, {"devices", "--format", "jsonl"}, {"presets"}, {"env"}, {"doctor"},
        {"run", "ffn-split", "--dry-run"}, {"--help"}, {"--version"}};
    for (const auto& command : commands) {
        const Ended ended = runForNobody(command);
        EXPECT_EQ(ended.exitCode, 0) << command.front() << ": " << ended.err;
        EXPECT_THAT(ended.err, IsEmpty()) << command.front();
    }
}

TEST_F(ProgramPipeTest, aDiskThatIsFullIsAnErrorAsBefore)
{
    sendOutputTo("/dev/full");
    EXPECT_EQ(run("models").exitCode, 5);
}

} // namespace
} // namespace headroom::cli::pipe_test
