// SPDX-License-Identifier: Apache-2.0
#include "experiments/archive/StoredResults.h"

#include "core/base/Error.h"
#include "tests/experiments/run/RunFixture.h"
#include "tests/support/Refusal.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class StoredExperimentTest : public RunFixture {
protected:
    StoredExperiment newest(const std::string& nameOrId = "")
    {
        store::Workspace stored = openForReading(workspace());
        return readExperiment(stored, chooseExperiment(stored, nameOrId, "--experiment"));
    }

    OrderedJson rebuilt(const std::string& nameOrId = "")
    {
        DeviceFit deviceFit(options.resources);
        return toJson(resultsOf(newest(nameOrId), deviceFit));
    }

    template <typename Failure> std::string refusalOf(const std::string& nameOrId)
    {
        return refusal<Failure>([&] { newest(nameOrId); });
    }

    // Field by field, so that a failure names the one that differs.
    void expectAsPrinted(const std::string& toml)
    {
        const OrderedJson printed = toJson(run(toml));
        const OrderedJson found = rebuilt();
        ASSERT_EQ(found.at("trials").size(), printed.at("trials").size());
        for (std::size_t i = 0; i < printed.at("trials").size(); ++i)
            for (const auto& [key, value] : printed.at("trials")[i].items())
                EXPECT_EQ(found.at("trials")[i].at(key).dump(), value.dump()) << key << " of trial " << i;
        for (const auto& [key, value] : printed.items())
            EXPECT_EQ(found.at(key).dump(), value.dump()) << key;
        EXPECT_EQ(found.size(), printed.size());
    }
};

TEST_F(StoredExperimentTest, measuredAndPredictedTrialsReadAsTheyWerePrinted)
{
    expectAsPrinted("techniques.split_ffn = [\"off\", \"2\"]\ndevice.name = [\"cpu\", \"sim:t4\"]\n");
}

TEST_F(StoredExperimentTest, severalRepeatsReadAsTheyWerePrinted)
{
    expectAsPrinted(std::string(kThree) + "protocol.repeats = 3\n");
}

TEST_F(StoredExperimentTest, outOfMemoryReadsAsItWasPrinted)
{
    script("oom@16");
    expectAsPrinted(kThree);
    EXPECT_EQ(rebuilt().at("trials")[1].at("oom").at("missing_bytes"), 96);
}

TEST_F(StoredExperimentTest, aFailureReadsAsItWasPrinted)
{
    script("log@16");
    expectAsPrinted(kThree);
    EXPECT_THAT(rebuilt().at("trials")[1].at("reason").get<std::string>(), HasSubstr("something went wrong"));
}

TEST_F(StoredExperimentTest, aSkippedTrialReadsAsItWasPrinted)
{
    expectAsPrinted(std::string(kThree) + "[[exclude]]\nworkload.sequence_length = 16\nreason = \"known | <x>\"\n");
    EXPECT_EQ(rebuilt().at("trials")[1].at("reason"), "known | <x>");
}

TEST_F(StoredExperimentTest, aMemoryLimitAndBudgetsReadAsTheyWerePrinted)
{
    expectAsPrinted("device = { name = \"sim:t4\", memory_limit_bytes = 5500 }\n"
                    "[[budget]]\nmin_steps_per_second = 1000\n[[budget]]\nname = \"b\"\nfits = true\n");
    EXPECT_THAT(rebuilt().at("summary").at("budgets"), SizeIs(2));
}

TEST_F(StoredExperimentTest, aRunThatWasStoppedEarlyListsWhatItDidNotReach)
{
    script("exit@16");
    options.onFailure = FailurePolicy::FailFast;
    expectAsPrinted(kThree);
    EXPECT_THAT(rebuilt().at("not_run"), SizeIs(1));
    EXPECT_EQ(rebuilt().at("not_run")[0].at("outcome"), "not_run");
}

TEST_F(StoredExperimentTest, anInterruptedRunCountsTheTrialItGaveUpAsNotRun)
{
    std::stop_source stop;
    options.stop = stop.get_token();
    notes.onRepeat = [&](const PlannedTrial& trial, int) {
        if (trial.label.find("16") != std::string::npos)
            stop.request_stop();
    };
    run(kThree);
    const OrderedJson found = rebuilt();
    EXPECT_THAT(found.at("trials"), SizeIs(1));
    EXPECT_THAT(found.at("not_run"), SizeIs(2));
    EXPECT_EQ(found.at("summary").at("not_run"), 2);
    EXPECT_EQ(found.at("summary").at("interrupted"), true);
    EXPECT_EQ(found.at("summary").at("exit_code"), 130);
}

TEST_F(StoredExperimentTest, whatHasNotComeToItsEndSaysNothingOfHowItEnded)
{
    run(kThree);
    SQLite::Database(workspace().string(), SQLite::OPEN_READWRITE)
        .exec("UPDATE experiments SET finished_at_ms = NULL, summary_json = NULL, environment = NULL");
    const OrderedJson found = rebuilt();
    for (const char* key : {"interrupted", "wall_seconds", "exit_code"})
        EXPECT_TRUE(found.at("summary").at(key).is_null()) << key;
    EXPECT_EQ(found.at("summary").at("completed"), 3);
    EXPECT_TRUE(found.at("environment").at("libtorch_version").is_string()) << "that of the last repeat";
}

TEST_F(StoredExperimentTest, resumingForgetsHowTheRunBeforeEnded)
{
    run(kThree);
    const OrderedJson first = newest().summary;
    options.mode = RunMode::Resume;
    notes.onRepeat = [&](const PlannedTrial&, int) { EXPECT_TRUE(newest().summary.is_null()); };
    run(std::string(kThree) + "protocol.repeats = 2\n");
    EXPECT_THAT(logged("request"), SizeIs(6));
    EXPECT_NE(newest().summary, first);
}

TEST_F(StoredExperimentTest, anExperimentIsChosenByNameThenByNumber)
{
    run("name = \"first\"\n");
    run("name = \"2\"\n");
    run("name = \"first\"\n");
    EXPECT_EQ(newest().row.id, 3);
    EXPECT_EQ(newest("first").row.id, 3) << "the newest of that name";
    EXPECT_EQ(newest("1").row.id, 1);
    EXPECT_EQ(newest("2").row.name, "2") << "a name goes before a number";
}

TEST_F(StoredExperimentTest, anUnknownExperimentIsRefusedWithThoseThereAre)
{
    run("name = \"first\"\n");
    const std::string refusal = refusalOf<UsageError>("secnd");
    EXPECT_THAT(refusal, HasSubstr("--experiment"));
    EXPECT_THAT(refusal, HasSubstr("secnd"));
    EXPECT_THAT(refusal, HasSubstr("first (1)"));
}

TEST_F(StoredExperimentTest, aWorkspaceWithoutExperimentsIsAFileError)
{
    store::Workspace::open(workspace(), store::Access::Create);
    EXPECT_THAT(refusalOf<FileError>(""), HasSubstr("no experiments"));
}

TEST_F(StoredExperimentTest, aResultThatIsDamagedIsNamedAndCostsTheOthersNothing)
{
    const OrderedJson printed = toJson(run(kThree));
    for (const char* damaged : {"nonsense", "[]", "{\"outcome\": 5}", "{\"outcome\": \"eaten\"}"}) {
        edit("UPDATE repeats SET result_json = '" + std::string(damaged) + "' WHERE id = 2");
        const OrderedJson found = rebuilt();
        ASSERT_THAT(found.at("trials"), SizeIs(3));
        EXPECT_EQ(found.at("trials")[0], printed.at("trials")[0]);
        EXPECT_EQ(found.at("trials")[1].at("outcome"), "failed");
        EXPECT_EQ(found.at("trials")[2], printed.at("trials")[2]);
        const auto reason = found.at("trials")[1].at("reason").get<std::string>();
        EXPECT_THAT(reason, HasSubstr("result of repeat 2 is damaged"));
        EXPECT_THAT(reason, Not(HasSubstr("json.exception")));
        ASSERT_THAT(newest().diagnostics, SizeIs(1));
        EXPECT_EQ(newest().diagnostics[0].kind, "damaged_row");
        EXPECT_EQ(newest().diagnostics[0].message, reason);
    }
}

TEST_F(StoredExperimentTest, aTrialWhoseRequestIsDamagedIsNamedAndCostsTheOthersNothing)
{
    const OrderedJson printed = toJson(run(kThree));
    for (const char* damaged : {"nonsense", "[]", "{\"model\": 5}"}) {
        edit("UPDATE trials SET request_json = '" + std::string(damaged) + "' WHERE id = 2");
        const OrderedJson found = rebuilt();
        ASSERT_THAT(found.at("trials"), SizeIs(2)) << damaged;
        EXPECT_EQ(found.at("trials")[0], printed.at("trials")[0]);
        EXPECT_EQ(found.at("trials")[1], printed.at("trials")[2]);
        ASSERT_THAT(newest().diagnostics, SizeIs(1));
        EXPECT_EQ(newest().diagnostics[0].kind, "damaged_row");
        EXPECT_THAT(
            newest().diagnostics[0].message, HasSubstr(printed.at("trials")[1].at("trial_id").get<std::string>()));
    }
}

TEST_F(StoredExperimentTest, aDamagedRepeatAmongGoodOnesIsLeftOutAndSaid)
{
    run("protocol.repeats = 3\n");
    edit("UPDATE repeats SET result_json = NULL WHERE repeat_index = 1");
    const OrderedJson found = rebuilt();
    EXPECT_EQ(found.at("trials")[0].at("outcome"), "completed");
    EXPECT_EQ(found.at("trials")[0].at("speed").at("samples_seconds").size(), 2U);
    EXPECT_THAT(newest().diagnostics, SizeIs(1));
}

TEST_F(StoredExperimentTest, aDamagedSummaryOrEnvironmentIsUnknownAndSaid)
{
    run(kThree);
    edit("UPDATE experiments SET summary_json = '{'");
    edit("UPDATE environments SET json = 'nonsense'");
    const OrderedJson found = rebuilt();
    EXPECT_THAT(found.at("trials"), SizeIs(3));
    EXPECT_TRUE(found.at("environment").is_null());
    EXPECT_TRUE(found.at("summary").at("exit_code").is_null());
    EXPECT_EQ(found.at("summary").at("completed"), 3);
    EXPECT_GE(newest().diagnostics.size(), 2U);
}

TEST_F(StoredExperimentTest, theNewestIsTheLastThatWasAddedWhateverTheClockSaid)
{
    run("name = \"first\"\n");
    run("name = \"first\"\n");
    edit("UPDATE experiments SET created_at_ms = 4102444800000 WHERE id = 1");
    EXPECT_EQ(newest().row.id, 2);
    EXPECT_EQ(newest("first").row.id, 2);
}

TEST_F(StoredExperimentTest, aWorkspaceOfTheFirstFormatIsBroughtUpToDateAndRead)
{
    store::WorkspaceOptions first;
    first.schema.migrations.resize(1);
    store::Workspace::open(workspace(), store::Access::Create, first);
    SQLite::Database(workspace().string(), SQLite::OPEN_READWRITE)
        .exec("INSERT INTO experiments (name, created_at_ms, spec_toml, spec_json, command_line, headroom_version) "
              "VALUES ('old', 1, '', '{}', 'headroom run old.toml', '0.0.9')");
    EXPECT_EQ(newest("old").row.headroomVersion, "0.0.9");
    EXPECT_TRUE(newest("old").summary.is_null());
}

TEST_F(StoredExperimentTest, aDeviceWhoseProfileIsNotHereLeavesOpenWhetherItFits)
{
    run("device.name = \"sim:t4\"\n");
    options.resources = folder();
    std::filesystem::create_directories(folder() / "devices");
    std::filesystem::create_directories(folder() / "runtimes");
    EXPECT_TRUE(rebuilt().at("trials")[0].at("memory").at("fits").is_null());
}

} // namespace
} // namespace headroom::experiments
