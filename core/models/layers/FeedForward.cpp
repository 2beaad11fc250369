// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/FeedForward.h"

#include "core/models/layers/Container.h"
#include "core/tensor/MemoryScopes.h"

namespace headroom::models {
FeedForward::FeedForward(const FeedForwardOptions& options, const at::TensorOptions& tensorOptions)
    : m_options(options)
{
    const std::int64_t rows = options.inner * (isGated(options.activation) ? 2 : 1);
    const auto net = register_module("net", std::make_shared<Container>());
    const auto activation = net->register_module("0", std::make_shared<Container>());
    m_projection =
        activation->register_module("proj", std::make_shared<Linear>(options.dim, rows, options.bias, tensorOptions));
    m_output =
        net->register_module("2", std::make_shared<Linear>(options.inner, options.dimOut, options.bias, tensorOptions));
}

at::Tensor FeedForward::forward(const at::Tensor& input)
{
    const tensor::ModuleScope scope(*this);
    return m_execution ? m_execution->run(*this, input) : forwardPlain(input);
}

at::Tensor FeedForward::forwardPlain(const at::Tensor& input) const
{
    return m_output->forward(inner(input));
}

at::Tensor FeedForward::inner(const at::Tensor& input) const
{
    return dropInner(activate(m_options.activation, m_projection->forward(input)));
}

at::Tensor FeedForward::dropInner(const at::Tensor& inner) const
{
    return at::dropout(inner, m_options.dropout, is_training());
}

void FeedForward::setExecution(std::unique_ptr<FeedForwardExecution> execution)
{
    m_execution = std::move(execution);
}

} // namespace headroom::models
