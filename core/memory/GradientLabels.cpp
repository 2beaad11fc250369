// SPDX-License-Identifier: Apache-2.0
#include "core/memory/GradientLabels.h"

#include "core/memory/MemoryAttribution.h"

namespace headroom::tensor {
namespace {

void labelGradient(const at::Tensor& parameter)
{
    const MemoryAttribution* attribution = MemoryAttribution::active();
    if (attribution != nullptr && parameter.grad().defined())
        relabel(parameter.grad(),
            {{config::MemoryCategory::Gradients, attribution->moduleOf(parameter)}, LabelChange::Rule::ClaimPassing});
}

class LabelAccumulated final : public torch::autograd::PostAccumulateGradHook {
public:
    void operator()(const at::Tensor& parameter) override { labelGradient(parameter); }
};

} // namespace

GradientLabels::GradientLabels(std::vector<at::Tensor> parameters)
    : m_parameters(std::move(parameters))
{
    std::erase_if(m_parameters, [](const at::Tensor& parameter) { return !parameter.requires_grad(); });
    for (const at::Tensor& parameter : m_parameters) {
        labelGradient(parameter);
        torch::autograd::impl::set_post_acc_grad_hooks(parameter, std::make_unique<LabelAccumulated>());
    }
}

GradientLabels::~GradientLabels()
{
    for (const at::Tensor& parameter : m_parameters)
        torch::autograd::impl::set_post_acc_grad_hooks(parameter, nullptr);
}

} // namespace headroom::tensor
