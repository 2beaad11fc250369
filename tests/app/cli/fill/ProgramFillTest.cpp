// SPDX-License-Identifier: Apache-2.0
#include "core/base/Bytes.h"
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

#include <csignal>
#include <thread>

namespace headroom::cli::program_fill_test {
namespace {

using experiments::OrderedJson;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ProgramFillTest : public Program {
protected:
    // With this script of the worker, nothing fits without checkpointing, and everything with it.
    ProgramFillTest() { setVariable("HEADROOM_SCRIPT", "tight"); }

    void expectFillRefused(const std::string& arguments, const std::string& what, const std::string& valid)
    {
        const Ended ended = run("fill " + arguments);
        EXPECT_EQ(ended.exitCode, 2) << arguments;
        EXPECT_THAT(ended.err, AllOf(StartsWith("headroom: error: "), HasSubstr(what), HasSubstr(valid)));
        EXPECT_THAT(ended.out, IsEmpty());
        EXPECT_EQ(requests(), 0U);
    }

    const std::string m_rows = "fill --model ffn-stack-tiny --checkpointing none,all --device sim:t4 --format ";
};

TEST_F(ProgramFillTest, whatDoesNotFitAtAllIsARowThatSaysSo)
{
    const Ended ended = run(m_rows + "json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson document = ended.json();
    EXPECT_EQ(document.at("schema"), "headroom.fill/1");
    EXPECT_EQ(document.at("axis"), "batch");
    EXPECT_EQ(document.at("end"), "found");
    ASSERT_EQ(document.at("rows").size(), 2U);
    const OrderedJson none = document.at("rows").at(0);
    EXPECT_EQ(none.at("techniques"), "baseline");
    EXPECT_TRUE(none.at("value").is_null());
    EXPECT_EQ(none.at("next_value"), 1);
    EXPECT_EQ(none.at("end"), "nothing_fits");
    EXPECT_TRUE(none.at("unfilled_bytes").is_null());
    EXPECT_EQ(none.at("trial").at("outcome"), "out_of_memory");
    const OrderedJson all = document.at("rows").at(1);
    EXPECT_EQ(all.at("end"), "largest_fits");
    EXPECT_EQ(all.at("next_value_fails"), false);
    EXPECT_EQ(all.at("trial").at("outcome"), "completed");
    EXPECT_EQ(all.at("relative_speed"), 1);
    EXPECT_TRUE(files().empty()); // no workspace
}

TEST_F(ProgramFillTest, everyFormatHasIt)
{
    EXPECT_THAT(run(m_rows + "table").out,
        AllOf(HasSubstr("batch that fits"), HasSubstr("next fails"), HasSubstr("unfilled"), HasSubstr("samples/s"),
            HasSubstr("nothing fits: batch 1 needs"),
            HasSubstr("Fastest at equal memory: checkpointing all with batch "),
            HasSubstr("\n    headroom run --model ffn-stack-tiny")));
    EXPECT_THAT(run(m_rows + "md").out, HasSubstr("| checkpointing all |"));
    EXPECT_THAT(linesOf(run(m_rows + "csv").out).front(), HasSubstr("next_value_fails"));
    const Ended lines = run(m_rows + "jsonl");
    ASSERT_EQ(linesOf(lines.out).size(), 2U);
    EXPECT_EQ(OrderedJson::parse(linesOf(lines.out).at(0)).at("end"), "nothing_fits");
    EXPECT_THAT(lines.err, HasSubstr("Fastest at equal memory"));
}

TEST_F(ProgramFillTest, nothingAtAllIsAnExitCodeOfItsOwn)
{
    const Ended ended = run("fill --model ffn-stack-tiny --step forward_backward --device sim:t4 --format json");
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_EQ(ended.json("end"), "nothing_fits");
}

TEST_F(ProgramFillTest, aPredictionThatFailsSaysWhichValue)
{
    setVariable("HEADROOM_SCRIPT", "log"); // the worker ends
    const Ended ended = run(m_rows + "json");
    EXPECT_EQ(ended.exitCode, 3);
    EXPECT_EQ(ended.json("end"), "failed");
    EXPECT_THAT(ended.json("rows").at(0).at("reason").get<std::string>(), StartsWith("batch "));
    EXPECT_EQ(ended.json("rows").at(0).at("trial").at("outcome"), "not_run");
}

TEST_F(ProgramFillTest, trialsThatDifferInTheAxisAloneAreOneRow)
{
    const Ended ended = run("fill --model ffn-stack-tiny --checkpointing all --batch 1,2,4 --device sim:t4,sim:l4 "
                            "--axis workload.batch --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_EQ(ended.json("rows").size(), 2U);
}

TEST_F(ProgramFillTest, memoryIsALimitWithTheContextTakenOff)
{
    const OrderedJson row = run(m_rows + "json --memory 4GiB").json("rows").at(1);
    EXPECT_EQ(row.at("usable_bytes"), 4 * kGiB);
    EXPECT_EQ(row.at("needed_bytes").get<Bytes>() + row.at("unfilled_bytes").get<Bytes>(), 4 * kGiB);
    EXPECT_THAT(row.at("command").get<std::string>(), HasSubstr("device.memory_limit_bytes="));
}

TEST_F(ProgramFillTest, badUsageNamesWhatIsValid)
{
    const std::string trial = "--model ffn-stack-tiny --device sim:t4 ";
    expectFillRefused(trial + "--axis lenght", "found \"lenght\"", "valid: batch, sequence_length, accumulate");
    expectFillRefused(trial + "--axis sequence_lengths", "did you mean \"sequence_length\"?", "batch");
    expectFillRefused("--model ffn-stack-tiny --device cpu", "found cpu", "sim:t4");
    expectFillRefused("--model ffn-stack-tiny --device sim:cpu", "found sim:cpu", "sim:a100-80gb");
    expectFillRefused(trial + "--memory lots", "--memory: found \"lots\"", "2GiB");
    expectFillRefused(trial + "--memory 1MiB", "--memory: found 1.00 MiB", "more than");
    expectFillRefused(trial + "--memory 4GiB --set device.memory_limit_bytes=8589934592", "--memory", "one of the two");
    expectFillRefused(trial + "--shard 1/2", "--shard", "");
}

TEST_F(ProgramFillTest, stoppedItListsWhatItKnows)
{
    setVariable("HEADROOM_SCRIPT", "tight_and_hang");
    const Ended ended = run(
        {"fill", "--model", "ffn-stack-tiny", "--checkpointing", "all,ops", "--device", "sim:t4", "--format", "json"},
        [&](pid_t program) {
            for (std::size_t before = 0, quiet = 0; quiet < 10; before = requests()) {
                quiet = requests() > 3 && requests() == before ? quiet + 1 : 0;
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
            }
            ::kill(program, SIGINT);
        });
    EXPECT_EQ(ended.exitCode, 130);
    EXPECT_EQ(ended.json("end"), "cancelled");
    EXPECT_EQ(ended.json("rows").at(0).at("end"), "largest_fits");
    EXPECT_EQ(ended.json("rows").at(1).at("end"), "cancelled");
    EXPECT_THAT(ended.err, HasSubstr("Cancelled after "));
}

} // namespace
} // namespace headroom::cli::program_fill_test
