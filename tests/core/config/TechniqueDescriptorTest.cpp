// SPDX-License-Identifier: Apache-2.0
#include "core/config/TechniqueDescriptor.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "core/config/techniques/CheckpointNotation.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace headroom::config {
namespace {

TEST(ParseCountTest, readsPositiveDecimalNumbersOnly)
{
    EXPECT_EQ(parseCount("1"), 1);
    EXPECT_EQ(parseCount("9223372036854775807"), 9223372036854775807);
    for (const char* text : {"", "0", "-1", "+1", "1.0", "1e3", " 1", "1 ", "0x4", "four", "9223372036854775808"})
        EXPECT_EQ(parseCount(text), std::nullopt) << text;
}

TEST(TechniqueDescriptorTest, theFormsOfTheNotationAreListed)
{
    TechniqueDescriptor technique;
    technique.forms = {{"off", "not used"}, {"every:N", "each Nth block"}};
    EXPECT_EQ(technique.validForms(), "off, every:N");
}

TEST(TechniqueDescriptorTest, everyCandidateIsCanonicalAndWorksWithItsModel)
{
    for (const std::string& model : modelNames())
        for (const StepKind step : {StepKind::Inference, StepKind::Train}) {
            Configuration configuration = defaultConfiguration(model, "test");
            configuration.workload.step = step;
            const ModelFamily& family = *findModel(model, "test").family;
            for (const TechniqueDescriptor& technique : techniqueCatalogue())
                for (const Candidate& candidate : technique.candidates(
                         {family, configuration.modelFields, configuration.workload, configuration.techniques})) {
                    EXPECT_GE(candidate.effort, 1);
                    std::vector<std::string> notations = candidate.milder;
                    notations.push_back(candidate.notation);
                    for (const std::string& notation : notations) {
                        EXPECT_EQ(technique.normalise(notation, "test"), notation);
                        Configuration changed = configuration;
                        changed.techniques[technique.key] = makeSetting(technique, notation, {}, "test");
                        EXPECT_TRUE(conflicts(changed).empty()) << model << ' ' << technique.key << ' ' << notation;
                    }
                }
        }
}

// What is tried in a training step and in no other is given by who trains.
TEST(TechniqueDescriptorTest, noLeverThatIsOffAsksForTraining)
{
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        if (technique.role == TechniqueRole::Lever && technique.asksForTraining) {
            EXPECT_FALSE(technique.asksForTraining(technique.off)) << technique.key;
        }
    for (const char* key : {"casting", "offload", "split_ffn", "attention", "input_transfer"})
        EXPECT_FALSE(findTechnique(key, "test").asksForTraining) << key << " is of use in inference too";
}

TEST(TechniqueDescriptorTest, switchingOnBeginsWithWhatMostPeopleTake)
{
    const std::map<std::string, std::string> first{
        {"trainable", "lora:16"}, {"optimizer", "adamw"}, {"split_ffn", "2"}, {"checkpointing", "all"}};
    for (const auto& [key, notation] : first)
        EXPECT_EQ(findTechnique(key, "test").firstNotation, notation);
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        if (!technique.firstNotation.empty()) {
            const std::string canonical = technique.normalise(technique.firstNotation, "test");
            EXPECT_TRUE(canonical == technique.firstNotation || canonical.starts_with(technique.firstNotation + ":"))
                << canonical << ": the form of an optimizer may be the device's";
            EXPECT_NE(canonical, technique.off);
        }
}

TEST(TechniqueDescriptorTest, aTrainingStepIsOfferedWhatSavesMemoryThere)
{
    Configuration configuration = defaultConfiguration("ltx-video-2b", "test");
    configuration.workload.step = StepKind::Train;
    const ModelContext context{*findModel("ltx-video-2b", "test").family, configuration.modelFields,
        configuration.workload, configuration.techniques};
    EXPECT_EQ(findTechnique("checkpointing", "test").candidateNotations(context),
        (std::vector<std::string>{"all", "ops", "all+offload"}));
    EXPECT_EQ(findTechnique("split_ffn", "test").candidateNotations(context),
        (std::vector<std::string>{"2:recompute", "4:recompute", "8:recompute"}));
}

TEST(TechniqueDescriptorTest, theWordThatIsSimplestComesFirstAndHostMemoryCostsEffort)
{
    Configuration configuration = defaultConfiguration("ltx-video-2b", "test");
    configuration.workload.step = StepKind::Train;
    const ModelContext context{*findModel("ltx-video-2b", "test").family, configuration.modelFields,
        configuration.workload, configuration.techniques};
    const std::vector<Candidate> candidates = findTechnique("checkpointing", "test").candidates(context);
    EXPECT_EQ(candidates.front().notation, "all");
    EXPECT_LT(candidates.front().effort, candidates.back().effort); // all+offload
}

TEST(TechniqueDescriptorTest, milderCheckpointingLeavesMoreAndMoreBlocksAlone)
{
    Configuration configuration = defaultConfiguration("ltx-video-13b", "test");
    configuration.workload.step = StepKind::Train;
    const ModelFamily& family = *findModel("ltx-video-13b", "test").family;
    const ModelContext context{family, configuration.modelFields, configuration.workload, configuration.techniques};
    const Candidate all = findTechnique("checkpointing", "test").candidates(context).front();
    std::int64_t before = 0;
    for (const std::string& notation : all.milder) {
        const auto blocks = checkpointedBlocks(parseCheckpointing(notation, "test"), family.blocks(context.fields));
        const std::int64_t left = std::ranges::count(blocks, false);
        EXPECT_GT(left, before) << notation;
        EXPECT_LT(left, std::ssize(blocks)) << notation;
        before = left;
    }
    EXPECT_THAT(all.milder, testing::IsSupersetOf({"strategy:all_but_last", "except:24", "except:4", "every:3"}));
    EXPECT_EQ(all.milder.front(), "strategy:all_but_last");
}

} // namespace
} // namespace headroom::config
