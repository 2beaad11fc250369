// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Initialised.h"
#include "core/tensor/Torch.h"

namespace headroom::models {

/// Rows of a table. weight: [rows, width]; input: integers of any shape [...]; output [..., width], in the type that
/// the layer was made in: upcast weights do not change that of everything behind them.
class Embedding : public torch::nn::Module, public Initialised {
public:
    /// `deviation`: standard deviation of fresh weights.
    Embedding(std::int64_t rows, std::int64_t width, double deviation, const at::TensorOptions& options);

    at::Tensor forward(const at::Tensor& indices) const;

    /// From now on the output is of this type.
    void giveIn(at::ScalarType type) { m_type = type; }

    /// Normal, around zero.
    void initialise() override;

    at::Tensor weight;

private:
    double m_deviation;
    at::ScalarType m_type;
};

} // namespace headroom::models
