// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Initialised.h"
#include "core/tensor/Torch.h"

#include <memory>
#include <optional>

namespace headroom::models {

enum class Bias { Off, On };

class Linear;

struct LowRankOptions {
    std::int64_t rank = 0;
    double scale = 1;
    double dropout = 0; ///< drop probability of the input in training
};

/// Two Linears without bias beside a Linear whose own weights are frozen (LoRA): scale * B(A(dropout(x))) is added to
/// its output. A: [rank, in], B: [out, rank].
///
/// As in PEFT the adapter takes the input in its own type, and the layer's result keeps the base's.
struct LowRankAdapter {
    std::shared_ptr<Linear> a;
    std::shared_ptr<Linear> b;
    LowRankOptions options;
    at::ScalarType type = at::kFloat; ///< that A and B were made in, whatever they are stored in

    /// A(dropout(x)): [..., rank].
    at::Tensor reduce(const at::Tensor& input, bool isTraining) const;
};

/// y = x W^T + b, and what an adapter adds. Unlike torch::nn::Linear its parameters are made where they belong (meta
/// too), uninitialised.
///
/// weight: [out, in]; bias: [out], undefined without one. Input [..., in], output [..., out].
class Linear : public torch::nn::Module, public Initialised {
public:
    Linear(std::int64_t in, std::int64_t out, Bias bias, const at::TensorOptions& options);

    at::Tensor forward(const at::Tensor& input) const;

    /// Uniform in +-1/sqrt(in), weight and bias alike, as PyTorch's default; or as `startNormal` says.
    void initialise() override;

    /// Fresh weights are normal with this standard deviation and the bias zero, as language models start.
    void startNormal(double deviation) { m_deviation = deviation; }

    /// Gives the layer an adapter, as child modules lora_A and lora_B: A as PEFT fills it (uniform in +-1/sqrt(in)), B
    /// zero, so that the output stays the same.
    void adapt(const LowRankOptions& adapter, const at::TensorOptions& options);
    /// Null: none.
    const LowRankAdapter* adapter() const { return m_adapter ? &*m_adapter : nullptr; }

    at::Tensor weight;
    at::Tensor bias;

private:
    at::Tensor adapted(const at::Tensor& input, at::Tensor output) const;

    std::optional<LowRankAdapter> m_adapter;
    std::optional<double> m_deviation; ///< of fresh weights; none: uniform
};

} // namespace headroom::models
