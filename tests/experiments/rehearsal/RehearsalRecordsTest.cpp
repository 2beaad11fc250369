// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/RehearsalRecords.h"

#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>

#include <fstream>

namespace headroom::experiments::rehearsal_records_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class RehearsalRecordsTest : public testing::Test {
protected:
    void write(const std::string& file, const std::string& text)
    {
        std::filesystem::create_directories(m_folder.path() / "records");
        std::ofstream(m_folder.path() / "records" / file, std::ios::app) << text;
    }

    ProcessRecords readOne(const std::string& text)
    {
        write("7.jsonl", text);
        return readRecords(m_folder.path()).at(0);
    }

    TemporaryFolder m_folder;
};

TEST_F(RehearsalRecordsTest, aCommandWithoutPythonLeavesNone)
{
    EXPECT_THAT(readRecords(m_folder.path()), IsEmpty());
    EXPECT_FALSE(RecordWatch(m_folder.path()).isAllDone());
}

TEST_F(RehearsalRecordsTest, whatAProcessSaysIsRead)
{
    const ProcessRecords process = readOne(R"({"record":"torch","pid":7,"rank":2,"version":"2.11.0","cuda":"13.0"}
{"record":"handshake","pid":7,"ok":true}
{"record":"device","pid":7,"count":1,"backend":"native"}
{"record":"step","pid":7,"step":1,"allocated_bytes":50,"reserved_bytes":60,"host_seconds":0.5,"device_seconds":null}
{"record":"peak","pid":7,"device":1,"allocated_bytes":40,"active_bytes":41,"reserved_bytes":60,"step":1,"phase":"backward","retries":2}
{"record":"peak","pid":7,"device":1,"allocated_bytes":50,"active_bytes":51,"reserved_bytes":70,"step":2,"phase":"forward","retries":3}
{"record":"read","pid":7,"computed":4,"by_rule":5,"unknown":6}
{"record":"libraries","pid":7,"torch":"2.11.0","transformers":"5.17"}
{"record":"snapshot","pid":7,"file":"7-1.pickle","device":1}
{"record":"tensors","pid":7,"device":1,"parameters":[[4096,8,"a.weight"]],"gradients":[],"optimizer_state":[[8192,8,""]]}
{"record":"covered","pid":7,"steps":3,"evaluation":true,"saving":false,"end":false,"launches":1234}
{"record":"refused","pid":7,"function":"cudaIpcGetMemHandle","where":[{"file":"/a/share.py","line":5,"function":"send"}]}
{"record":"refused","pid":7,"function":"cudaIpcGetMemHandle","where":[]}
{"record":"end","pid":7,"reason":"exit","exit_code":3,"exception":"ValueError: no"}
)");
    EXPECT_EQ(process.pid, 7);
    EXPECT_EQ(process.rank, 2);
    EXPECT_EQ(process.torch, "2.11.0");
    EXPECT_TRUE(process.hasHandshake);
    EXPECT_TRUE(process.usesDevice);
    ASSERT_THAT(process.steps, SizeIs(1));
    EXPECT_EQ(process.steps[0].allocated, 50);
    EXPECT_FALSE(process.steps[0].deviceSeconds);
    ASSERT_THAT(process.peaks, SizeIs(1)) << "the last one counts";
    EXPECT_EQ(process.peaks.at(1).reserved, 70);
    EXPECT_EQ(process.peaks.at(1).phase, "forward");
    EXPECT_EQ(process.peaks.at(1).retries, 3);
    EXPECT_EQ(process.mostReserved(), 70);
    EXPECT_EQ(process.reads.byRule, 5);
    EXPECT_EQ(process.libraries.at("transformers"), "5.17");
    ASSERT_THAT(process.snapshots, SizeIs(1));
    EXPECT_EQ(process.snapshots[0].file, m_folder.path() / "snapshots" / "7-1.pickle");
    ASSERT_THAT(process.parameters, SizeIs(1));
    EXPECT_EQ(process.parameters[0].address, 4096U);
    EXPECT_EQ(process.parameters[0].name, "a.weight");
    EXPECT_TRUE(process.coverage.value().evaluation);
    EXPECT_EQ(process.coverage.value().launches, 1234);
    EXPECT_EQ(placeText(process.refused.at("cudaIpcGetMemHandle")), "share.py:5 send") << "the first call counts";
    EXPECT_EQ(process.end.value().exitCode, 3);
    EXPECT_EQ(process.end.value().exception, "ValueError: no");
}

// A process can be killed while it writes, and anything of the user's may write there.
TEST_F(RehearsalRecordsTest, whatIsNoRecordIsPassedOver)
{
    const ProcessRecords process = readOne(R"(nonsense
{"record":"peak","device":"x","allocated_bytes":-1,"reserved_bytes":"many","step":1.5}
{"record":["step"]}
{"record":"tensors","parameters":[[1],[-5,1,"a"],"b"]}
{"record":"snapshot","file":"../../etc/passwd"}
[1, 2]
{"record":"step","step":1,"allocated_bytes":50)");
    EXPECT_THAT(process.steps, IsEmpty());
    EXPECT_FALSE(process.peaks.at(0).allocated);
    EXPECT_FALSE(process.peaks.at(0).reserved);
    EXPECT_THAT(process.parameters, IsEmpty());
    ASSERT_THAT(process.snapshots, SizeIs(1));
    EXPECT_EQ(process.snapshots[0].file, m_folder.path() / "snapshots" / "passwd");
}

TEST_F(RehearsalRecordsTest, ranksThatAreNotRehearsedAreLeftOut)
{
    write("7.jsonl", "{\"record\":\"rank\",\"pid\":7,\"rank\":3,\"world_size\":8}\n");
    write("8.jsonl", "{\"record\":\"device\",\"pid\":8}\n{\"record\":\"absent\",\"pid\":8,\"rank\":4}\n");
    const std::vector<ProcessRecords> processes = readRecords(m_folder.path());
    ASSERT_THAT(processes, SizeIs(1));
    EXPECT_EQ(processes[0].rank, 3);
    EXPECT_EQ(processes[0].worldSize, 8);
}

TEST_F(RehearsalRecordsTest, guessesOfOnePlaceAreCountedTogether)
{
    const std::string guess =
        R"({"record":"guess","kind":"float","what":"item","count":2,"size":false,"where":[{"file":"a.py","line":3,"function":"f"}]})"
        "\n";
    const ProcessRecords process = readOne(guess + guess);
    ASSERT_THAT(process.guesses, SizeIs(1));
    EXPECT_EQ(process.guesses[0].count, 4);
    EXPECT_EQ(placeText(process.guesses[0].where), "a.py:3 f");
}

TEST_F(RehearsalRecordsTest, shortagesKnowWhichStepsCameBefore)
{
    const ProcessRecords process = readOne(R"({"record":"step","step":1}
{"record":"out_of_memory","requested_bytes":100,"free_bytes":null,"where":[]}
{"record":"step","step":2}
)");
    ASSERT_THAT(process.shortages, SizeIs(1));
    EXPECT_EQ(process.shortages[0].stepsBefore, 1U);
    EXPECT_EQ(process.shortages[0].requested, 100);
    EXPECT_FALSE(process.shortages[0].free);
}

TEST_F(RehearsalRecordsTest, allIsDoneAtTheLastStepAndWhereNothingCanBeRehearsed)
{
    RecordWatch watch(m_folder.path());
    write("1.jsonl",
        R"({"record":"step","step":1})"
        "\n"
        R"({"record":"end","reason":"exit"})"
        "\n"
        R"({"record":"end","reason":"st)");
    EXPECT_FALSE(watch.isAllDone()) << "one of several processes may end, and a line may be half written";
    write("1.jsonl",
        R"(eps"})"
        "\n");
    EXPECT_TRUE(watch.isAllDone());
    write("2.jsonl",
        R"({"record":"problem","reason":"no_cuda","found":"2.11.0+cpu"})"
        "\n");
    EXPECT_TRUE(RecordWatch(m_folder.path()).isAllDone());
}

} // namespace
} // namespace headroom::experiments::rehearsal_records_test
