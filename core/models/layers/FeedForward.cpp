// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/FeedForward.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/models/FfnStackFamily.h"
#include "core/memory/MemoryScopes.h"
#include "core/models/layers/Container.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headroom::models {
namespace {

at::Tensor gated(Activation activation, const at::Tensor& h)
{
    const auto halves = h.chunk(2, -1);
    return applyGate(activation, halves[0], halves[1]);
}

// h * sigmoid(1.702 h), each temporary freed as soon as its consumer has run.
at::Tensor sigmoidGelu(const at::Tensor& h)
{
    at::Tensor gate = h * 1.702;
    gate = at::sigmoid(gate);
    return h * gate;
}

// transformers' gelu_new, which T5 has: op by op in upstream's order, so that autograd keeps what it keeps there.
at::Tensor newGelu(const at::Tensor& x)
{
    const at::Tensor half = x * 0.5;
    at::Tensor inner = at::pow(x, 3.0);
    inner = inner * 0.044715;
    inner = x + inner;
    inner = inner * std::sqrt(2.0 / std::numbers::pi);
    inner = at::tanh(inner);
    inner = inner + 1.0;
    return half * inner;
}

} // namespace

Activation activationFromName(const std::string& name)
{
    const auto& names = config::activationKinds();
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end())
        throw UsageError("unknown activation \"" + name + "\"", "activation_fn", joined(names));
    return static_cast<Activation>(it - names.begin());
}

bool isGated(Activation activation)
{
    return activation == Activation::Geglu || activation == Activation::Swiglu || activation == Activation::GegluTanh;
}

at::Tensor activate(Activation activation, at::Tensor h)
{
    switch (activation) {
    case Activation::Gelu:
        return at::gelu(h);
    case Activation::GeluApproximate:
        return at::gelu(h, "tanh");
    case Activation::Geglu:
    case Activation::Swiglu:
    case Activation::GegluTanh:
        return gated(activation, h);
    case Activation::GegluApproximate:
        return sigmoidGelu(h);
    case Activation::LinearSilu:
        break;
    }
    return at::silu(h);
}

at::Tensor gateOf(Activation activation, const at::Tensor& gate)
{
    if (activation == Activation::Swiglu)
        return at::silu(gate);
    return activation == Activation::GegluTanh ? newGelu(gate) : at::gelu(gate);
}

at::Tensor applyGate(Activation activation, const at::Tensor& value, const at::Tensor& gate)
{
    return value * gateOf(activation, gate);
}

FeedForward::FeedForward(const FeedForwardOptions& options, const at::TensorOptions& tensorOptions)
    : m_options(options)
{
    if (options.separateGate)
        registerSeparate(tensorOptions);
    else
        registerJoined(tensorOptions);
}

FeedForward::FeedForward(const FeedForwardOptions& options, std::shared_ptr<Linear> projection,
    std::shared_ptr<Linear> gate, std::shared_ptr<Linear> output)
    : m_options(options)
    , m_gate(std::move(gate))
    , m_projection(std::move(projection))
    , m_output(std::move(output))
{
}

void FeedForward::registerJoined(const at::TensorOptions& tensorOptions)
{
    const std::int64_t rows = m_options.inner * (isGated(m_options.activation) ? 2 : 1);
    const auto net = register_module("net", std::make_shared<Container>());
    const auto activation = net->register_module("0", std::make_shared<Container>());
    m_projection = activation->register_module(
        "proj", std::make_shared<Linear>(m_options.dim, rows, m_options.bias, tensorOptions));
    m_output = net->register_module(
        "2", std::make_shared<Linear>(m_options.inner, m_options.dimOut, m_options.bias, outputOptions(tensorOptions)));
}

void FeedForward::registerSeparate(const at::TensorOptions& tensorOptions)
{
    const auto linear = [&](const std::string& name, std::int64_t in, std::int64_t out, const at::TensorOptions& type) {
        return register_module(name, std::make_shared<Linear>(in, out, m_options.bias, type));
    };
    m_gate = linear(m_options.separateGate->gate, m_options.dim, m_options.inner, tensorOptions);
    m_projection = linear(m_options.separateGate->value, m_options.dim, m_options.inner, tensorOptions);
    m_output = linear(m_options.separateGate->output, m_options.inner, m_options.dimOut, outputOptions(tensorOptions));
}

at::TensorOptions FeedForward::outputOptions(const at::TensorOptions& tensorOptions) const
{
    return m_options.outputType ? tensorOptions.dtype(*m_options.outputType) : tensorOptions;
}

at::Tensor FeedForward::forward(const at::Tensor& input)
{
    const tensor::ModuleScope scope(*this);
    return m_execution ? m_execution->run(*this, input) : forwardPlain(input);
}

at::Tensor FeedForward::forwardPlain(const at::Tensor& input) const
{
    const bool isHeld = m_options.separateGate && m_options.separateGate->factors == SeparateGate::Factors::Held;
    return isHeld ? forwardHolding(input) : m_output->forward(inner(input));
}

at::Tensor FeedForward::forwardHolding(const at::Tensor& input) const
{
    at::Tensor gate = m_gate->forward(input);
    gate = gateOf(m_options.activation, gate);
    const at::Tensor value = m_projection->forward(input);
    at::Tensor product = gate * value;
    product = dropInner(product);
    return m_output->forward(product);
}

at::Tensor FeedForward::inner(const at::Tensor& input) const
{
    if (!m_gate)
        return dropInner(activate(m_options.activation, m_projection->forward(input)));
    at::Tensor gate = m_gate->forward(input);
    gate = gateOf(m_options.activation, gate);
    return dropInner(gate * m_projection->forward(input));
}

// Value and gate come from projections of their own, both alive until the product is formed, as in the plain layer.
at::Tensor FeedForward::activated(const Project& project) const
{
    if (!isGated(m_options.activation))
        return dropInner(activate(m_options.activation, project(0)));
    if (m_gate) {
        at::Tensor gate = project(1);
        gate = gateOf(m_options.activation, gate);
        return dropInner(gate * project(0));
    }
    const at::Tensor value = project(0);
    const at::Tensor gate = project(1);
    return dropInner(applyGate(m_options.activation, value, gate));
}

at::Tensor FeedForward::dropInner(const at::Tensor& inner) const
{
    const at::Tensor dropped = at::dropout(inner, m_options.dropout, is_training());
    return m_options.outputType ? dropped.to(*m_options.outputType) : dropped;
}

std::vector<const Linear*> FeedForward::projections() const
{
    std::vector<const Linear*> linears{m_projection.get()};
    if (m_gate)
        linears.push_back(m_gate.get());
    return linears;
}

std::vector<ProjectedChannels> FeedForward::projectedChannels() const
{
    if (!isGated(m_options.activation))
        return {{0, 0}};
    return m_gate ? std::vector<ProjectedChannels>{{0, 0}, {1, 0}}
                  : std::vector<ProjectedChannels>{{0, 0}, {0, m_options.inner}};
}

void FeedForward::setExecution(std::unique_ptr<FeedForwardExecution> execution)
{
    m_execution = std::move(execution);
}

} // namespace headroom::models
