// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Initialised.h"
#include "core/tensor/Torch.h"

#include <memory>
#include <optional>

namespace headroom::models {

enum class Bias { Off, On };

/// How a Linear's weight lies in memory: [out, in] as PyTorch's, or [in, out] as that of transformers' Conv1D.
enum class WeightLayout { OutByIn, InByOut };

class Linear;

struct LowRankOptions {
    std::int64_t rank = 0;
    double scale = 1;
    double dropout = 0; ///< drop probability of the input in training
};

/// Two Linears without bias beside a Linear whose own weights are frozen (LoRA): scale * B(A(dropout(x))) is added to
/// its output. A: [rank, in], B: [out, rank].
///
/// As in PEFT, the adapter converts the input to its own type, and the layer's result has the base's type.
struct LowRankAdapter {
    std::shared_ptr<Linear> a;
    std::shared_ptr<Linear> b;
    LowRankOptions options;
    at::ScalarType type = at::kFloat; ///< in which A and B were created, whatever type they are stored in

    /// A(dropout(x)): [..., rank].
    at::Tensor reduce(const at::Tensor& input, bool isTraining) const;
};

/// y = x W^T + b, plus the adapter's output. Unlike in torch::nn::Linear, the parameters are created on their final
/// device (even meta), uninitialised.
///
/// weight: [out, in], or [in, out] by its layout; bias: [out], undefined without one. Input [..., in], output [...,
/// out].
class Linear : public torch::nn::Module, public Initialised {
public:
    Linear(std::int64_t in, std::int64_t out, Bias bias, const at::TensorOptions& options,
        WeightLayout layout = WeightLayout::OutByIn);

    at::Tensor forward(const at::Tensor& input) const;

    /// Uniform in +-1/sqrt(in), weight and bias alike, PyTorch's default; or as `startNormal` sets it.
    void initialise() override;

    /// Initial weights are normal with this standard deviation and the bias is zero, as in language models.
    void startNormal(double deviation) { m_deviation = deviation; }

    /// Adds an adapter to the layer, as child modules lora_A and lora_B: A as PEFT initialises it (uniform in
    /// +-1/sqrt(in)), B zero, so that the output does not change.
    void adapt(const LowRankOptions& adapter, const at::TensorOptions& options);
    /// Null: there is none.
    const LowRankAdapter* adapter() const { return m_adapter ? &*m_adapter : nullptr; }

    std::int64_t inFeatures() const { return weight.size(m_layout == WeightLayout::OutByIn ? 1 : 0); }
    std::int64_t outFeatures() const { return weight.size(m_layout == WeightLayout::OutByIn ? 0 : 1); }
    WeightLayout layout() const { return m_layout; }

    /// The weight as [out, in], whatever its layout: itself or a view of it.
    at::Tensor rows() const { return m_layout == WeightLayout::OutByIn ? weight : weight.t(); }

    at::Tensor weight;
    at::Tensor bias;

private:
    at::Tensor adapted(const at::Tensor& input, at::Tensor output) const;

    WeightLayout m_layout;
    std::optional<LowRankAdapter> m_adapter;
    std::optional<double> m_deviation; ///< of initial weights; nothing: uniform
};

} // namespace headroom::models
