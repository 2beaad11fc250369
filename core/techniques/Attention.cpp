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
        inputs.causality == models::Causality::Causal, inputs.scale, inputs.heads == models::KeyHeads::Shared));
}

// All of a tensor that a choice can depend on.
struct TensorForm {
    explicit TensorForm(const at::Tensor& tensor)
        : isDefined(tensor.defined())
    {
        if (!isDefined)
            return;
        type = tensor.scalar_type();
        needsGradient = tensor.requires_grad();
        layout.append(tensor.sizes().begin(), tensor.sizes().end());
        layout.append(tensor.strides().begin(), tensor.strides().end());
    }
    bool operator==(const TensorForm&) const = default;

    bool isDefined;
    bool needsGradient = false;
    c10::ScalarType type = c10::ScalarType::Undefined;
    c10::SmallVector<std::int64_t, 8> layout; // sizes, then strides
};

// A call of attention as far as the choice of its kernel goes: the arguments' forms, and the settings of the process.
struct AttentionCall {
    explicit AttentionCall(const AttentionInputs& inputs)
        : query(inputs.query)
        , key(inputs.key)
        , value(inputs.value)
        , mask(inputs.mask)
        , causality(inputs.causality)
        , scale(inputs.scale)
        , dropout(inputs.dropout)
        , heads(inputs.heads)
        , recordsGradients(at::GradMode::is_enabled())
        , flash(at::globalContext().userEnabledFlashSDP())
        , efficient(at::globalContext().userEnabledMemEfficientSDP())
        , cudnn(at::globalContext().userEnabledCuDNNSDP())
        , math(at::globalContext().userEnabledMathSDP())
        , isDeterministic(at::globalContext().deterministicAlgorithms())
        , order(at::globalContext().sDPPriorityOrder())
    {
    }
    bool operator==(const AttentionCall&) const = default;

    TensorForm query, key, value, mask;
    models::Causality causality;
    std::optional<double> scale;
    double dropout;
    models::KeyHeads heads;
    bool recordsGradients, flash, efficient, cudnn, math, isDeterministic;
    std::array<at::SDPBackend, at::num_sdp_backends> order;
};

class ChosenAttention final : public models::AttentionExecution {
public:
    ChosenAttention(std::optional<AttentionKernel> wanted, std::shared_ptr<AttentionCalls> calls)
        : m_wanted(wanted)
        , m_calls(std::move(calls))
    {
    }

    at::Tensor run(const AttentionInputs& inputs) override
    {
        if (!m_wanted) {
            count(knownKernel(inputs));
            return models::scaledDotProductAttention(inputs);
        }
        settleOrder(inputs);
        const AllowedKernels allowed;
        AllowedKernels::allowOnly(*m_wanted);
        AttentionKernel kernel = chosenKernel(inputs);
        if (kernel != *m_wanted) {
            allowed.allowAsBefore();
            kernel = chosenKernel(inputs);
        }
        count(kernel);
        return models::scaledDotProductAttention(inputs);
    }

private:
    // LibTorch puts cuDNN first on some cards, once in a process and when it is first asked. An order read before that
    // and put back after it would take that away.
    static void settleOrder(const AttentionInputs& inputs)
    {
        [[maybe_unused]] static const AttentionKernel own = chosenKernel(inputs);
    }

    void count(AttentionKernel kernel) { ++m_calls->byKernel.at(static_cast<std::size_t>(kernel)); }

    // The op chooses for itself; to count, LibTorch is asked once for calls like the last one. Each question goes
    // through the dispatcher, which a step of many small kernels would notice.
    AttentionKernel knownKernel(const AttentionInputs& inputs)
    {
        AttentionCall call(inputs);
        if (m_last && m_last->first == call)
            return m_last->second;
        m_last.emplace(std::move(call), chosenKernel(inputs));
        return m_last->second;
    }

    std::optional<AttentionKernel> m_wanted;
    std::shared_ptr<AttentionCalls> m_calls;
    std::optional<std::pair<AttentionCall, AttentionKernel>> m_last;
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

bool Attention::countRepeated(const RepeatedBlock& block)
{
    for (const AttentionKernel kernel : config::attentionKernels())
        m_calls->byKernel.at(static_cast<std::size_t>(kernel)) += block.counted.at(toText(kernel));
    return true;
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
