// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/offload/Offload.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"

#include <algorithm>

namespace headroom::techniques {
namespace {

using Groups = config::OffloadNotation::Groups;

tensor::HostMemory kindOf(const config::OffloadNotation& offload, const config::ValueMap& options)
{
    return config::restsPinned(offload, options) ? tensor::HostMemory::Pinned : tensor::HostMemory::Pageable;
}

// Where the weights really are; the first reason stands for all.
std::string homeText(const OffloadedWeights& weights)
{
    const auto refused = std::ranges::find_if(weights, [](const auto& weight) { return !weight->reason().empty(); });
    if (refused != weights.end())
        return "pageable host memory, as none could be pinned (" + (*refused)->reason() + ")";
    const bool isPinned = !weights.empty() && weights.front()->kind() == tensor::HostMemory::Pinned;
    return isPinned ? "pinned host memory" : "pageable host memory";
}

} // namespace

Offload::Offload(const config::TechniqueSetting& setting)
    : m_offload(config::parseOffload(setting.notation, "techniques.offload"))
    , m_kind(kindOf(m_offload, setting.options))
{
}

OffloadedWeight& Offload::weightOf(const OwnedParameter& parameter)
{
    if (!m_device)
        m_device = tensor::deviceOf(parameter.parameter);
    auto& known = m_known[parameter.parameter.unsafeGetTensorImpl()];
    if (!known) {
        known = std::make_shared<OffloadedWeight>(parameter, *m_device, m_kind, m_count);
        m_weights.push_back(known);
    }
    return *known;
}

models::ModuleLoaded Offload::loadHook()
{
    if (isOff())
        return {};
    return [this](const std::string&, torch::nn::Module& module) { moveToHost(module); };
}

// Parameters of its own, not those of its children.
void Offload::moveToHost(torch::nn::Module& module)
{
    for (const at::Tensor& parameter : module.parameters(false))
        weightOf({&module, parameter}).moveToHost();
}

// Autograd takes a gradient as it is where nobody else holds it, and else copies it to where the parameter is: between
// forwards that is the host. So the copy is made here, where the gradient is. `gradient` has two holders by itself: the
// list of the node's gradients, and the caller.
void Offload::keepGradientsOnDevice(const at::Tensor& parameter)
{
    constexpr std::size_t kOwnHolders = 2;
    parameter.register_hook(
        [sizes = parameter.sizes().vec(), strides = parameter.strides().vec()](const at::Tensor& gradient) {
            const bool hasOtherHolders = gradient.use_count() > kOwnHolders;
            if (!hasOtherHolders && gradient.strides() == at::IntArrayRef(strides))
                return at::Tensor();
            return at::empty_strided(sizes, strides, gradient.options()).copy_(gradient);
        });
}

StepHooks Offload::apply(models::Model& model)
{
    if (isOff())
        return {};
    for (const auto& module : model.modules())
        moveToHost(*module);
    for (const at::Tensor& parameter : model.parameters())
        if (parameter.requires_grad())
            keepGradientsOnDevice(parameter);
    m_groups = std::make_unique<GroupOffload>(model, m_offload, m_device.value_or(c10::Device(c10::kCPU)), m_weights);
    return {.beginStep = [this] { *m_count = {}; },
        .microStepDone = [this](const at::Tensor&) { requireGradientsOnDevice(); }};
}

// Autograd asks a parameter where its gradient belongs, and between forwards the parameter is the host's tensor. A
// gradient there would be one that the next micro-step cannot be added to.
void Offload::requireGradientsOnDevice() const
{
    for (const auto& weight : m_weights)
        if (const at::Tensor& gradient = weight->parameter().grad();
            gradient.defined() && gradient.device() != *m_device)
            throw TrialError(
                "a gradient of shape " + c10::str(gradient.sizes()) + " lies on " + gradient.device().str(),
                "techniques.offload", "gradients on " + m_device->str());
}

Counters Offload::counters() const
{
    const std::int64_t groups = m_groups ? static_cast<std::int64_t>(m_groups->groupCount()) : 0;
    return {{"groups", groups}, {"bytes_to_host", m_count->bytesToHost}, {"bytes_to_device", m_count->bytesToDevice}};
}

std::string Offload::effective() const
{
    if (!m_groups)
        return "off";
    return counted(m_groups->groupCount(), "group") + " of weights in " + homeText(m_weights)
        + (m_offload.stream ? ", the next one loaded while one computes" : ", each loaded when it is needed");
}

} // namespace headroom::techniques
