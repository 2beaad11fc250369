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

TEST(TechniqueDescriptorTest, switchingOnBeginsWithWhatMostPeopleTake)
{
    const std::map<std::string, std::string> first{
        {"trainable", "lora:16"}, {"optimizer", "adamw"}, {"split_ffn", "2"}, {"checkpointing", "all"}};
    for (const auto& [key, notation] : first)
        EXPECT_EQ(findTechnique(key, "test").firstNotation, notation);
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        if (!technique.firstNotation.empty()) {
            EXPECT_EQ(technique.normalise(technique.firstNotation, "test"), technique.firstNotation);
            EXPECT_NE(technique.firstNotation, technique.off);
        }
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
