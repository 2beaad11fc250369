// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Linear.h"
#include "core/tensor/Torch.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom::models {

/// The six activation kinds of diffusers' FeedForward, and T5's, gated by the tanh GELU op by op
/// (transformers' gelu_new), which diffusers has no name for.
enum class Activation { Gelu, GeluApproximate, Geglu, GegluApproximate, Swiglu, LinearSilu, GegluTanh };

/// Throws UsageError for an unknown name.
Activation activationFromName(const std::string& name);

/// True for the kinds whose projection has a value half and a gate half.
bool isGated(Activation activation);

/// The activation of a projection h, passed by value so that it is freed as early as eager kernels allow.
/// Gated kinds: h is [..., 2 * inner], value half first; result [..., inner]. The others keep the shape.
at::Tensor activate(Activation activation, at::Tensor h);

/// function(gate), for a gated kind.
at::Tensor gateOf(Activation activation, const at::Tensor& gate);

/// value * function(gate), for a gated kind.
at::Tensor applyGate(Activation activation, const at::Tensor& value, const at::Tensor& gate);

class FeedForward;

/// A different way to compute a feed-forward with the same weights; installed by techniques.
class FeedForwardExecution {
public:
    virtual ~FeedForwardExecution() = default;
    virtual at::Tensor run(const FeedForward& layer, const at::Tensor& input) = 0;
};

/// Names of a gated feed-forward's Linears if value and gate have one each, as in language models; the gate's comes
/// first.
struct SeparateGate {
    std::string gate;
    std::string value;
    std::string output;
    /// Whether gate and value are variables of upstream's forward, which hold them until the output is computed.
    enum class Factors { Freed, Held } factors = Factors::Freed;
};

struct FeedForwardOptions {
    std::int64_t dim = 0;
    std::int64_t dimOut = 0;
    std::int64_t inner = 0;
    Activation activation = Activation::Geglu;
    double dropout = 0;
    Bias bias = Bias::On;
    std::optional<SeparateGate> separateGate{}; ///< gated kinds only
    std::optional<at::ScalarType> outputType{}; ///< of the second Linear and its result; nothing: the layer's type
};

/// Where a feed-forward's inner channels come from: rows of a Linear, with channel 0 at row `first`.
struct ProjectedChannels {
    std::size_t linear = 0; ///< index into FeedForward::projections()
    std::int64_t first = 0;
};

/// diffusers' FeedForward: Linear, activation, dropout, Linear. Input [..., dim], output [..., dimOut].
///
/// Parameters: net.0.proj.{weight,bias} ([inner or 2 * inner, dim]), net.2.{weight,bias} ([dimOut, inner]). With a
/// separate gate: gate and value ([inner, dim] each) and output ([dimOut, inner]) by the names of the options.
class FeedForward : public torch::nn::Module {
public:
    FeedForward(const FeedForwardOptions& options, const at::TensorOptions& tensorOptions);

    at::Tensor forward(const at::Tensor& input);

    /// The layer without any technique.
    at::Tensor forwardPlain(const at::Tensor& input) const;

    /// The inner activation as a whole, dropout included: [..., inner].
    virtual at::Tensor inner(const at::Tensor& input) const;

    /// Gives the inner channels, or a slice of them, from one of `projectedChannels()`, by its index: [..., channels].
    using Project = std::function<at::Tensor(std::size_t index)>;
    /// The inner activation of projected channels, dropout included; each is projected once, in the layer's own order.
    virtual at::Tensor activated(const Project& project) const;

    /// The module that the layer's memory belongs to, and whose mode (training, evaluation) it has.
    virtual const torch::nn::Module& place() const { return *this; }

    /// Dropout of the inner activation (the identity in evaluation mode and at p = 0), in the second Linear's type.
    at::Tensor dropInner(const at::Tensor& inner) const;

    /// Installs the way in which the layer is computed; null: the default.
    void setExecution(std::unique_ptr<FeedForwardExecution> execution);
    bool isTakenOver() const { return m_execution != nullptr; }

    const FeedForwardOptions& layerOptions() const { return m_options; }
    /// The first Linear; the value's if the gate has a separate one.
    const Linear& projection() const { return *m_projection; }
    const Linear& output() const { return *m_output; }

    /// The Linears that the input passes through: one, or the value's and the gate's.
    std::vector<const Linear*> projections() const;
    /// The location of the values, and in gated kinds of the gates after them.
    virtual std::vector<ProjectedChannels> projectedChannels() const;

protected:
    /// Of Linears that belong to other modules; `gate` may be null.
    FeedForward(const FeedForwardOptions& options, std::shared_ptr<Linear> projection, std::shared_ptr<Linear> gate,
        std::shared_ptr<Linear> output);

private:
    void registerJoined(const at::TensorOptions& tensorOptions);
    void registerSeparate(const at::TensorOptions& tensorOptions);
    at::Tensor forwardHolding(const at::Tensor& input) const;
    at::TensorOptions outputOptions(const at::TensorOptions& tensorOptions) const;

    FeedForwardOptions m_options;
    std::shared_ptr<Linear> m_gate; ///< null: the gate is the projection's second half, or there is none
    std::shared_ptr<Linear> m_projection;
    std::shared_ptr<Linear> m_output;
    std::unique_ptr<FeedForwardExecution> m_execution;
};

} // namespace headroom::models
