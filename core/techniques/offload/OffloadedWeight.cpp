// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/offload/OffloadedWeight.h"

#include "core/memory/MemoryScopes.h"
#include "core/tensor/SideStream.h"

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

constexpr const char* kOffloadKey = "offload";

// What is allocated while it lives is weights, on the technique's behalf.
struct WeightLabel {
    tensor::MemoryScope technique{kOffloadKey};
    tensor::MemoryScope category{config::MemoryCategory::Weights};
};

std::int64_t offloadedBytes(const at::Tensor& tensor)
{
    return static_cast<std::int64_t>(tensor.nbytes());
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

OffloadedWeight::OffloadedWeight(
    OwnedParameter parameter, c10::Device device, tensor::HostMemory kind, std::shared_ptr<OffloadCount> count)
    : m_parameter(std::move(parameter.parameter))
    , m_owner(parameter.owner)
    , m_device(device)
    , m_wantedKind(kind)
    , m_registration(m_parameter, device)
    , m_count(std::move(count))
{
}

void OffloadedWeight::moveToHost()
{
    if (m_host.tensor.defined() && m_host.tensor.is_alias_of(m_parameter))
        return;
    const torch::NoGradGuard noGradients;
    m_host = tensor::emptyOnHost(m_parameter.sizes(), m_parameter.scalar_type(), m_device, m_wantedKind);
    tensor::transfer(m_parameter, m_host.tensor, tensor::TransferDirection::ToHost, tensor::TransferWait::Blocking);
    m_count->bytesToHost += offloadedBytes(m_host.tensor);
    m_parameter.set_data(m_host.tensor);
}

bool OffloadedWeight::hold()
{
    if (m_holds == 0) {
        const tensor::ModuleLabel module(*m_owner);
        m_onDevice = emptyOnDevice();
        m_count->bytesToDevice += offloadedBytes(m_onDevice);
    }
    return m_holds++ == 0;
}

void OffloadedWeight::fill() const
{
    tensor::transfer(m_host.tensor, m_onDevice, tensor::TransferDirection::ToDevice, wait());
}

void OffloadedWeight::letGo()
{
    if (--m_holds == 0)
        m_onDevice.reset();
}

void OffloadedWeight::use()
{
    const torch::NoGradGuard noGradients;
    if (m_uses++ == 0)
        m_parameter.set_data(m_onDevice);
}

void OffloadedWeight::stopUsing()
{
    const torch::NoGradGuard noGradients;
    if (--m_uses == 0)
        m_parameter.set_data(m_host.tensor);
}

void OffloadedWeight::takeBack() const
{
    tensor::transfer(m_onDevice, m_host.tensor, tensor::TransferDirection::ToHost, wait());
    m_count->bytesToHost += offloadedBytes(m_host.tensor);
}

// A copy that is held but not in use may not be filled yet.
at::Tensor OffloadedWeight::copyOnDevice() const
{
    at::Tensor copy = emptyOnDevice();
    const torch::NoGradGuard noGradients;
    if (isUsed()) {
        copy.copy_(m_onDevice);
        return copy;
    }
    tensor::transfer(m_host.tensor, copy, tensor::TransferDirection::ToDevice, wait());
    m_count->bytesToDevice += offloadedBytes(copy);
    return copy;
}

at::Tensor OffloadedWeight::emptyOnDevice() const
{
    const torch::NoGradGuard noGradients;
    const WeightLabel label;
    return at::empty(m_host.tensor.sizes(), m_host.tensor.options().device(m_device).pinned_memory(false));
}

tensor::TransferWait OffloadedWeight::wait() const
{
    return m_host.kind == tensor::HostMemory::Pinned ? tensor::TransferWait::NonBlocking
                                                     : tensor::TransferWait::Blocking;
}

} // namespace headroom::techniques
