// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/BlockPass.h"

#include <algorithm>
#include <map>
#include <string>
#include <typeinfo>

namespace headroom::collectors {
namespace {

constexpr std::size_t kFewestAlike = 3; // one besides the two that run

std::string textOf(const at::Tensor& parameter)
{
    std::string text = std::to_string(static_cast<int>(parameter.scalar_type()));
    for (const std::int64_t size : parameter.sizes())
        text += "," + std::to_string(size);
    return text + (parameter.requires_grad() ? "t;" : "f;");
}

// All that a block's computation can depend on, besides its inputs.
std::string formOfBlock(const models::Model& model, std::int64_t index, const torch::nn::Module& block,
    const std::vector<at::Tensor>& parameters)
{
    std::string form = model.blockFormOf(index) + "|";
    for (const auto& module : block.modules(/*include_self=*/false))
        form += std::string(typeid(*module).name()) + (module->is_training() ? "t" : "f");
    form += std::string(typeid(block).name()) + "|";
    for (const at::Tensor& parameter : parameters)
        form += textOf(parameter);
    return form;
}

// What a block's graph shares with the block before depends on what that one shares with its own one: where blocks
// differ, two before have to be alike, and one after.
std::vector<std::string> neighbourhoodOf(const std::vector<std::string>& forms, std::size_t block)
{
    const bool areAllAlike = std::ranges::all_of(forms, [&](const std::string& form) { return form == forms.front(); });
    const std::size_t before = std::min<std::size_t>(block, areAllAlike ? 1 : 2);
    std::vector<std::string> neighbourhood(forms.begin() + static_cast<std::ptrdiff_t>(block - before),
        forms.begin() + static_cast<std::ptrdiff_t>(std::min(block + 2, forms.size())));
    neighbourhood.push_back(std::to_string(before));
    return neighbourhood;
}

} // namespace

RepeatPlan::RepeatPlan(models::Model& model)
{
    std::vector<std::string> forms;
    const std::vector<torch::nn::Module*> blocks = model.blocks();
    const std::vector<std::string> computations = model.blockComputations();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        m_parameters.push_back(blocks[i]->parameters());
        forms.push_back(formOfBlock(model, static_cast<std::int64_t>(i), *blocks[i], m_parameters.back())
            + (computations.empty() ? std::string() : computations.at(i)));
    }
    divide(forms);
}

// The first and the last block have no neighbour on one side, and are in no group. Nor is the one before the last where
// it ends a group: in the backward pass, sums of gradients of what all blocks read begin there.
void RepeatPlan::divide(const std::vector<std::string>& forms)
{
    m_places.resize(forms.size());
    std::map<std::vector<std::string>, std::vector<std::size_t>> alike;
    for (std::size_t i = 1; i + 1 < forms.size(); ++i)
        alike[neighbourhoodOf(forms, i)].push_back(i);
    for (auto& [neighbourhood, members] : alike) {
        if (members.back() + 2 == forms.size())
            members.pop_back();
        if (members.size() < kFewestAlike)
            continue;
        for (const std::size_t member : members)
            m_places[member] = {Part::Repeats, m_groups};
        m_places[members.front()].part = Part::First;
        m_places[members.back()].part = Part::Last;
        ++m_groups;
    }
}

TensorIdentity identityOf(const at::Tensor& tensor)
{
    return TensorIdentity(tensor.getIntrusivePtr());
}

// The weak pointer keeps the object's place, so that no other tensor can be there.
bool isSame(const TensorIdentity& identity, const at::Tensor& tensor)
{
    return tensor.defined() && identity._unsafe_get_target() == tensor.unsafeGetTensorImpl();
}

} // namespace headroom::collectors
