// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/RunWords.h"

#include "core/config/catalogue/Catalogue.h"
#include "experiments/spec/PresetCatalogue.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"
#include "tests/support/Checkout.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace headroom::experiments::run_words_test {
namespace {

// What the command line does with the words, with the same parts.
PlannedTrial planned(const std::vector<std::string>& words)
{
    SpecOverrides overrides;
    EXPECT_EQ(words.at(0), "headroom");
    EXPECT_EQ(words.at(1), "run");
    for (std::size_t i = 2; i + 1 < words.size(); i += 2) {
        std::string key = words[i].substr(2);
        std::replace(key.begin(), key.end(), '-', '_');
        if (key == "model")
            overrides.setModels(words[i + 1]);
        else if (key == "device")
            overrides.setDevices(words[i + 1]);
        else if (key == "set")
            overrides.assign(words[i + 1]);
        else if (std::ranges::none_of(config::techniqueCatalogue(), [&](const auto& one) { return one.key == key; }))
            overrides.assign("workload." + key + "=" + words[i + 1]);
        else
            overrides.setTechnique(key, words[i + 1]);
    }
    const std::vector<PlannedTrial> trials = expand(loadOverrides(overrides));
    EXPECT_EQ(trials.size(), 1U);
    return trials.front();
}

TEST(RunWordsTest, runTheSameTrialOfEveryPreset)
{
    std::size_t trials = 0;
    for (const Preset& preset : listPresets(shippedResources()))
        for (const PlannedTrial& trial : expand(loadPreset(preset.name, shippedResources(), {}))) {
            if (!trial.isRunnable())
                continue;
            ++trials;
            EXPECT_EQ(planned(runWords(trial.trial)).trialId, trial.trialId) << preset.name << ": " << trial.label;
        }
    EXPECT_GT(trials, 100U);
}

TEST(RunWordsTest, runTrialsWithAwkwardValues)
{
    const ExperimentSpec spec = loadSpecText(R"(
[model]
name = "llama-tiny"
[workload]
step = "train"
dtype = "bfloat16"
batch = 3
clip_grad_norm = 1.5
[techniques.trainable]
notation = "lora:4"
target_modules = ["q_proj", "v_proj"]
[techniques.casting]
notation = "e4m3"
skip_modules_classes = ["Embedding"]
skip_modules_pattern = ["norm, and more", "^a\\.b$"]
[techniques.checkpointing]
notation = "ops"
save_ops = ["mm"]
[device]
name = "sim:t4@torch-2.5"
memory_limit_bytes = 1234567
segment_addresses = "ascending"
allocator = "max_split_size_mb:128,roundup_power2_divisions:[256:1,512:2,>:8]"
[protocol]
repeats = 3
steady_within = 0.125
)",
        "spec", {});
    const PlannedTrial trial = expand(spec).front();
    ASSERT_EQ(trial.skipReason(), "");
    const PlannedTrial again = planned(runWords(trial.trial));
    EXPECT_EQ(again.trialId, trial.trialId);
    EXPECT_EQ(again.trial, trial.trial);
}

TEST(RunWordsTest, sayALossThatIsNotTheModelsOwn)
{
    const auto words = [](const char* loss) {
        const PlannedTrial trial = expand(loadSpecText(std::string("model.name = \"llama-tiny\"\n[workload]\n"
                                                                   "step = \"train\"\nloss = \"")
                                                  + loss + "\"",
                                              "spec", {}))
                                       .front();
        EXPECT_EQ(planned(runWords(trial.trial)).trialId, trial.trialId) << loss;
        return runWords(trial.trial);
    };
    EXPECT_THAT(words("mean"), testing::Contains("workload.loss=mean"));
    EXPECT_THAT(words("cross_entropy"), testing::Not(testing::Contains("workload.loss=cross_entropy")));
}

TEST(RunWordsTest, sayStepAndNumberFormatAlwaysAndOtherDefaultsNever)
{
    SpecOverrides overrides;
    overrides.setModels("ffn-stack-tiny");
    const PlannedTrial trial = expand(loadOverrides(overrides)).front();
    EXPECT_THAT(runWords(trial.trial),
        testing::ElementsAre("headroom", "run", "--model", "ffn-stack-tiny", "--step", "inference", "--dtype",
            "float32", "--device", "cpu"));
}

} // namespace
} // namespace headroom::experiments::run_words_test
