// SPDX-License-Identifier: Apache-2.0
#include "app/worker/ModelInspection.h"

#include "core/models/imported/ImportedModel.h"
#include "profiling/kernels/OpSupport.h"

#include <algorithm>
#include <map>
#include <set>

namespace headroom::worker {
namespace {

using collectors::OpGap;
using collectors::OpLack;
using Places = std::map<std::string, std::string>;

// What torch.ops.higher_order names is structure; operator.mul and its kind are computed with sizes.
void collectPlaces(const archive::Graph& graph, Places& places)
{
    constexpr std::string_view kOps = "torch.ops.";
    constexpr std::string_view kStructure = "torch.ops.higher_order.";
    for (const archive::Node& node : graph.nodes)
        if (node.target.starts_with(kOps) && !node.target.starts_with(kStructure))
            places.emplace(node.target, placeOf(node));
    for (const archive::Graph& subgraph : graph.subgraphs)
        collectPlaces(subgraph, places);
}

std::vector<OpGap> gapsOf(const Places& places, collectors::Passes passes)
{
    std::vector<std::string> ops;
    for (const auto& [op, place] : places)
        ops.push_back(op);
    return collectors::opGaps(ops, passes);
}

// "sort" of "aten::sort.stable", as simulated trials name ops.
std::string baseName(const std::string& op)
{
    const std::string name = op.substr(op.rfind(':') + 1);
    const std::string bare = name.starts_with("torch.ops.aten.") ? name.substr(sizeof("torch.ops.aten.") - 1) : name;
    return bare.substr(0, bare.find('.'));
}

// Sizes that depend on values are refused by the graph itself.
bool isWithoutKernel(const OpGap& gap)
{
    return gap.lack == OpLack::MetaKernel || gap.lack == OpLack::Operator;
}

} // namespace

protocol::RepeatResult inspected(const config::Trial& trial)
{
    Places places;
    collectPlaces(models::archiveOf(trial.configuration)->graph, places);
    const std::vector<OpGap> forward = gapsOf(places, collectors::Passes::Forward);
    protocol::RepeatResult result;
    result.outcome = Outcome::Completed;
    std::set<std::string> withoutRule;
    for (const OpGap& gap : gapsOf(places, collectors::Passes::ForwardAndBackward)) {
        const bool isInTraining = std::ranges::find(forward, gap) == forward.end();
        if (isWithoutKernel(gap))
            result.opsWithoutMeta.push_back(
                (isInTraining ? "in training: " : "") + describe(gap) + "; in " + places.at(gap.op));
        else if (gap.lack == OpLack::CostRule)
            withoutRule.insert(baseName(gap.lacking));
    }
    result.opsWithoutRule.assign(withoutRule.begin(), withoutRule.end());
    return result;
}

} // namespace headroom::worker
