// SPDX-License-Identifier: Apache-2.0
#include "core/config/TechniqueDescriptor.h"

#include "core/config/Catalogue.h"
#include "core/config/Configuration.h"

#include <gtest/gtest.h>

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
                for (const std::string& notation : technique.candidates(
                         {family, configuration.modelFields, configuration.workload, configuration.techniques})) {
                    EXPECT_EQ(technique.normalise(notation, "test"), notation);
                    Configuration changed = configuration;
                    changed.techniques[technique.key] = makeSetting(technique, notation, {}, "test");
                    EXPECT_TRUE(conflicts(changed).empty()) << model << ' ' << technique.key << ' ' << notation;
                }
        }
}

// What is tried in a training step and in no other is given by who trains.
TEST(TechniqueDescriptorTest, noLeverThatIsOffAsksForTraining)
{
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        if (technique.role == TechniqueRole::Lever && technique.asksForTraining)
            EXPECT_FALSE(technique.asksForTraining(technique.off)) << technique.key;
    for (const char* key : {"casting", "offload", "split_ffn", "attention", "input_transfer"})
        EXPECT_FALSE(findTechnique(key, "test").asksForTraining) << key << " is of use in inference too";
}

TEST(TechniqueDescriptorTest, aTrainingStepIsOfferedWhatSavesMemoryThere)
{
    Configuration configuration = defaultConfiguration("ltx-video-2b", "test");
    configuration.workload.step = StepKind::Train;
    const ModelContext context{*findModel("ltx-video-2b", "test").family, configuration.modelFields,
        configuration.workload, configuration.techniques};
    EXPECT_EQ(findTechnique("checkpointing", "test").candidates(context),
        (std::vector<std::string>{"ops", "every:4", "every:2", "except:4", "all", "all+offload"}));
    EXPECT_EQ(findTechnique("split_ffn", "test").candidates(context),
        (std::vector<std::string>{"2:recompute", "4:recompute", "8:recompute"}));
}

} // namespace
} // namespace headroom::config
