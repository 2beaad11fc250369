// SPDX-License-Identifier: Apache-2.0
#include "core/base/Bytes.h"
#include "core/base/ShellWords.h"
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

#include <csignal>
#include <thread>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class ProgramFitTest : public Program {
protected:
    // With this script of the worker, nothing fits without checkpointing.
    ProgramFitTest() { setVariable("HEADROOM_SCRIPT", "tight"); }

    void expectFitRefused(const std::string& arguments, const std::string& what, const std::string& valid)
    {
        const Ended ended = run("fit " + arguments);
        EXPECT_EQ(ended.exitCode, 2) << arguments;
        EXPECT_EQ(linesOf(ended.err).size(), 1U) << ended.err;
        EXPECT_THAT(ended.err, AllOf(StartsWith("headroom: error: "), HasSubstr(what), HasSubstr(valid)));
        EXPECT_THAT(ended.out, IsEmpty());
        EXPECT_EQ(requests(), 0U);
    }

    const std::string m_trial =
        "fit --model ffn-stack-tiny --set workload.step=forward_backward --device sim:t4 --format ";
};

TEST_F(ProgramFitTest, listsWhatFitsWithTheRecordOfTheTrial)
{
    const Ended ended = run(m_trial + "json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson document = ended.json();
    EXPECT_EQ(document.at("schema"), "headroom.fit/1");
    EXPECT_EQ(document.at("end"), "found");
    EXPECT_EQ(document.at("simulations"), document.at("expected_simulations"));
    EXPECT_EQ(document.at("asked").at("outcome"), "out_of_memory");
    ASSERT_EQ(document.at("found").size(), 1U);
    const OrderedJson found = document.at("found").at(0);
    EXPECT_EQ(found.at("changes").dump(), R"([{"path":"techniques.checkpointing","before":"none","after":"all"}])");
    EXPECT_EQ(found.at("trial").at("schema"), "headroom.trial/1");
    EXPECT_EQ(found.at("trial").at("techniques").at("checkpointing"), "all");
    EXPECT_EQ(found.at("trial").at("outcome"), "completed");
    EXPECT_EQ(found.at("needed_bytes").get<Bytes>() + found.at("free_bytes").get<Bytes>(),
        document.at("usable_bytes").get<Bytes>());
    EXPECT_EQ(found.at("needed_bytes").get<Bytes>(), 5000 + document.at("context_bytes").get<Bytes>());
    EXPECT_DOUBLE_EQ(found.at("speed_lost").get<double>(), 0.2);
    EXPECT_TRUE(files().empty()); // no workspace
}

TEST_F(ProgramFitTest, theLineThatItNamesRunsTheTrialThatWasFound)
{
    const OrderedJson found = run(m_trial + "json").json("found").at(0);
    std::vector<std::string> words = experiments::shellWords(found.at("command").get<std::string>());
    ASSERT_EQ(words.front(), "headroom");
    words.erase(words.begin());
    words.insert(words.end(), {"--dry-run", "--format", "json"});
    const Ended listed = run(words);
    ASSERT_EQ(listed.exitCode, 0) << listed.err;
    ASSERT_EQ(listed.json("trials").size(), 1U);
    EXPECT_EQ(listed.json("trials").at(0).at("trial_id"), found.at("trial").at("trial_id"));
}

TEST_F(ProgramFitTest, everyFormatHasIt)
{
    const std::string table = run(m_trial + "table").out;
    EXPECT_THAT(table,
        AllOf(HasSubstr("checkpointing all"), HasSubstr("speed lost"), HasSubstr("host memory"), HasSubstr("20.0 %"),
            HasSubstr("\n    headroom run --model ffn-stack-tiny")));
    const std::string markdown = run(m_trial + "md").out;
    EXPECT_THAT(markdown, AllOf(HasSubstr("| checkpointing all |"), HasSubstr("\n\n    headroom run ")));
    const std::vector<std::string> csv = linesOf(run(m_trial + "csv").out);
    ASSERT_EQ(csv.size(), 2U);
    EXPECT_THAT(csv.front(), HasSubstr("free_bytes"));
    const Ended lines = run(m_trial + "jsonl");
    ASSERT_EQ(linesOf(lines.out).size(), 1U);
    EXPECT_EQ(OrderedJson::parse(lines.out).at("changes").at(0).at("after"), "all");
    EXPECT_THAT(lines.err, HasSubstr("1 way predicted to fit")); // on standard error, as the data has no place for it
}

TEST_F(ProgramFitTest, aTrialThatFitsNeedsNoChange)
{
    const Ended ended = run(m_trial + "json --checkpointing all");
    EXPECT_EQ(ended.exitCode, 0);
    EXPECT_EQ(ended.json("end"), "fits_already");
    EXPECT_THAT(ended.json("found"), IsEmpty());
    EXPECT_EQ(ended.json("simulations"), 0);
    EXPECT_THAT(run(m_trial + "table --checkpointing all").out, HasSubstr("It fits already, nothing has to change."));
}

TEST_F(ProgramFitTest, nothingThatFitsIsAnExitCodeOfItsOwn)
{
    setVariable("HEADROOM_SCRIPT", "oom");
    const Ended ended = run(m_trial + "json");
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_EQ(ended.json("end"), "nothing_fits");
    EXPECT_GT(ended.json("simulations").get<int>(), 5);
    EXPECT_FALSE(ended.json("tried").empty());
    EXPECT_THAT(run(m_trial + "table").out, HasSubstr("Nothing found that fits in "));
}

TEST_F(ProgramFitTest, predictionsThatFailAreNoAnswer)
{
    setVariable("HEADROOM_SCRIPT", "log"); // the worker ends
    const Ended ended = run(m_trial + "json");
    EXPECT_EQ(ended.exitCode, 3);
    EXPECT_EQ(ended.json("end"), "failed");
    EXPECT_EQ(ended.json("asked").at("outcome"), "failed");
    EXPECT_THAT(run(m_trial + "table").out, HasSubstr("something went wrong"));
}

TEST_F(ProgramFitTest, stoppedItListsWhatWasFoundAndSaysThatItIsNotAll)
{
    setVariable("HEADROOM_SCRIPT", "tight_and_hang");
    const auto waitUntilItHangs = [&] {
        for (std::size_t before = 0, quiet = 0; quiet < 10; before = requests()) {
            quiet = requests() > 3 && requests() == before ? quiet + 1 : 0;
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    };
    for (const int signal : {SIGINT, SIGTERM}) {
        const Ended ended = run({"fit", "--model", "ffn-stack-tiny", "--set", "workload.step=forward_backward",
                                    "--device", "sim:t4", "--format", "json"},
            [&](pid_t program) {
                waitUntilItHangs();
                ::kill(program, signal);
            });
        EXPECT_EQ(ended.exitCode, 130);
        EXPECT_THAT(
            ended.err, AllOf(HasSubstr("stopping"), HasSubstr("Cancelled, search incomplete: 1 way found so far")));
        EXPECT_EQ(ended.json("end"), "cancelled");
        EXPECT_GT(ended.json("expected_simulations").get<int>(), ended.json("simulations").get<int>());
        ASSERT_EQ(ended.json("found").size(), 1U);
        EXPECT_EQ(ended.json("found").at(0).at("trial").at("outcome"), "completed");
    }
}

TEST_F(ProgramFitTest, takesOneTrialAndSaysWhichAreValid)
{
    expectFitRefused("--model ffn-stack-tiny --device sim:t4 --split-ffn off,2", "found 2 trials",
        "one value each of split_ffn (off, 2), or --filter PATH=VALUE");
    expectFitRefused("--model ffn-stack-tiny --device sim:t4,sim:a100-80gb --set workload.batch=1,2", "found 4 trials",
        "one value each of device.name (sim:t4, sim:a100-80gb), workload.batch (1, 2)");
    expectFitRefused("--model ffn-stack-tiny", "no device is given", "sim:t4");
    expectFitRefused("--model ffn-stack-tiny --device cpu", "found cpu", "sim:t4");
    expectFitRefused("--model ffn-stack-tiny --device sim:cpu", "found sim:cpu", "sim:a100-80gb");
    expectFitRefused("--model ffn-stack-tiny --device sim:t5", "t5", "t4");
    expectFitRefused("--device sim:t4", "model", "");
    write("excluded.toml",
        "model.name = \"ffn-stack-tiny\"\ndevice.name = \"sim:t4\"\n"
        "[[exclude]]\ndevice.name = \"sim:t4\"\nreason = \"not of interest\"\n");
    expectFitRefused("./excluded.toml", "not of interest", "settings that work together");
    expectFitRefused("--model ffn-stack-tiny --device sim:t4 --shard 1/2", "--shard", "");
}

TEST_F(ProgramFitTest, aFilterChoosesATrialOfASweep)
{
    const Ended ended = run({"fit", "--model", "ffn-stack-tiny", "--set", "workload.step=forward_backward", "--device",
        "sim:t4", "--split-ffn", "off,2:recompute", "--filter", "split_ffn=2:recompute", "--format", "json"});
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_EQ(ended.json("asked").at("techniques").at("split_ffn"), "2:recompute");
    EXPECT_EQ(ended.json("found").at(0).at("trial").at("techniques").at("split_ffn"), "2:recompute");
}

} // namespace
} // namespace headroom::cli
