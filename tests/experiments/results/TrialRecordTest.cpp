// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/Catalogue.h"
#include "experiments/results/MergedRepeats.h"
#include "experiments/results/ResultsDocument.h"
#include "experiments/results/TrialRecordJson.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/verdict/DeviceFit.h"

#include <gmock/gmock.h>

namespace headroom::experiments::trial_record_test {
namespace {

using protocol::RepeatResult;
using testing::ElementsAre;

PlannedTrial planned(const std::string& toml)
{
    return expand(loadSpecText("model.name = \"ffn-stack-tiny\"\n" + toml, "spec.toml", {})).front();
}

OrderedJson trialRecord(const std::string& experiment, const PlannedTrial& trial,
    const std::vector<RepeatResult>& repeats, const FitsJudge& fits = {})
{
    return toJson(trialResult(experiment, trial, repeats, fits));
}

std::vector<std::string> keys(const OrderedJson& object)
{
    std::vector<std::string> found;
    for (const auto& [key, value] : object.items())
        found.push_back(key);
    return found;
}

RepeatResult completed(std::vector<double> seconds = {0.5, 0.25, 0.75})
{
    RepeatResult result;
    result.outcome = Outcome::Completed;
    result.parameters = 123;
    result.weightBytes = 492;
    result.memory.peak = {.allocated = 100,
        .reserved = 200,
        .requested = 90,
        .device = {},
        .hostRss = 7,
        .hostPinned = {},
        .hostPageable = {},
        .reservedOtherAddresses = 202};
    result.memory.phasePeaks["forward"].allocated = 100;
    result.memory.harness = {{"baseline output", 10}, {"reference", 5}};
    result.memory.allocRetries = 0;
    result.stepSeconds = std::move(seconds);
    result.firstStepSeconds = 2.0;
    result.engagement["split_ffn"] = {{"layers_split", 2}, {"slices_run", 8}};
    result.effective["split_ffn"] = "2 layers in 4 slices";
    return result;
}

const std::vector<std::string> kFigures{"allocated_bytes", "reserved_bytes", "requested_bytes", "device_bytes",
    "host_rss_bytes", "host_pinned_bytes", "host_pageable_bytes", "reserved_other_addresses_bytes"};

// The contract's order, key by key; for a finished and for a skipped trial.
class RecordKeysTest : public testing::TestWithParam<bool> {
protected:
    OrderedJson m_record = trialRecord("e", planned("techniques.split_ffn = \"4\""),
        GetParam() ? std::vector<RepeatResult>{completed()} : std::vector<RepeatResult>{});
};

TEST_P(RecordKeysTest, areThoseOfTheContractInItsOrder)
{
    EXPECT_THAT(keys(m_record),
        ElementsAre("schema", "trial_id", "config_id", "experiment", "label", "device", "device.allocator", "runtime",
            "predicted", "model", "workload", "techniques", "options", "effective", "conflicts", "outcome", "flags",
            "flag_reasons", "reason", "oom", "memory", "breakdown", "speed", "numerics", "engagement", "error_bound"));
    EXPECT_THAT(keys(m_record["model"]),
        ElementsAre("name", "overrides", "parameters", "weight_bytes", "flops_per_step", "imported"));
    EXPECT_TRUE(m_record["model"]["imported"].is_null()) << "a model of the catalogue";
    EXPECT_THAT(keys(m_record["workload"]),
        ElementsAre("step", "dtype", "batch", "sequence_length", "loss", "gradients", "output", "output_dtype",
            "accumulate", "clip_grad_norm", "autocast", "seed"));
    EXPECT_THAT(keys(m_record["memory"]),
        ElementsAre("source", "after_load", "first_step_peak", "peak", "whole_run_peak", "resting", "resting_cleared",
            "phase_peaks", "harness_bytes", "harness", "saved_for_backward_bytes", "alloc_retries", "limit_bytes",
            "segment_addresses", "fits", "needed_bytes", "missing_bytes", "not_counted"));
    for (const char* figures :
        {"after_load", "first_step_peak", "peak", "whole_run_peak", "resting", "resting_cleared"})
        EXPECT_EQ(keys(m_record["memory"][figures]), kFigures);
    EXPECT_THAT(keys(m_record["speed"]),
        ElementsAre("source", "steps_per_second", "samples_per_second", "tokens_per_second", "step_seconds_median",
            "step_seconds_mad", "ci95", "samples_seconds", "first_step_seconds", "warmup_seconds", "steady"));
    for (const char* object : {"techniques", "options", "effective"})
        EXPECT_EQ(keys(m_record[object]), config::techniqueKeys());
}

INSTANTIATE_TEST_SUITE_P(FinishedAndSkipped, RecordKeysTest, testing::Bool());

TEST(TrialRecordTest, namesTheSettingsOfTheAllocator)
{
    EXPECT_TRUE(trialRecord("e", planned("device.name = \"sim:t4\""), {})["device.allocator"].is_null());
    const OrderedJson record = trialRecord("e",
        planned("device.name = \"sim:t4\"\ndevice.allocator = \"expandable_segments:True, max_split_size_mb:64\""), {});
    EXPECT_EQ(record["device.allocator"], "expandable_segments:True,max_split_size_mb:64");
    EXPECT_EQ(record["device"], "sim:t4");
}

TEST(TrialRecordTest, aRecordOfBeforeThereWereAllocatorSettingsIsRead)
{
    OrderedJson record = trialRecord("e", planned(""), {completed()});
    record.erase("device.allocator");
    EXPECT_EQ(trialResultFromJson(record).allocator, "");
}

TEST(TrialRecordTest, saysWhatTheDeviceMustHave)
{
    RepeatResult fits = completed();
    fits.memory.peak.device = 250;
    fits.memory.limit = 1000;
    const OrderedJson memory = trialRecord("e", planned("device.name = \"sim:t4\""), {fits})["memory"];
    EXPECT_EQ(memory["needed_bytes"], 250);
    EXPECT_EQ(memory["missing_bytes"], 0);
    RepeatResult tooLarge;
    tooLarge.outcome = Outcome::OutOfMemory;
    tooLarge.outOfMemory = protocol::OutOfMemoryFacts{"forward", 10, 5};
    tooLarge.memory.limit = 1000;
    tooLarge.need = protocol::UnlimitedNeed{{.allocated = 1300, .reserved = 1500, .device = 1550}, {}};
    const OrderedJson record = trialRecord("e", planned("device.name = \"sim:t4\""), {tooLarge});
    EXPECT_EQ(record["memory"]["needed_bytes"], 1550);
    EXPECT_EQ(record["memory"]["missing_bytes"], 500);
    EXPECT_EQ(record["oom"]["missing_bytes"], 5) << "of the one request, as ever";
    EXPECT_TRUE(record["memory"]["peak"]["reserved_bytes"].is_null()) << "it has not come to its steps";
}

TEST(TrialRecordTest, theProcessorHasNoNeedOfADevice)
{
    RepeatResult repeat = completed();
    repeat.memory.peak.reserved.reset();
    const OrderedJson memory = trialRecord("e", planned(""), {repeat})["memory"];
    EXPECT_TRUE(memory["needed_bytes"].is_null());
    EXPECT_TRUE(memory["missing_bytes"].is_null());
}

TEST(TrialRecordTest, saysWhatWasRun)
{
    const PlannedTrial trial =
        planned("model.num_layers = 3\nworkload.step = \"train\"\nworkload.accumulate = 2\n[techniques.split_ffn]\n"
                "notation = \"4\"\naccumulate = \"out_of_place\"");
    const OrderedJson record = trialRecord("published", trial, {completed()});
    EXPECT_EQ(record["schema"], "headroom.trial/1");
    EXPECT_EQ(record["experiment"], "published");
    EXPECT_EQ(record["trial_id"], trial.trialId);
    EXPECT_EQ(record["config_id"], trial.configId);
    EXPECT_EQ(record["device"], "cpu");
    EXPECT_TRUE(record["runtime"].is_null());
    EXPECT_EQ(record["predicted"], false);
    EXPECT_EQ(record["model"]["overrides"].dump(), R"({"num_layers":3})");
    EXPECT_EQ(record["model"]["parameters"], 123);
    EXPECT_EQ(record["model"]["weight_bytes"], 492);
    // Two micro-steps; per layer 2*16 tokens*(16*128 + 64*16) forward, twice that backward but for the input's
    // gradient.
    const double forward = 3 * 32.0 * (16 * 128 + 64 * 16);
    EXPECT_EQ(record["model"]["flops_per_step"], 2 * (3 * forward - 32.0 * 16 * 128));
    EXPECT_EQ(record["workload"]["step"], "train");
    EXPECT_EQ(record["techniques"]["split_ffn"], "4");
    EXPECT_EQ(record["options"]["split_ffn"]["accumulate"], "out_of_place");
    EXPECT_EQ(record["effective"]["split_ffn"], "2 layers in 4 slices");
    EXPECT_EQ(record["engagement"].dump(), R"({"split_ffn":{"layers_split":2,"slices_run":8}})");
    EXPECT_EQ(record["outcome"], "completed");
    EXPECT_TRUE(record["reason"].is_null());
    EXPECT_TRUE(record["oom"].is_null());
    EXPECT_EQ(record["flags"].dump(), "[]");
}

TEST(TrialRecordTest, simulatedTrialsArePredictionsOfARuntime)
{
    const OrderedJson record = trialRecord("e", planned("device.name = \"sim:h200@torch-2.5\""), {});
    EXPECT_EQ(record["device"], "sim:h200");
    EXPECT_EQ(record["runtime"], "torch-2.5");
    EXPECT_EQ(record["predicted"], true);
}

TEST(TrialRecordTest, optionsOfWhatIsOffAreNull)
{
    EXPECT_TRUE(trialRecord("e", planned(""), {})["options"]["split_ffn"]["accumulate"].is_null());
}

TEST(TrialRecordTest, speedIsThatOfTheMedianStep)
{
    const OrderedJson speed = trialRecord("e", planned("workload.batch = 3"), {completed()})["speed"];
    EXPECT_EQ(speed["step_seconds_median"], 0.5);
    EXPECT_EQ(speed["step_seconds_mad"], 0.25);
    EXPECT_EQ(speed["steps_per_second"], 2.0);
    EXPECT_EQ(speed["samples_per_second"], 6.0);
    EXPECT_EQ(speed["tokens_per_second"], 48.0);
    EXPECT_EQ(speed["ci95"].dump(), "[0.25,0.75]");
    EXPECT_EQ(speed["samples_seconds"].dump(), "[[0.5,0.25,0.75]]");
    EXPECT_EQ(speed["first_step_seconds"], 2.0);
}

TEST(TrialRecordTest, aTrainingStepWorksThroughTheBatchOncePerMicroStep)
{
    const auto speed = [](const char* step) {
        return trialRecord("e", planned(std::string("workload = { accumulate = 4, step = \"") + step + "\" }"),
            {completed()})["speed"]["samples_per_second"];
    };
    EXPECT_EQ(speed("train"), 16.0);
    EXPECT_EQ(speed("inference"), 4.0);
}

TEST(TrialRecordTest, speedIsNullWhereNothingWasTimed)
{
    const OrderedJson speed = trialRecord("e", planned(""), {completed({})})["speed"];
    for (const char* key : {"steps_per_second", "samples_per_second", "tokens_per_second", "step_seconds_median",
             "step_seconds_mad", "ci95", "samples_seconds"})
        EXPECT_TRUE(speed[key].is_null()) << key;
    EXPECT_TRUE(trialRecord("e", planned(""), {completed({1, 2})})["speed"]["ci95"].is_null());
}

TEST(TrialRecordTest, memoryIsTheLargestOfTheCompletedRepeats)
{
    RepeatResult smaller = completed();
    smaller.memory.peak.allocated = 60;
    smaller.memory.peak.hostRss = 9;
    smaller.memory.harness = {};
    RepeatResult failed = completed();
    failed.outcome = Outcome::Failed;
    failed.memory.peak.allocated = 999;
    const OrderedJson memory = trialRecord("e", planned(""), {smaller, completed(), failed})["memory"];
    EXPECT_EQ(memory["peak"].dump(),
        R"({"allocated_bytes":100,"reserved_bytes":200,"requested_bytes":90,"device_bytes":null,"host_rss_bytes":9,)"
        R"("host_pinned_bytes":null,"host_pageable_bytes":null,"reserved_other_addresses_bytes":202})");
    EXPECT_EQ(memory["harness_bytes"], 15);
    EXPECT_EQ(memory["harness"].dump(), R"([{"name":"baseline output","bytes":10},{"name":"reference","bytes":5}])");
    EXPECT_EQ(keys(memory["phase_peaks"]["forward"]), kFigures);
    EXPECT_EQ(memory["alloc_retries"], 0);
}

TEST(TrialRecordTest, unknownIsNullAndNeverZero)
{
    RepeatResult failed;
    failed.reason = "crash";
    const OrderedJson record = trialRecord("e", planned(""), {failed});
    EXPECT_EQ(record["outcome"], "failed");
    EXPECT_EQ(record["reason"], "crash");
    EXPECT_TRUE(record["memory"]["peak"]["allocated_bytes"].is_null());
    EXPECT_TRUE(record["memory"]["harness_bytes"].is_null());
    EXPECT_TRUE(record["memory"]["fits"].is_null());
    EXPECT_TRUE(record["model"]["weight_bytes"].is_null());
    EXPECT_TRUE(record["effective"]["split_ffn"].is_null());
    EXPECT_TRUE(record["numerics"].is_null());
    EXPECT_GT(record["model"]["parameters"], 0); // the closed form
}

TEST(TrialRecordTest, theWorstOutcomeCounts)
{
    const auto over = [](std::vector<Outcome> outcomes) {
        std::vector<RepeatResult> repeats;
        for (const Outcome outcome : outcomes) {
            repeats.push_back(completed());
            repeats.back().outcome = outcome;
        }
        return outcomeOver(repeats);
    };
    EXPECT_EQ(over({Outcome::Completed, Outcome::OutOfMemory}), Outcome::OutOfMemory);
    EXPECT_EQ(over({Outcome::OutOfMemory, Outcome::Failed, Outcome::Completed}), Outcome::Failed);
    EXPECT_EQ(over({Outcome::TimedOut, Outcome::Completed}), Outcome::TimedOut);
    EXPECT_EQ(over({}), Outcome::Skipped);
}

TEST(TrialRecordTest, flagsPressureAndNoEffect)
{
    RepeatResult result = completed();
    result.memory.allocRetries = 2;
    result.engagement["split_ffn"] = {{"layers_split", 0}, {"slices_run", 0}};
    EXPECT_EQ(trialRecord("e", planned("techniques.split_ffn = 4"), {result})["flags"].dump(),
        R"(["pressured","no_effect"])");
    EXPECT_EQ(trialRecord("e", planned(""), {result})["flags"].dump(), R"(["pressured"])");
}

TEST(TrialRecordTest, aFlushInVainIsNoPressure)
{
    RepeatResult result = completed();
    result.outcome = Outcome::OutOfMemory;
    result.memory.allocRetries = 1;
    EXPECT_EQ(trialRecord("e", planned(""), {result})["flags"].dump(), "[]");
}

TEST(TrialRecordTest, aPeakNearTheLimitIsPressure)
{
    RepeatResult result = completed();
    result.memory.peak.reserved = 960;
    result.memory.limit = 1000;
    const OrderedJson record = trialRecord("e", planned(""), {result});
    EXPECT_EQ(record["flags"].dump(), R"(["pressured"])");
    EXPECT_EQ(record["flag_reasons"].dump(), R"(["pressured: the peak is within 5 % of the limit"])");
    result.memory.peak.reserved = 950;
    EXPECT_EQ(trialRecord("e", planned(""), {result})["flags"].dump(), "[]");
}

TEST(TrialRecordTest, oneUnsteadyRepeatMakesTheTrialUnsteady)
{
    RepeatResult steady = completed();
    steady.isSteady = true;
    steady.warmupSeconds = {2, 1};
    RepeatResult drifting = completed();
    drifting.isSteady = false;
    drifting.objections = {"memory was still growing"};
    const OrderedJson record = trialRecord("e", planned(""), {steady, drifting});
    EXPECT_EQ(record["flags"].dump(), R"(["not_steady"])");
    EXPECT_EQ(record["flag_reasons"].dump(), R"(["not_steady: repeat 1: memory was still growing"])");
    EXPECT_EQ(record["speed"]["steady"], false);
    EXPECT_EQ(record["speed"]["warmup_seconds"].dump(), "[[2.0,1.0]]");
    EXPECT_EQ(trialRecord("e", planned(""), {steady, steady})["speed"]["steady"], true);
    EXPECT_TRUE(trialRecord("e", planned(""), {steady, completed()})["speed"]["steady"].is_null());
}

TEST(TrialRecordTest, numericsNameTheBaselineTrial)
{
    RepeatResult result = completed();
    result.numerics.emplace().outputMaxAbs = 0.125;
    const OrderedJson numerics = trialRecord("e", planned("techniques.split_ffn = 4"), {result})["numerics"];
    EXPECT_THAT(keys(numerics),
        ElementsAre("baseline_trial_id", "output_max_abs", "output_mean_abs", "output_rel_l2", "loss", "loss_abs_diff",
            "grad_norm", "grad_norm_rel_diff"));
    EXPECT_EQ(numerics["baseline_trial_id"], planned("").trialId);
    EXPECT_EQ(numerics["output_max_abs"], 0.125);
}

TEST(TrialRecordTest, fitsComparesWithTheLimitAndTheDevice)
{
    DeviceFit judge(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources");
    const auto fits = [&](const std::string& toml, Bytes reserved, std::optional<Bytes> otherAddresses = {}) {
        RepeatResult result = completed();
        result.memory.peak.reserved = reserved;
        result.memory.peak.reservedOtherAddresses = otherAddresses;
        return trialRecord("e", planned(toml), {result},
            [&](const auto& trial, const auto& memory) { return judge.fits(trial, memory); })["memory"]["fits"];
    };
    EXPECT_TRUE(fits("", 100).is_null());
    EXPECT_EQ(fits("device.memory_limit_bytes = 100", 100), true);
    EXPECT_EQ(fits("device.memory_limit_bytes = 100", 101), false);
    EXPECT_EQ(fits("device.name = \"sim:t4\"", 10 * kGiB), true);
    EXPECT_EQ(fits("device.name = \"sim:t4\"", 16 * kGiB), false);
    EXPECT_EQ(fits("device = { name = \"sim:t4\", memory_limit_bytes = 100 }", kGiB), false);
    EXPECT_TRUE(fits("device.name = \"sim:cpu\"", 100).is_null());
    // The order of segment addresses is the driver's choice: what fits has to fit in both.
    EXPECT_EQ(fits("device.name = \"sim:t4\"", 10 * kGiB, 11 * kGiB), true);
    EXPECT_EQ(fits("device.name = \"sim:t4\"", 10 * kGiB, 15 * kGiB), false);
    EXPECT_EQ(fits("device = { name = \"sim:t4\", memory_limit_bytes = 100 }", 100, 101), false);
}

TEST(ResultsDocumentTest, hasTheContractsKeysInItsOrder)
{
    const OrderedJson json = toJson(ResultsDocument{.experiment = "e", .trials = {}});
    EXPECT_THAT(keys(json), ElementsAre("schema", "experiment", "environment", "trials", "not_run", "summary"));
    EXPECT_EQ(json["schema"], "headroom.results/1");
    EXPECT_TRUE(json["trials"].is_array());
}

} // namespace
} // namespace headroom::experiments::trial_record_test
