// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

#include <cstdlib>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using ProgramRunTest = Program;

const std::string kSweep = "run --model ffn-stack-tiny --split-ffn off,2 --device cpu ";

std::vector<std::string> valuesOf(const OrderedJson& trials, const char* key)
{
    std::vector<std::string> values;
    for (const OrderedJson& trial : trials)
        values.push_back(trial.at(key).get<std::string>());
    return values;
}

// Creates a locale with a decimal comma in the folder; false if the machine lacks what that needs.
bool makeCommaLocale(const std::string& folder)
{
    const std::string command = "localedef -i de_DE -f UTF-8 '" + folder + "/de_DE.UTF-8' >/dev/null 2>&1";
    return std::system(command.c_str()) == 0;
}

TEST_F(ProgramRunTest, printsTheResultsOfEachTrial)
{
    const Ended ended = run(kSweep + "--format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson results = ended.json();
    EXPECT_EQ(results.at("experiment"), "adhoc");
    EXPECT_EQ(valuesOf(results.at("trials"), "outcome"), (std::vector<std::string>{"completed", "completed"}));
    EXPECT_EQ(results.at("trials").at(1).at("techniques").at("split_ffn"), "2");
    EXPECT_EQ(results.at("trials").at(0).at("speed").at("steps_per_second"), 2.0);
    EXPECT_EQ(results.at("summary").at("exit_code"), 0);
    EXPECT_TRUE(exists("headroom.db"));
}

TEST_F(ProgramRunTest, everyFormatShowsTheSameTrials)
{
    const std::string resumed = kSweep + "--resume --format ";
    const OrderedJson json = run(resumed + "json").json();
    const std::vector<std::string> lines = linesOf(run(resumed + "jsonl").out);
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(OrderedJson::parse(lines[0]), json.at("trials").at(0));
    EXPECT_EQ(OrderedJson::parse(lines[1]), json.at("trials").at(1));
    EXPECT_EQ(OrderedJson::parse(lines[2]).at("schema"), "headroom.summary/1");
    const std::vector<std::string> rows = linesOf(run(resumed + "csv").out);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_THAT(rows[0], HasSubstr("schema,trial_id,config_id,"));
    EXPECT_THAT(rows[0], HasSubstr(",memory.peak.allocated_bytes,"));
    EXPECT_THAT(rows[1], HasSubstr(json.at("trials").at(0).at("trial_id").get<std::string>()));
    for (const char* format : {"table", "md"}) {
        const std::string text = run(resumed + format).out;
        for (const OrderedJson& trial : json.at("trials"))
            EXPECT_THAT(text, HasSubstr(trial.at("trial_id").get<std::string>().substr(0, 8)));
    }
    EXPECT_EQ(requests(), 2u);
}

TEST_F(ProgramRunTest, dataAndRemarksDoNotMix)
{
    const Ended ended = run(kSweep + "--format json");
    EXPECT_NO_THROW(ended.json());
    EXPECT_THAT(ended.err, HasSubstr("2 trials: 2 completed"));
    EXPECT_THAT(ended.err, Not(HasSubstr("\x1b")));
    EXPECT_THAT(ended.err, Not(HasSubstr("\r")));
}

TEST_F(ProgramRunTest, aDryRunListsTheTrialsOfTheRunAndWritesNothing)
{
    const Ended dry = run(kSweep + "--events events.jsonl --dry-run --format json");
    ASSERT_EQ(dry.exitCode, 0) << dry.err;
    EXPECT_THAT(files(), IsEmpty());
    EXPECT_EQ(requests(), 0u);
    const OrderedJson ran = run(kSweep + "--format json").json();
    for (const char* key : {"trial_id", "config_id", "label"})
        EXPECT_EQ(valuesOf(dry.json().at("trials"), key), valuesOf(ran.at("trials"), key));
}

TEST_F(ProgramRunTest, aDryRunShowsWhatIsSkippedAndWhy)
{
    const Ended dry =
        run("run --model ffn-stack-tiny --set model.dim=16,3 --split-ffn 8 --device cpu --dry-run --format json");
    ASSERT_EQ(dry.exitCode, 0) << dry.err;
    EXPECT_EQ(dry.json().at("trials").at(0).at("skipped"), false);
    EXPECT_EQ(dry.json().at("trials").at(1).at("skipped"), true);
    EXPECT_EQ(
        dry.json().at("trials").at(1).at("reason"), "split_ffn = 8 does not divide the feed-forward's inner width 12");
}

TEST_F(ProgramRunTest, aTrialThatCannotWorkIsSkippedWithItsReason)
{
    const Ended ended = run("run --model ffn-stack-tiny --set model.dim=16,3 --split-ffn 8 --device cpu --format json");
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson skipped = ended.json().at("trials").at(1);
    EXPECT_EQ(skipped.at("outcome"), "skipped");
    EXPECT_EQ(skipped.at("conflicts").size(), 1u);
    EXPECT_EQ(requests(), 1u);
}

TEST_F(ProgramRunTest, outOfMemoryIsAResultThatSaysWhatIsNeeded)
{
    setVariable("HEADROOM_SCRIPT", "oom");
    const Ended ended = run(kSweep);
    EXPECT_EQ(ended.exitCode, 0);
    EXPECT_THAT(ended.out, HasSubstr("out of memory"));
    EXPECT_THAT(ended.out, HasSubstr("needs at least 96 B more than usable; first failed in forward for 4 KiB"));
}

TEST_F(ProgramRunTest, aCrashedTrialIsReportedAndTheOthersRun)
{
    setVariable("HEADROOM_SCRIPT", "segv@4");
    const Ended ended = run("run --model ffn-stack-tiny --set workload.sequence_length=4,8 --device cpu --format json");
    EXPECT_EQ(ended.exitCode, 3);
    EXPECT_EQ(valuesOf(ended.json().at("trials"), "outcome"), (std::vector<std::string>{"failed", "completed"}));
    EXPECT_THAT(ended.json().at("trials").at(0).at("reason").get<std::string>(), HasSubstr("SIGSEGV"));
    EXPECT_THAT(ended.err, HasSubstr("failed: "));
}

TEST_F(ProgramRunTest, failFastStopsAtTheFirstFailure)
{
    setVariable("HEADROOM_SCRIPT", "exit");
    const Ended ended = run(kSweep + "--fail-fast --format json");
    EXPECT_EQ(ended.exitCode, 3);
    EXPECT_EQ(requests(), 1u);
    EXPECT_EQ(ended.json().at("summary").at("not_run"), 1);
}

TEST_F(ProgramRunTest, aTrialThatHangsEndsWithTheTimeout)
{
    setVariable("HEADROOM_SCRIPT", "hang");
    const Ended ended = run("run --model ffn-stack-tiny --device cpu --timeout 0.5 --format json");
    EXPECT_EQ(ended.exitCode, 3);
    EXPECT_EQ(ended.json().at("trials").at(0).at("outcome"), "timed_out");
}

TEST_F(ProgramRunTest, quickMeansFewStepsUnlessTheyAreSet)
{
    const OrderedJson quick = run("run --model ffn-stack-tiny --device cpu --quick --format json").json();
    EXPECT_EQ(quick.at("trials").at(0).at("speed").at("samples_seconds").at(0).size(), 2u);
    const OrderedJson set =
        run("run --model ffn-stack-tiny --device cpu --quick --set protocol.steps=4 --format json").json();
    EXPECT_EQ(set.at("trials").at(0).at("speed").at("samples_seconds").at(0).size(), 4u);
}

TEST_F(ProgramRunTest, aFlagGivenTwiceIsTheSameAsValuesWithCommas)
{
    const Ended twice = run("run --model ffn-stack-tiny --device cpu --device sim:t4 --split-ffn off --split-ffn 2 "
                            "--dry-run --format json");
    const Ended commas =
        run("run --model ffn-stack-tiny --device cpu,sim:t4 --split-ffn off,2 --dry-run --format json");
    ASSERT_EQ(twice.exitCode, 0) << twice.err;
    EXPECT_EQ(twice.json(), commas.json());
    EXPECT_EQ(twice.json().at("trials").size(), 4u);
}

TEST_F(ProgramRunTest, flagsWinOverThePresetInEveryPart)
{
    const OrderedJson plan = run("run demo --device sim:h200 --dry-run --format json").json();
    for (const OrderedJson& trial : plan.at("trials"))
        EXPECT_EQ(trial.at("device"), "sim:h200");
}

TEST_F(ProgramRunTest, theFilterRunsAPartOfTheSweep)
{
    const Ended ended = run({"run", "--model", "ffn-stack-tiny", "--split-ffn", "off,2,4", "--device", "cpu",
        "--filter", "split_ffn!=off split_ffn=2,4", "--format", "json"});
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_EQ(ended.json().at("trials").size(), 2u);
    EXPECT_EQ(requests(), 2u);
}

TEST_F(ProgramRunTest, predictionsAreMarkedInEveryFormat)
{
    const std::string simulated = "run --model ffn-stack-tiny --device cpu,sim:t4 --format ";
    const OrderedJson results = run(simulated + "json").json();
    EXPECT_EQ(results.at("trials").at(0).at("predicted"), false);
    EXPECT_EQ(results.at("trials").at(1).at("predicted"), true);
    for (const char* format : {"table", "md"}) {
        const std::string text = run(simulated + format).out;
        EXPECT_THAT(text, HasSubstr("measured"));
        EXPECT_THAT(text, HasSubstr("predicted"));
        EXPECT_THAT(text, HasSubstr("simulated, not measured"));
    }
}

TEST_F(ProgramRunTest, theWorkspaceIsTheFlagThenTheVariable)
{
    setVariable("HEADROOM_WORKSPACE", path("variable.db"));
    EXPECT_EQ(run(kSweep).exitCode, 0);
    EXPECT_TRUE(exists("variable.db"));
    EXPECT_EQ(run(kSweep + "--workspace flag.db").exitCode, 0);
    EXPECT_TRUE(exists("flag.db"));
    EXPECT_FALSE(exists("headroom.db"));
}

TEST_F(ProgramRunTest, resumeRunsOnlyWhatIsNotFinished)
{
    setVariable("HEADROOM_SCRIPT", "exit@8");
    const std::string sweep =
        "run --model ffn-stack-tiny --set workload.sequence_length=4,8 --device cpu --format json ";
    EXPECT_EQ(run(sweep).exitCode, 3);
    setVariable("HEADROOM_SCRIPT", "");
    const Ended resumed = run(sweep + "--resume");
    EXPECT_EQ(resumed.exitCode, 0) << resumed.err;
    EXPECT_EQ(requests(), 3u);
    EXPECT_EQ(resumed.json().at("trials").size(), 2u);
}

TEST_F(ProgramRunTest, theEventStreamIsJsonLinesFromStartToEnd)
{
    EXPECT_EQ(run(kSweep + "--events events.jsonl").exitCode, 0);
    const std::vector<std::string> lines = linesOf(contents("events.jsonl"));
    ASSERT_GT(lines.size(), 4u);
    EXPECT_EQ(OrderedJson::parse(lines.front()).at("event"), "run_started");
    EXPECT_EQ(OrderedJson::parse(lines.back()).at("event"), "run_finished");
    for (const std::string& line : lines)
        EXPECT_TRUE(OrderedJson::parse(line).at("time").is_number()) << line;
}

TEST_F(ProgramRunTest, numbersAreTheSameInEveryLocale)
{
    const TemporaryFolder locales;
    if (!makeCommaLocale(locales.path().string()))
        GTEST_SKIP() << "no locale with a decimal comma can be made here";
    const std::vector<std::string> commands{"run ffn-split --set workload.clip_grad_norm=0.5 --dry-run --format csv",
        "run --model ffn-stack-tiny --set model.dropout=0.25 --split-ffn off,2 --device cpu --format table",
        "models ffn-stack"};
    std::vector<std::string> plain;
    for (const std::string& command : commands)
        plain.push_back(run(command).out);
    setVariable("LOCPATH", locales.path().string());
    setVariable("LC_ALL", "de_DE.UTF-8");
    for (std::size_t i = 0; i < commands.size(); ++i)
        EXPECT_EQ(run(commands[i]).out, plain[i]);
}

TEST_F(ProgramRunTest, aComparisonAllowsForATolerance)
{
    const std::string compare = "compare " + recordingMadeByHand("expandable.pickle") + " "
        + recordingMadeByHand("protocol_4.pickle"); // 50 MiB after 40 MiB
    EXPECT_EQ(run(compare).exitCode, 1);
    EXPECT_EQ(run(compare + " --tolerance 25%").exitCode, 0);
    EXPECT_EQ(run(compare + " --tolerance 24.9%").exitCode, 1);
    for (const std::string wrong : {"2", "-1%", "101%", "much", "nan%"}) {
        const Ended ended = run(compare + " --tolerance=" + wrong);
        EXPECT_EQ(ended.exitCode, 2) << wrong;
        EXPECT_THAT(ended.err, HasSubstr("--tolerance: found \"" + wrong + "\" (valid: a share from 0% to 100%"));
    }
}

} // namespace
} // namespace headroom::cli
