// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/Linear.h"

#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterStorage.h"
#include "core/models/layers/LinearProduct.h"

#include <cmath>

namespace headroom::models {

Linear::Linear(std::int64_t in, std::int64_t out, Bias withBias, const at::TensorOptions& options, WeightLayout layout)
    : m_layout(layout)
{
    const std::vector<std::int64_t> sizes =
        layout == WeightLayout::OutByIn ? std::vector{out, in} : std::vector{in, out};
    weight = register_parameter("weight", tensor::emptyParameter(sizes, options));
    if (withBias == Bias::On)
        bias = register_parameter("bias", tensor::emptyParameter({out}, options));
}

at::Tensor Linear::forward(const at::Tensor& input) const
{
    const tensor::ModuleScope scope(*this);
    at::Tensor output =
        m_layout == WeightLayout::OutByIn ? linearProduct(input, weight, bias) : transposedProduct(input, weight, bias);
    return m_adapter ? adapted(input, std::move(output)) : output;
}

// Keeps the order of PEFT's own forward, which decides what is alive: the input in the adapter's type to the end, the
// adapter's output until it is scaled.
at::Tensor Linear::adapted(const at::Tensor& input, at::Tensor output) const
{
    const at::ScalarType type = output.scalar_type();
    const at::Tensor raised = input.to(m_adapter->type);
    at::Tensor added = m_adapter->b->forward(m_adapter->reduce(raised, is_training()));
    added = added * m_adapter->options.scale;
    output = output + added;
    added.reset();
    return output.to(type);
}

void Linear::adapt(const LowRankOptions& adapter, const at::TensorOptions& options)
{
    const torch::NoGradGuard noGradients;
    const auto add = [&](const char* name, std::int64_t in, std::int64_t out) {
        return register_module(name, std::make_shared<Linear>(in, out, Bias::Off, options));
    };
    m_adapter = LowRankAdapter{add("lora_A", inFeatures(), adapter.rank), add("lora_B", adapter.rank, outFeatures()),
        adapter, options.dtype().toScalarType()};
    m_adapter->a->initialise();
    m_adapter->b->weight.zero_();
}

at::Tensor LowRankAdapter::reduce(const at::Tensor& input, bool isTraining) const
{
    return a->forward(at::dropout(input.to(type), options.dropout, isTraining));
}

void Linear::initialise()
{
    if (m_deviation) {
        weight.normal_(0.0, *m_deviation);
        if (bias.defined())
            bias.zero_();
        return;
    }
    const double bound = 1.0 / std::sqrt(static_cast<double>(inFeatures()));
    weight.uniform_(-bound, bound);
    if (bias.defined())
        bias.uniform_(-bound, bound);
}

} // namespace headroom::models
