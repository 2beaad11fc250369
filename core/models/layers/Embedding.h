// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Initialised.h"
#include "core/tensor/Torch.h"

namespace headroom::models {

/// Rows of a table. weight: [rows, width]; input: integers of any shape [...]; output [..., width].
class Embedding : public torch::nn::Module, public Initialised {
public:
    /// `deviation`: standard deviation of fresh weights.
    Embedding(std::int64_t rows, std::int64_t width, double deviation, const at::TensorOptions& options);

    at::Tensor forward(const at::Tensor& indices) const;

    /// Normal, around zero.
    void initialise() override;

    at::Tensor weight;

private:
    double m_deviation;
};

} // namespace headroom::models
