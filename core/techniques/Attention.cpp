// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/Attention.h"

#include "core/models/layers/AttentionLayer.h"

namespace headroom::techniques {
namespace {

using config::AttentionKernel;
using models::AttentionInputs;

// Which kernels LibTorch may take. A setting of the process, so it is put back at once.
class AllowedKernels {
public:
    AllowedKernels()
        : m_flash(at::globalContext().userEnabledFlashSDP())
        , m_efficient(at::globalContext().userEnabledMemEfficientSDP())
        , m_cudnn(at::globalContext().userEnabledCuDNNSDP())
        , m_order(at::globalContext().sDPPriorityOrder())
    {
    }
    ~AllowedKernels() { allowAsBefore(); }
    AllowedKernels(const AllowedKernels&) = delete;
    AllowedKernels& operator=(const AllowedKernels&) = delete;

    // Math is always there for what nothing else can do. LibTorch's own order has cuDNN after it on most devices.
    static void allowOnly(AttentionKernel kernel)
    {
        allow(kernel == AttentionKernel::Flash, kernel == AttentionKernel::Efficient, kernel == AttentionKernel::Cudnn);
        if (kernel == AttentionKernel::Cudnn)
            setOrder({at::SDPBackend::cudnn_attention, at::SDPBackend::flash_attention,
                at::SDPBackend::efficient_attention, at::SDPBackend::math, at::SDPBackend::overrideable});
    }
    void allowAsBefore() const
    {
        allow(m_flash, m_efficient, m_cudnn);
        setOrder(m_order);
    }

private:
    using Order = std::array<at::SDPBackend, at::num_sdp_backends>;

    static void setOrder(const Order& order)
    {
        std::vector<std::int64_t> numbers;
        for (const at::SDPBackend backend : order)
            numbers.push_back(static_cast<std::int64_t>(backend));
        at::globalContext().setSDPPriorityOrder(numbers);
    }

    static void allow(bool flash, bool efficient, bool cudnn)
    {
        at::globalContext().setSDPUseFlash(flash);
        at::globalContext().setSDPUseMemEfficient(efficient);
        at::globalContext().setSDPUseCuDNN(cudnn);
    }

    bool m_flash;
    bool m_efficient;
    bool m_cudnn;
    Order m_order;
};

AttentionKernel kernelOf(std::int64_t choice)
{
    switch (static_cast<at::SDPBackend>(choice)) {
    case at::SDPBackend::flash_attention:
        return AttentionKernel::Flash;
    case at::SDPBackend::efficient_attention:
        return AttentionKernel::Efficient;
    case at::SDPBackend::cudnn_attention:
        return AttentionKernel::Cudnn;
    default:
        return AttentionKernel::Math;
    }
}

std::optional<at::Tensor> optionalMask(const AttentionInputs& inputs)
{
    return inputs.mask.defined() ? std::optional(inputs.mask) : std::nullopt;
}

AttentionKernel chosenKernel(const AttentionInputs& inputs)
{
    return kernelOf(at::_fused_sdp_choice(inputs.query, inputs.key, inputs.value, optionalMask(inputs), inputs.dropout,
        inputs.causality == models::Causality::Causal, inputs.scale));
}

class ChosenAttention final : public models::AttentionExecution {
public:
    ChosenAttention(std::optional<AttentionKernel> wanted, std::shared_ptr<AttentionCalls> calls)
        : m_wanted(wanted)
        , m_calls(std::move(calls))
    {
    }

    at::Tensor run(const AttentionInputs& inputs) override
    {
        const AllowedKernels allowed;
        if (m_wanted)
            AllowedKernels::allowOnly(*m_wanted);
        AttentionKernel kernel = chosenKernel(inputs);
        if (m_wanted && kernel != *m_wanted) {
            allowed.allowAsBefore();
            kernel = chosenKernel(inputs);
        }
        ++m_calls->byKernel.at(static_cast<std::size_t>(kernel));
        return models::scaledDotProductAttention(inputs);
    }

private:
    std::optional<AttentionKernel> m_wanted;
    std::shared_ptr<AttentionCalls> m_calls;
};

std::string callsText(const AttentionCalls& calls)
{
    std::string text;
    for (const AttentionKernel kernel : config::attentionKernels())
        if (const std::int64_t count = calls.byKernel.at(static_cast<std::size_t>(kernel)); count > 0)
            text += (text.empty() ? "" : ", ") + std::to_string(count) + " by " + toText(kernel);
    return text;
}

} // namespace

Attention::Attention(const config::TechniqueSetting& setting)
    : m_wanted(config::parseAttention(setting.notation, "techniques.attention"))
    , m_calls(std::make_shared<AttentionCalls>())
{
}

StepHooks Attention::apply(models::Model& model)
{
    for (const auto& module : model.modules())
        if (auto* attention = dynamic_cast<models::AttentionLayer*>(module.get())) {
            attention->setExecution(std::make_unique<ChosenAttention>(m_wanted, m_calls));
            ++m_layers;
        }
    return {.beginStep = [this] { *m_calls = {}; }};
}

Counters Attention::counters() const
{
    Counters counters;
    for (const AttentionKernel kernel : config::attentionKernels())
        counters[toText(kernel)] = m_calls->byKernel.at(static_cast<std::size_t>(kernel));
    return counters;
}

std::string Attention::effective() const
{
    if (m_layers == 0)
        return "no attention";
    const std::string calls = callsText(*m_calls);
    const std::string wanted = m_wanted ? toText(*m_wanted) + " where it can" : "auto";
    return calls.empty() ? wanted : wanted + "; calls in a step: " + calls;
}

} // namespace headroom::techniques
