// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/TechniqueRelief.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"

#include <gtest/gtest.h>

namespace headroom::config {
namespace {

std::vector<std::string> reliefs(MemoryCategory category, StepKind step)
{
    Configuration configuration = defaultConfiguration("ffn-stack-tiny", "model");
    configuration.workload.step = step;
    const ModelDescriptor model = findModel("ffn-stack-tiny", "model");
    std::vector<std::string> names;
    for (const Relief& relief : reliefsOf(
             category, {*model.family, configuration.modelFields, configuration.workload, configuration.techniques}))
        names.push_back(relief.technique);
    return names;
}

TEST(TechniqueReliefTest, namesWhatWorksWithTheModelAndTheStep)
{
    EXPECT_EQ(reliefs(MemoryCategory::SavedActivations, StepKind::ForwardBackward),
        (std::vector<std::string>{"split_ffn", "checkpointing"}));
    EXPECT_EQ(reliefs(MemoryCategory::Temporaries, StepKind::Inference), (std::vector<std::string>{"split_ffn"}));
    EXPECT_TRUE(reliefs(MemoryCategory::SavedActivations, StepKind::Inference).size() <= 1);
    EXPECT_EQ(reliefs(MemoryCategory::Weights, StepKind::Inference), (std::vector<std::string>{"casting", "offload"}));
    EXPECT_EQ(reliefs(MemoryCategory::Weights, StepKind::Train), (std::vector<std::string>{"offload"}));
    EXPECT_TRUE(reliefs(MemoryCategory::Workspaces, StepKind::Train).empty());
}

} // namespace
} // namespace headroom::config
