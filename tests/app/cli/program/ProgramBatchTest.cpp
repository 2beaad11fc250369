// SPDX-License-Identifier: Apache-2.0
//
// What CI jobs use: budgets, JUnit, the summary, shards, and exit codes.
#include "core/base/Bytes.h"
#include "tests/app/cli/program/Program.h"
#include "tests/app/cli/run/JUnitFile.h"

#include <gmock/gmock.h>

#include <csignal>
#include <set>
#include <thread>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::UnorderedElementsAreArray;

class ProgramBatchTest : public Program {
protected:
    // The scripted worker's trials peak at 5000 bytes and take 0.5 s a step.
    const std::string m_sweep = "run --model ffn-stack-tiny --split-ffn off,2,4 --device cpu ";

    void writeBudget(const std::string& keys) { write("budgets.toml", "[[budget]]\nname = \"b\"\n" + keys + "\n"); }

    OrderedJson junit() const { return readJUnit(path("junit.xml")); }

    static std::vector<std::string> labelsOf(const OrderedJson& trials)
    {
        std::vector<std::string> labels;
        for (const OrderedJson& trial : trials)
            labels.push_back(trial.at("label"));
        return labels;
    }

    static std::set<std::string> idsOf(const OrderedJson& trials)
    {
        std::set<std::string> ids;
        for (const OrderedJson& trial : trials)
            ids.insert(trial.at("trial_id").get<std::string>());
        return ids;
    }
};

#ifdef REAL_WORKER
TEST_F(ProgramBatchTest, aBudgetFailsTheRightRowsAndEveryFileNamesThem)
{
    setVariable("HEADROOM_WORKER", REAL_WORKER);
    write("budgets.toml", "[[budget]]\nname = \"six\"\ndevice = \"sim:*\"\nmax_peak_gib = 6\n");
    const Ended ended =
        run("run ffn-split --budgets budgets.toml --junit junit.xml --summary summary.md --format json");
    EXPECT_EQ(ended.exitCode, 1) << ended.err;
    std::vector<std::string> tooLarge;
    for (const OrderedJson& trial : ended.json("trials"))
        if (trial.at("memory").at("peak").at("reserved_bytes").get<Bytes>() > 6 * kGiB)
            tooLarge.push_back(trial.at("label"));
    ASSERT_THAT(tooLarge, SizeIs(5));

    std::vector<std::string> failing;
    const OrderedJson cases = junit().at("cases");
    for (const OrderedJson& entry : cases)
        if (!entry.at("failure").is_null()) {
            failing.push_back(entry.at("name"));
            EXPECT_THAT(entry.at("failure").at("message").get<std::string>(),
                testing::MatchesRegex("exceeded: six: predicted peak of reserved memory .* GiB, more than 6 GiB"));
        }
    EXPECT_EQ(failing, tooLarge);

    const std::string summary = contents("summary.md");
    const std::string top = summary.substr(0, summary.find("<details>"));
    for (std::string label : tooLarge) {
        label.replace(label.find(" | "), 3, " \\| ");
        EXPECT_THAT(top, HasSubstr("`" + label + "`"));
        EXPECT_THAT(ended.err, HasSubstr(label.replace(label.find(" \\| "), 4, " | ")));
    }
    const OrderedJson budget = ended.json("summary").at("budgets").at(0);
    EXPECT_EQ(budget.at("result"), "exceeded");
    std::size_t exceeded = 0;
    for (const OrderedJson& verdict : budget.at("verdicts"))
        exceeded += verdict.at("result") == "exceeded" ? 1 : 0;
    EXPECT_EQ(exceeded, tooLarge.size());
}

// Of the rows of the published table, only full checkpointing stays below 12 GiB.
TEST_F(ProgramBatchTest, twelveGibibytesFailTheRowsOfThePublishedTableThatNeedMore)
{
    setVariable("HEADROOM_WORKER", REAL_WORKER);
    write("budgets.toml", "[[budget]]\nmodel = \"ltx-video-*\"\nmax_peak_gib = 12\n");
    const Ended ended = run("run ltx-checkpointing --device sim:a100-80gb@torch-2.5 --budgets budgets.toml "
                            "--junit junit.xml --summary summary.md --format json");
    EXPECT_EQ(ended.exitCode, 1) << ended.err;
    std::vector<std::string> failing;
    const OrderedJson cases = junit().at("cases");
    for (const OrderedJson& entry : cases)
        if (!entry.at("failure").is_null())
            failing.push_back(entry.at("name"));
    EXPECT_THAT(failing, testing::ElementsAre("baseline", "checkpointing every:2", "checkpointing every:4"));
    const std::string summary = contents("summary.md");
    const std::string top = summary.substr(0, summary.find("<details>"));
    for (const std::string& label : failing)
        EXPECT_THAT(top, HasSubstr("`" + label + "`"));
    EXPECT_THAT(top, testing::Not(HasSubstr("`checkpointing all`")));
}

TEST_F(ProgramBatchTest, theDemoIsTheTwoPresetsOfCheckpointing)
{
    const auto idsOfPreset = [&](const char* preset) {
        return idsOf(run(std::string("run ") + preset + " --dry-run --format json").json("trials"));
    };
    std::set<std::string> both = idsOfPreset("ltx-checkpointing-small");
    both.merge(idsOfPreset("ltx-checkpointing"));
    EXPECT_EQ(idsOfPreset("demo"), both);
}
#endif

TEST_F(ProgramBatchTest, everyBudgetThatHoldsIsSuccess)
{
    writeBudget("max_peak_mib = 1\nmin_steps_per_second = 2\nmust_complete = true");
    const Ended ended = run(m_sweep + "--budgets budgets.toml");
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("budget held: b: 3 trials\n"));
}

TEST_F(ProgramBatchTest, anExceededBudgetIsOne)
{
    writeBudget("min_steps_per_second = 2.5");
    const Ended ended = run(m_sweep + "--budgets budgets.toml --format jsonl --events events.jsonl");
    EXPECT_EQ(ended.exitCode, 1) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("budget exceeded: b: 3 of 3 trials\n  exceeded: "));
    EXPECT_THAT(ended.err, HasSubstr("measured 2 steps/s (95 % interval 2 to 2), fewer than 2.5"));
    for (const std::string& last : {linesOf(ended.out).back(), linesOf(contents("events.jsonl")).back()})
        EXPECT_THAT(last, HasSubstr("\"exit_code\":1"));
    const OrderedJson summary = OrderedJson::parse(linesOf(ended.out).back());
    EXPECT_EQ(summary.at("budgets").at(0).at("verdicts").at(0).at("figure"), "speed.steps_per_second");
}

TEST_F(ProgramBatchTest, badUsageIsTwoAndNothingIsRun)
{
    writeBudget("max_peek_mib = 1");
    for (const char* arguments : {"--budgets budgets.toml", "--budgets budgets.toml --dry-run", "--shard 3/2",
             "--shard 0/2", "--shard one/two", "--junit same --summary ./same", "--junit headroom.db"}) {
        const auto before = files();
        const Ended ended = run(m_sweep + arguments);
        EXPECT_EQ(ended.exitCode, 2) << arguments;
        EXPECT_THAT(linesOf(ended.err), SizeIs(1)) << ended.err;
        EXPECT_EQ(files(), before);
    }
    EXPECT_THAT(run(m_sweep + "--budgets budgets.toml").err,
        HasSubstr("budgets.toml:3:1: budget.max_peek_mib: unknown key \"max_peek_mib\", did you mean"));
    writeBudget("fits = true\nmodel = \"ltx-*\"");
    EXPECT_THAT(run(m_sweep + "--budgets budgets.toml").err, HasSubstr("\"b\" matches no trial"));
    EXPECT_EQ(requests(), 0u);
}

TEST_F(ProgramBatchTest, aCrashIsThreeEvenWhereABudgetIsExceeded)
{
    setVariable("HEADROOM_SCRIPT", "kill@8");
    writeBudget("min_steps_per_second = 2.5");
    const Ended ended = run("run --model ffn-stack-tiny --set workload.sequence_length=4,8 --device cpu --budgets "
                            "budgets.toml --junit junit.xml --format json");
    EXPECT_EQ(ended.exitCode, 3) << ended.err;
    const OrderedJson cases = junit().at("cases");
    EXPECT_EQ(cases.at(0).at("failure").at("type"), "budget");
    EXPECT_EQ(cases.at(1).at("error").at("type"), "failed");
    EXPECT_THAT(cases.at(1).at("error").at("text").get<std::string>(), HasSubstr("undecided: b: no figure to compare"));
}

TEST_F(ProgramBatchTest, aBudgetThatCannotBeDecidedIsFour)
{
    writeBudget("min_steps_per_second = 0.1");
    const Ended ended = run(m_sweep + "--quick --budgets budgets.toml --junit junit.xml");
    EXPECT_EQ(ended.exitCode, 4) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("budget undecided: b: 3 of 3 trials"));
    EXPECT_THAT(ended.err, HasSubstr("too few timed steps for an interval"));
    EXPECT_EQ(junit().at("suite").at("errors"), "3");
}

TEST_F(ProgramBatchTest, filesThatCannotBeWrittenAreFive)
{
    for (const char* flag : {"--junit no/such/x", "--summary no/such/x", "--budgets no-such-file"}) {
        const Ended ended = run(m_sweep + flag);
        EXPECT_EQ(ended.exitCode, 5) << flag << ended.err;
        EXPECT_THAT(files(), IsEmpty()) << flag;
    }
    EXPECT_EQ(requests(), 0u);
    const Ended full = run(m_sweep + "--junit /dev/full --summary summary.md --format json");
    EXPECT_EQ(full.exitCode, 5) << full.err;
    EXPECT_THAT(full.err, HasSubstr("headroom: error: /dev/full: file cannot be written: No space left on device"));
    EXPECT_THAT(full.json("trials"), SizeIs(3));
    EXPECT_THAT(contents("summary.md"), HasSubstr("3 trials: 3 completed"));
}

TEST_F(ProgramBatchTest, anInterruptionIs130AndTheFilesHaveWhatIsFinished)
{
    setVariable("HEADROOM_SCRIPT", "hang@8");
    writeBudget("min_steps_per_second = 2.5");
    const Ended ended =
        run({"run", "--model", "ffn-stack-tiny", "--set", "workload.sequence_length=4,8,16", "--device", "cpu",
                "--budgets", "budgets.toml", "--junit", "junit.xml", "--summary", "summary.md", "--format", "json"},
            [&](pid_t program) {
                waitForRequests(2);
                ::kill(program, SIGINT);
            });
    EXPECT_EQ(ended.exitCode, 130) << ended.err;
    const OrderedJson found = junit();
    EXPECT_EQ(found.at("properties").at("interrupted"), "true");
    EXPECT_EQ(found.at("properties").at("not_run"), "1");
    EXPECT_EQ(found.at("cases").at(0).at("failure").at("type"), "budget");
    EXPECT_FALSE(found.at("cases").at(1).at("skipped").is_null());
    EXPECT_THAT(contents("summary.md"), HasSubstr("## headroom run `adhoc`: interrupted\n"));
    EXPECT_EQ(ended.json("summary").at("budgets").at(0).at("not_run"), 2);
    for (const auto& [file, text] : files())
        EXPECT_THAT(file, Not(testing::EndsWith(".part")));
}

TEST_F(ProgramBatchTest, outOfMemoryFailsOnlyWhereABudgetSaysSo)
{
    setVariable("HEADROOM_SCRIPT", "oom");
    writeBudget("device = \"sim:*\"\nmust_complete = true");
    const std::string trial = "run --model ffn-stack-tiny --device ";
    EXPECT_EQ(run(trial + "cpu --junit junit.xml").exitCode, 0);
    EXPECT_EQ(junit().at("suite").at("failures"), "0");
    EXPECT_EQ(run(trial + "cpu,sim:t4 --budgets budgets.toml --junit junit.xml").exitCode, 1);
    EXPECT_EQ(junit().at("suite").at("failures"), "1");
}

TEST_F(ProgramBatchTest, aSpecHasItsBudgetsWithIt)
{
    const std::string spec =
        "[model]\nname = \"ffn-stack-tiny\"\n[[budget]]\nname = \"own\"\nmin_steps_per_second = 3\n";
    write("spec.toml", spec);
    writeBudget("max_peak_mib = 1");
    EXPECT_EQ(run("run ./spec.toml --device cpu").exitCode, 1);
    const Ended both = run("run ./spec.toml --device cpu --budgets budgets.toml --format json");
    EXPECT_EQ(both.exitCode, 1);
    EXPECT_THAT(both.json("summary").at("budgets"), SizeIs(2));
    write("spec.toml", spec + "name = \"b\"\n");
    write("budgets.toml", "[[budget]]\nname = \"b\"\nfits = true\n[[budget]]\nname = \"b\"\nfits = true\n");
    EXPECT_EQ(run("run ./spec.toml --device cpu --budgets budgets.toml").exitCode, 2);
}

TEST_F(ProgramBatchTest, shardsShareTheSweepOut)
{
    const std::string sweep = "run --model ffn-stack-tiny --set workload.sequence_length=4,8,12,16,20 --split-ffn "
                              "off,2 --device cpu --format json ";
    const OrderedJson whole = run(sweep + "--dry-run").json();
    EXPECT_TRUE(whole.at("shard").is_null());
    std::vector<std::string> all;
    for (int number = 1; number <= 3; ++number) {
        const std::string shard = std::to_string(number) + "/3";
        const OrderedJson dry = run(sweep + "--dry-run --shard " + shard).json();
        EXPECT_EQ(dry.at("shard"), shard);
        const OrderedJson ran =
            run(sweep + "--shard " + shard + " --workspace " + std::to_string(number) + ".db").json();
        EXPECT_EQ(labelsOf(dry.at("trials")), labelsOf(ran.at("trials")));
        const auto ids = idsOf(ran.at("trials"));
        all.insert(all.end(), ids.begin(), ids.end());
    }
    EXPECT_THAT(all, UnorderedElementsAreArray(idsOf(whole.at("trials"))));
    EXPECT_EQ(requests(), 10u);
    EXPECT_THAT(run("run ffn-split --dry-run --shard 2/4").out, HasSubstr("Shard 2 of 4: "));
}

TEST_F(ProgramBatchTest, aFilterComesBeforeTheShardAndAResumeAfterIt)
{
    const std::string sweep = "run --model ffn-stack-tiny --set workload.sequence_length=4,8,12,16 --split-ffn off,2 "
                              "--device cpu --format json --filter split_ffn=2 ";
    std::vector<std::string> all;
    for (const char* shard : {"1/2", "2/2"}) {
        const auto ids = idsOf(run(sweep + "--shard " + shard).json("trials"));
        EXPECT_THAT(ids, SizeIs(2));
        all.insert(all.end(), ids.begin(), ids.end());
    }
    EXPECT_THAT(all, UnorderedElementsAreArray(idsOf(run(sweep + "--dry-run").json("trials"))));
    EXPECT_EQ(requests(), 4u);
    for (const char* shard : {"1/2", "2/2"})
        EXPECT_EQ(run(sweep + "--resume --shard " + shard).exitCode, 0);
    EXPECT_EQ(requests(), 4u);
}

TEST_F(ProgramBatchTest, aPartMayHoldNoTrialOfABudgetOrNoneAtAll)
{
    writeBudget("split_ffn = \"4\"\nmax_peak_mib = 1");
    const Ended filtered = run(m_sweep + "--filter split_ffn=2 --budgets budgets.toml --format json");
    EXPECT_EQ(filtered.exitCode, 0) << filtered.err;
    EXPECT_THAT(filtered.err, HasSubstr("budget not applicable: b: no trial in this part of the sweep"));
    EXPECT_EQ(filtered.json("summary").at("budgets").at(0).at("result"), "not_applicable");
    const Ended empty =
        run(m_sweep + "--shard 5/5 --budgets budgets.toml --junit junit.xml --summary s.md --format json");
    EXPECT_EQ(empty.exitCode, 0) << empty.err;
    EXPECT_THAT(empty.json("trials"), IsEmpty());
    EXPECT_EQ(junit().at("suite").at("tests"), "0");
}

TEST_F(ProgramBatchTest, theSummaryIsAppendedAndStaysBelowTheCap)
{
    write("summary.md", "written by an earlier step");
    ASSERT_EQ(run(m_sweep + "--summary summary.md").exitCode, 0);
    EXPECT_THAT(contents("summary.md"), testing::StartsWith("written by an earlier step\n## headroom run `adhoc`"));
    write("full.md", std::string(1024 * 1024 - 20, 'x'));
    const Ended ended = run(m_sweep + "--summary full.md");
    EXPECT_EQ(ended.exitCode, 0);
    EXPECT_THAT(ended.err, HasSubstr("nothing was added to the summary"));
    EXPECT_EQ(contents("full.md").size(), 1024u * 1024u - 20);
}

TEST_F(ProgramBatchTest, theJUnitFileIsReplaced)
{
    write("junit.xml", "<old/>");
    ASSERT_EQ(run(m_sweep + "--junit junit.xml").exitCode, 0);
    ASSERT_EQ(run(m_sweep + "--resume --junit junit.xml").exitCode, 0);
    EXPECT_EQ(junit().at("suite").at("tests"), "3");
}

} // namespace
} // namespace headroom::cli
