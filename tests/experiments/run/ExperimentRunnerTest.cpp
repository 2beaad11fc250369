// SPDX-License-Identifier: Apache-2.0
#include "core/base/Error.h"
#include "experiments/results/TrialRecordJson.h"
#include "profiling/store/workspace/Workspace.h"
#include "tests/experiments/run/RunFixture.h"

#include <gmock/gmock.h>

#include <chrono>
#include <thread>

namespace headroom::experiments {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

class ExperimentRunnerTest : public RunFixture {
protected:
    store::Workspace stored() { return store::Workspace::open(workspace(), store::Access::ReadOnly); }
};

std::vector<std::string> outcomes(const ResultsDocument& document)
{
    std::vector<std::string> found;
    for (const TrialResult& trial : document.trials)
        found.emplace_back(toText(trial.outcome));
    return found;
}

TEST_F(ExperimentRunnerTest, runsEveryTrialInAFreshProcessAndTellsTheObserver)
{
    const ResultsDocument document = run(kThree);
    EXPECT_THAT(outcomes(document), ElementsAre("completed", "completed", "completed"));
    EXPECT_THAT(logged("start"), SizeIs(3));
    EXPECT_THAT(notes.lines,
        ElementsAre("run three 3", "repeat 0 sequence_length 8 | baseline", "completed sequence_length 8 | baseline",
            "repeat 0 sequence_length 16 | baseline", "completed sequence_length 16 | baseline",
            "repeat 0 sequence_length 32 | baseline", "completed sequence_length 32 | baseline", "end 0"));
    EXPECT_THAT(notes.phases, ElementsAre("load", "forward", "load", "forward", "load", "forward"));
    EXPECT_THAT(notes.samples, SizeIs(15));
    EXPECT_EQ(summary.exitCode(), 0);
    EXPECT_EQ(document.environment.at("libtorch_version"), "2.11.0");
}

TEST_F(ExperimentRunnerTest, storesExperimentTrialsRepeatsAndSamples)
{
    options.commandLine = "headroom run three";
    run(std::string(kThree) + "protocol.steps = 4\n");
    store::Workspace workspace = stored();
    const auto experiment = workspace.findExperiment("three");
    ASSERT_TRUE(experiment.has_value());
    EXPECT_EQ(experiment->commandLine, "headroom run three");
    EXPECT_NE(experiment->specToml.find("sequence_length = [8, 16, 32]"), std::string::npos);
    const auto trials = workspace.trials(experiment->id);
    ASSERT_THAT(trials, SizeIs(3));
    EXPECT_EQ(trials[1].label, "sequence_length 16 | baseline");
    EXPECT_EQ(trials[1].device, "cpu");
    EXPECT_FALSE(trials[1].predicted);
    EXPECT_EQ(trials[1].status, store::TrialStatus::Done);
    const auto repeats = workspace.repeats(trials[1].id);
    ASSERT_THAT(repeats, SizeIs(1));
    EXPECT_EQ(repeats[0].peakAllocatedBytes, 5000);
    EXPECT_THAT(workspace.samples(repeats[0].id), SizeIs(4));
    EXPECT_NE(workspace.environment(repeats[0].environment.value())->find("2.11.0"), std::string::npos);
}

TEST_F(ExperimentRunnerTest, interleavesRepeats)
{
    const auto document = run(std::string(kThree) + "protocol.repeats = 2\n");
    EXPECT_THAT(notes.lines,
        ElementsAre("run three 3", "repeat 0 sequence_length 8 | baseline", "repeat 0 sequence_length 16 | baseline",
            "repeat 0 sequence_length 32 | baseline", "repeat 1 sequence_length 8 | baseline",
            "completed sequence_length 8 | baseline", "repeat 1 sequence_length 16 | baseline",
            "completed sequence_length 16 | baseline", "repeat 1 sequence_length 32 | baseline",
            "completed sequence_length 32 | baseline", "end 0"));
    EXPECT_EQ(toJson(document.trials[0]).at("speed").at("samples_seconds").dump(),
        "[[0.5,0.5,0.5,0.5,0.5],[0.75,0.75,0.75,0.75,0.75]]");
    EXPECT_EQ(toJson(document.trials[0]).at("memory").at("peak").at("allocated_bytes"), 5001);
}

TEST_F(ExperimentRunnerTest, aCrashFailsItsTrialAndTheNextOnesFollow)
{
    script("kill@16");
    const auto document = run(kThree);
    EXPECT_THAT(outcomes(document), ElementsAre("completed", "failed", "completed"));
    EXPECT_EQ(document.trials[1].reason,
        "worker ended with signal 9 (SIGKILL), perhaps by the system for want of memory, in phase forward");
    EXPECT_EQ(summary.exitCode(), 3);
    EXPECT_EQ(summary.count(Outcome::Failed), 1);
    EXPECT_EQ(stored().repeats(stored().trials(1)[1].id)[0].outcome, Outcome::Failed);
}

TEST_F(ExperimentRunnerTest, aResidentWorkerServesAllSimulatedTrialsAndIsReplacedWhenItDies)
{
    options.jobs = 1;
    const std::string spec = std::string(kThree) + "device.name = \"sim:a100-80gb\"\nprotocol.repeats = 4\n";
    EXPECT_THAT(outcomes(run(spec)), ElementsAre("completed", "completed", "completed"));
    EXPECT_THAT(logged("start"), SizeIs(1));
    EXPECT_THAT(logged("request"), SizeIs(3)); // one repeat says everything
    EXPECT_THAT(logged("end"), SizeIs(1));
    script("segv@16");
    EXPECT_THAT(outcomes(run(spec)), ElementsAre("completed", "failed", "completed"));
    EXPECT_THAT(logged("start"), SizeIs(3));
}

TEST_F(ExperimentRunnerTest, failFastStopsAtTheFirstFailure)
{
    script("exit@16");
    options.onFailure = FailurePolicy::FailFast;
    EXPECT_THAT(outcomes(run(kThree)), ElementsAre("completed", "failed"));
    EXPECT_EQ(summary.notRun, 1);
    EXPECT_EQ(summary.exitCode(), 3);
}

TEST_F(ExperimentRunnerTest, outOfMemoryIsNoFailure)
{
    script("oom@32");
    options.onFailure = FailurePolicy::FailFast;
    const auto document = run(kThree);
    EXPECT_THAT(outcomes(document), ElementsAre("completed", "completed", "out_of_memory"));
    EXPECT_EQ(toJson(document.trials[2]).at("oom").dump(),
        R"({"phase":"forward","requested_bytes":4096,"missing_bytes":96,"free_bytes":null,"allocated_bytes":null,)"
        R"("reserved_bytes":null})");
    EXPECT_EQ(toJson(document.trials[2]).at("memory").at("fits"), false);
    EXPECT_EQ(summary.exitCode(), 0);
}

// The variable may be meant for the training that follows; a trial is what its spec says.
TEST_F(ExperimentRunnerTest, saysThatAnAllocatorVariableHasNoEffectWhereItCouldHaveOne)
{
    const EnvironmentVariable variable("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True");
    run("name = \"measured\"\n");
    EXPECT_THAT(notes.remarks, testing::Each(testing::Not(testing::HasSubstr("PYTORCH_CUDA_ALLOC_CONF"))));
    run("name = \"simulated\"\ndevice.name = \"sim:t4\"\n");
    EXPECT_THAT(
        notes.remarks, testing::Contains(testing::HasSubstr("PYTORCH_CUDA_ALLOC_CONF is set and has no effect")));
}

TEST_F(ExperimentRunnerTest, aHangIsTimedOutByTheSpecOrTheOption)
{
    script("hang@16");
    const auto document = run(std::string(kThree) + "protocol.timeout_seconds = 0.5\n");
    EXPECT_THAT(outcomes(document), ElementsAre("completed", "timed_out", "completed"));
    EXPECT_EQ(document.trials[1].reason, "worker killed: no result within 0.5 s in phase forward");
    EXPECT_EQ(summary.exitCode(), 3);
    options.timeout = std::chrono::milliseconds(400);
    EXPECT_EQ(run(std::string(kThree) + "protocol.timeout_seconds = 1000\n").trials[1].reason,
        "worker killed: no result within 0.4 s in phase forward");
}

constexpr const char* kContradicting = "name = \"pair\"\nworkload.step = \"forward_backward\"\n"
                                       "techniques.checkpointing = [\"none\", \"all\"]\n";

TEST_F(ExperimentRunnerTest, speedsThatContradictEachOtherAreMeasuredAgainInTheOtherOrder)
{
    script("contradict");
    const auto document = run(kContradicting);
    EXPECT_THAT(logged("request 1"), SizeIs(2));
    EXPECT_THAT(notes.lines[notes.lines.size() - 5], testing::StartsWith("repeat 1 checkpointing all"));
    for (const OrderedJson& trial : toJson(document).at("trials")) {
        EXPECT_EQ(trial.at("flags").dump(), R"(["implausible"])") << "what recurs is flagged";
        EXPECT_THAT(trial.at("speed").at("samples_seconds"), SizeIs(2));
    }
    EXPECT_EQ(summary.exitCode(), 4);
    EXPECT_THAT(summary.flags, SizeIs(2));
    EXPECT_EQ(summary.count(Outcome::Completed), 2) << "a trial measured again is one trial";
}

TEST_F(ExperimentRunnerTest, aContradictionThatDoesNotRecurIsNoFinding)
{
    script("contradict_once");
    const auto document = run(kContradicting);
    EXPECT_THAT(logged("request"), SizeIs(4));
    EXPECT_EQ(toJson(document.trials[0]).at("flags").dump(), "[]");
    EXPECT_EQ(summary.exitCode(), 0);
}

TEST_F(ExperimentRunnerTest, measuringAgainCannotMakeATrialFail)
{
    script("contradict_and_fail");
    const auto document = run(kContradicting);
    EXPECT_THAT(outcomes(document), ElementsAre("completed", "completed"));
    EXPECT_EQ(summary.exitCode(), 0) << "one process is a suspicion";
}

TEST_F(ExperimentRunnerTest, whatWasMeasuredAgainIsKeptForAResume)
{
    script("contradict");
    const auto first = run(kContradicting);
    options.mode = RunMode::Resume;
    EXPECT_EQ(run(kContradicting).trials, first.trials);
    EXPECT_THAT(logged("request"), SizeIs(4));
    EXPECT_EQ(summary.exitCode(), 4);
}

TEST_F(ExperimentRunnerTest, anUnsteadyTrialIsAResultThatCannotBeUsed)
{
    script("unsteady@16");
    const auto document = run(kThree);
    EXPECT_THAT(outcomes(document), ElementsAre("completed", "completed", "completed"));
    EXPECT_EQ(toJson(document.trials[1]).at("flags").dump(), R"(["not_steady"])");
    EXPECT_EQ(document.summary.at("flags").size(), 1U);
    EXPECT_EQ(summary.exitCode(), 4);
}

TEST_F(ExperimentRunnerTest, garbageFailsOnlyItsTrial)
{
    script("garbage@8");
    EXPECT_THAT(outcomes(run(kThree)), ElementsAre("failed", "completed", "completed"));
}

TEST_F(ExperimentRunnerTest, skippedTrialsTakeTheirPlaceInTheOrder)
{
    const auto document = run(std::string(kThree)
        + "techniques.split_ffn = [\"off\", \"tokens:32\"]\nexclude = [{ workload.sequence_length = 32, reason = "
          "\"known\" }]\n");
    EXPECT_THAT(
        outcomes(document), ElementsAre("completed", "skipped", "completed", "completed", "skipped", "skipped"));
    EXPECT_EQ(toJson(document.trials[1]).at("conflicts").size(), 1u);
    EXPECT_EQ(document.trials[4].reason, "known");
    EXPECT_EQ(summary.count(Outcome::Skipped), 3);
    EXPECT_EQ(summary.exitCode(), 0);
    EXPECT_EQ(stored().repeats(stored().trials(1)[4].id)[0].outcome, Outcome::Skipped);
}

TEST_F(ExperimentRunnerTest, anUnknownSimulatedDeviceIsRefusedBeforeAnythingIsWritten)
{
    EXPECT_THROW(run(std::string(kThree) + "device.name = \"sim:abacus\"\n"), UsageError);
    EXPECT_THROW(run(std::string(kThree) + "device.name = \"sim:h200@torch-0.1\"\n"), UsageError);
    EXPECT_FALSE(std::filesystem::exists(workspace()));
}

TEST_F(ExperimentRunnerTest, aWorkerThatIsNotThereIsAFileErrorBeforeAnythingIsWritten)
{
    options.worker = folder();
    EXPECT_THROW(run(kThree), FileError);
    options.worker = folder() / "worker";
    EXPECT_THROW(run(kThree), FileError);
    EXPECT_FALSE(std::filesystem::exists(workspace()));
}

TEST_F(ExperimentRunnerTest, aStopKeepsWhatIsFinishedAndKillsWhatRuns)
{
    script("hang@16");
    std::stop_source stop;
    options.stop = stop.get_token();
    std::jthread later;
    notes.onRepeat = [&](const PlannedTrial& trial, int) {
        if (trial.label.find("16") != std::string::npos)
            later = std::jthread([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(200));
                stop.request_stop();
            });
    };
    const auto document = run(kThree);
    EXPECT_THAT(outcomes(document), ElementsAre("completed", "cancelled"));
    EXPECT_TRUE(summary.interrupted);
    EXPECT_EQ(summary.notRun, 1);
    EXPECT_EQ(summary.exitCode(), 130);
    const auto trials = stored().trials(1);
    EXPECT_THAT(stored().repeats(trials[0].id), SizeIs(1));
    EXPECT_THAT(stored().repeats(trials[1].id), SizeIs(0));
    EXPECT_EQ(trials[1].status, store::TrialStatus::Planned);
}

TEST_F(ExperimentRunnerTest, remarksOfTheWorkerAreKept)
{
    script("diagnose@16");
    run(kThree);
    EXPECT_THAT(notes.remarks, ElementsAre("sequence_length 16 | baseline: 3 events were lost"));
    EXPECT_EQ(stored().experimentDiagnostics(1)[0].message, "3 events were lost");
    script("late_crash@16");
    EXPECT_THAT(outcomes(run(kThree)), ElementsAre("completed", "completed", "completed"));
    EXPECT_EQ(
        notes.remarks.back(), "sequence_length 16 | baseline: worker ended with signal 6 (SIGABRT) after its result");
}

TEST_F(ExperimentRunnerTest, importsTheTraceAndRemovesTheSpool)
{
    script("spool");
    options.tracing = Tracing::On;
    run("");
    const auto repeat = stored().repeats(stored().trials(1)[0].id)[0];
    ASSERT_THAT(stored().phases(repeat.id), SizeIs(1));
    EXPECT_EQ(stored().phases(repeat.id)[0].name, "forward");
    EXPECT_THAT(files(), testing::Each(testing::Not(testing::HasSubstr("spool"))));
}

TEST_F(ExperimentRunnerTest, keepsASpoolThatCannotBeRead)
{
    script("bad_spool");
    options.tracing = Tracing::On;
    EXPECT_THAT(outcomes(run("")), ElementsAre("completed"));
    ASSERT_THAT(notes.remarks, SizeIs(1));
    EXPECT_TRUE(notes.remarks[0].starts_with("trace kept as ")) << notes.remarks[0];
    EXPECT_TRUE(std::filesystem::exists(workspace().string() + ".1-1-0.kept.spool"));
}

TEST_F(ExperimentRunnerTest, whatLooksLikeASecretIsNotKept)
{
    options.commandLine = "HF_TOKEN=abc headroom run x.toml --hf-token=abc --api-key abc";
    notes.onRepeat = [&](const PlannedTrial&, int) {
        EXPECT_THAT(contentOf(workspace().string() + ".1.run"), testing::Not(testing::HasSubstr("abc")));
    };
    run("");
    EXPECT_EQ(stored().findExperiment(1)->commandLine,
        "HF_TOKEN=HIDDEN headroom run x.toml --hf-token=HIDDEN --api-key HIDDEN");
}

TEST_F(ExperimentRunnerTest, tellsTheWorkerNoSpoolWithoutTracing)
{
    script("spool"); // would fail without a path
    EXPECT_THAT(outcomes(run("")), ElementsAre("completed"));
}

TEST_F(ExperimentRunnerTest, aThousandSimulatedTrialsNeedNoMoreWorkersThanJobs)
{
    options.jobs = 2;
    std::string seeds;
    for (int i = 0; i < 1000; ++i)
        seeds += std::to_string(i) + ",";
    run("device.name = \"sim:t4\"\nworkload.seed = [" + seeds + "]\nprotocol.steps = 1\n");
    EXPECT_EQ(summary.count(Outcome::Completed), 1000);
    EXPECT_LE(logged("start").size(), 2U);
}

} // namespace
} // namespace headroom::experiments
