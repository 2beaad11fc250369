// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/offload/OffloadedWeight.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "core/models/families/ModelZoo.h"

#include <gtest/gtest.h>

#include <set>

namespace headroom::techniques::offload_plan_test {
namespace {

std::shared_ptr<models::Model> modelOf(const std::string& name)
{
    return models::buildModel(config::defaultConfiguration(name, ""), at::TensorOptions().device(at::kMeta));
}

std::vector<OffloadGroupPlan> groupsOf(models::Model& model, const std::string& notation)
{
    return offloadGroups(model, config::parseOffload(notation, ""));
}

// Upstream's LTX-Video 0.9: 28 blocks and one group of all the rest; 287 Linears, 112 norms of queries and keys, 29
// tables.
TEST(OffloadPlanTest, ltxVideoHasUpstreamsGroups)
{
    const auto model = modelOf("ltx-video-2b");
    EXPECT_EQ(groupsOf(*model, "off").size(), 0U);
    EXPECT_EQ(groupsOf(*model, "block:1").size(), 29U);
    EXPECT_EQ(groupsOf(*model, "block:4").size(), 8U);
    EXPECT_EQ(groupsOf(*model, "block:5").size(), 7U);
    EXPECT_EQ(groupsOf(*model, "block:28").size(), 2U);
    EXPECT_EQ(groupsOf(*model, "model").size(), 1U);
    const auto leaves = groupsOf(*model, "leaf");
    EXPECT_EQ(leaves.size(), 428U);
    std::map<std::string, int> kinds;
    for (const OffloadGroupPlan& group : leaves)
        ++kinds[group.members.front()->name()];
    EXPECT_EQ(kinds["headroom::models::Linear"], 287);
    EXPECT_EQ(kinds["headroom::models::RmsNorm"], 112);
    EXPECT_EQ(kinds["headroom::models::LtxVideoBlock"] + kinds["headroom::models::LtxVideo"], 29);
}

TEST(OffloadPlanTest, everyParameterIsInOneGroup)
{
    for (const char* name : {"ltx-video-tiny", "ffn-stack-tiny"})
        for (const char* notation : {"block:1", "block:2", "leaf", "model"}) {
            const auto model = modelOf(name);
            std::multiset<const c10::TensorImpl*> grouped, all;
            for (const OffloadGroupPlan& group : groupsOf(*model, notation))
                for (const OwnedParameter& item : group.parameters)
                    grouped.insert(item.parameter.unsafeGetTensorImpl());
            for (const at::Tensor& parameter : model->parameters())
                all.insert(parameter.unsafeGetTensorImpl());
            EXPECT_EQ(grouped, all) << name << " " << notation;
        }
}

TEST(OffloadPlanTest, whatIsInNoBlockIsTheRoots)
{
    const auto model = modelOf("ltx-video-tiny");
    const auto groups = groupsOf(*model, "block:1");
    EXPECT_EQ(groups.back().members, std::vector<const torch::nn::Module*>{model.get()});
    EXPECT_EQ(groups.back().parameters.size(), 15U) << "upstream's list of loose parameters of the top";
    const auto stack = modelOf("ffn-stack-tiny");
    for (const OffloadGroupPlan& group : groupsOf(*stack, "block:1"))
        EXPECT_NE(group.members.front(), stack.get()) << "a stack has nothing beside its blocks";
}

TEST(OffloadPlanTest, aLayersAdapterIsInItsGroup)
{
    const auto model = modelOf("ltx-video-tiny");
    models::Linear& projection = const_cast<models::Linear&>(model->feedForwards().front()->projection());
    const std::size_t before = groupsOf(*model, "leaf").size();
    projection.adapt({.rank = 2}, at::TensorOptions().device(at::kMeta));
    const auto groups = groupsOf(*model, "leaf");
    EXPECT_EQ(groups.size(), before);
    for (const OffloadGroupPlan& group : groups)
        if (group.members.front() == &projection) {
            EXPECT_EQ(group.parameters.size(), 4U) << "weight, bias, and the adapter's two";
        }
}

TEST(OffloadPlanTest, aModuleByItselfNeedsWhatIsInIt)
{
    const auto model = modelOf("ltx-video-tiny");
    const auto& feedForward = *model->feedForwards().front();
    const auto alone = [&](const torch::nn::Module& module, const char* notation, const OffloadGroupPlan* group) {
        return parametersAlone(module, config::parseOffload(notation, ""), group).size();
    };
    EXPECT_EQ(alone(feedForward, "block:2", nullptr), 4U);
    EXPECT_EQ(alone(feedForward, "model", nullptr), 4U);
    EXPECT_EQ(alone(feedForward, "leaf", nullptr), 0U) << "its Linears bring themselves";
    const auto pair = groupsOf(*model, "block:2");
    const torch::nn::Module* block = model->blocks().front();
    EXPECT_EQ(alone(*block, "block:2", &pair.front()), block->parameters().size()) << "without its neighbour";
    EXPECT_EQ(alone(*model, "block:2", &pair.back()), 15U) << "without the blocks";
    const auto leaves = groupsOf(*model, "leaf");
    for (const OffloadGroupPlan& group : leaves)
        EXPECT_EQ(alone(*group.members.front(), "leaf", &group), group.parameters.size());
}

} // namespace
} // namespace headroom::techniques::offload_plan_test
