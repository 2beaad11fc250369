// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/Activation.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/models/FfnStackFamily.h"

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

} // namespace headroom::models
