// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Activation.h"
#include "core/models/layers/Linear.h"

#include <memory>

namespace headroom::models {

class FeedForward;

/// Another way to compute a feed-forward with the same weights; techniques install one.
class FeedForwardExecution {
public:
    virtual ~FeedForwardExecution() = default;
    virtual at::Tensor run(const FeedForward& layer, const at::Tensor& input) = 0;
};

struct FeedForwardOptions {
    std::int64_t dim = 0;
    std::int64_t dimOut = 0;
    std::int64_t inner = 0;
    Activation activation = Activation::Geglu;
    double dropout = 0;
    Bias bias = Bias::On;
};

/// diffusers' FeedForward: Linear, activation, dropout, Linear. Input [..., dim], output [..., dimOut].
///
/// Parameters: net.0.proj.{weight,bias} ([inner or 2 * inner, dim]), net.2.{weight,bias} ([dimOut, inner]).
class FeedForward : public torch::nn::Module {
public:
    FeedForward(const FeedForwardOptions& options, const at::TensorOptions& tensorOptions);

    at::Tensor forward(const at::Tensor& input);

    /// The layer as it is without any technique.
    at::Tensor forwardPlain(const at::Tensor& input) const;

    /// The inner activation in one piece, dropout included: [..., inner].
    at::Tensor inner(const at::Tensor& input) const;

    /// Dropout of the inner activation; the identity in evaluation mode and at p = 0.
    at::Tensor dropInner(const at::Tensor& inner) const;

    /// Takes over how the layer is computed; null: the plain way.
    void setExecution(std::unique_ptr<FeedForwardExecution> execution);

    const FeedForwardOptions& layerOptions() const { return m_options; }
    const Linear& projection() const { return *m_projection; }
    const Linear& output() const { return *m_output; }

private:
    FeedForwardOptions m_options;
    std::shared_ptr<Linear> m_projection;
    std::shared_ptr<Linear> m_output;
    std::unique_ptr<FeedForwardExecution> m_execution;
};

} // namespace headroom::models
