// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/offload/OffloadPlan.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace headroom::techniques {
namespace {

using Groups = config::OffloadNotation::Groups;

constexpr std::array<std::string_view, 8> kOffloadLayers{
    "Linear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d", "Embedding"};

// "Linear" of headroom::models::Linear and of torch::nn::LinearImpl.
bool isLayer(const torch::nn::Module& module)
{
    std::string_view name = module.name();
    name.remove_prefix(name.rfind(':') == std::string_view::npos ? 0 : name.rfind(':') + 1);
    if (name.ends_with("Impl"))
        name.remove_suffix(4);
    return std::ranges::find(kOffloadLayers, name) != kOffloadLayers.end();
}

// Collects groups; each parameter goes to the first that asks for it.
class Collector {
public:
    void add(OffloadGroupPlan& group, const torch::nn::Module& module)
    {
        for (const at::Tensor& parameter : module.parameters(false))
            if (m_taken.insert(parameter.unsafeGetTensorImpl()).second)
                group.parameters.push_back({&module, parameter});
    }
    void addAll(OffloadGroupPlan& group, const torch::nn::Module& module)
    {
        for (const auto& part : module.modules())
            add(group, *part);
    }
    void close(OffloadGroupPlan group)
    {
        if (!group.parameters.empty())
            m_groups.push_back(std::move(group));
    }
    std::vector<OffloadGroupPlan> take() { return std::move(m_groups); }

private:
    std::unordered_set<const c10::TensorImpl*> m_taken;
    std::vector<OffloadGroupPlan> m_groups;
};

void collectBlocks(Collector& collector, models::Model& model, std::size_t perGroup)
{
    const std::vector<torch::nn::Module*> blocks = model.blocks();
    for (std::size_t first = 0; first < blocks.size(); first += perGroup) {
        OffloadGroupPlan group;
        for (std::size_t index = first; index < std::min(first + perGroup, blocks.size()); ++index) {
            group.members.push_back(blocks[index]);
            collector.addAll(group, *blocks[index]);
        }
        collector.close(std::move(group));
    }
}

void collectLeaves(Collector& collector, const models::Model& model)
{
    for (const auto& module : model.modules()) {
        OffloadGroupPlan group{{module.get()}, {}};
        if (isLayer(*module))
            collector.addAll(group, *module);
        else
            collector.add(group, *module);
        collector.close(std::move(group));
    }
}

} // namespace

std::vector<OffloadGroupPlan> offloadGroups(models::Model& model, const config::OffloadNotation& offload)
{
    Collector collector;
    if (offload.groups == Groups::Blocks)
        collectBlocks(collector, model, static_cast<std::size_t>(offload.blocks));
    else if (offload.groups == Groups::Leaf)
        collectLeaves(collector, model);
    OffloadGroupPlan rest{{&model}, {}};
    if (offload.groups != Groups::None)
        collector.addAll(rest, model);
    collector.close(std::move(rest));
    return collector.take();
}

std::vector<OwnedParameter> parametersAlone(
    const torch::nn::Module& module, const config::OffloadNotation& offload, const OffloadGroupPlan* group)
{
    const bool isLed = group != nullptr && group->members.size() == 1 && group->members.front() == &module;
    if (isLed)
        return group->parameters;
    if (offload.groups == Groups::Leaf)
        return {};
    OffloadGroupPlan below;
    Collector().addAll(below, module);
    return below.parameters;
}

} // namespace headroom::techniques
