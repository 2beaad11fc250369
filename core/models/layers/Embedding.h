// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Initialised.h"
#include "core/tensor/Torch.h"

namespace headroom::models {

/// Looks up rows of a table. weight: [rows, width]; input: integers of any shape [...]; output [..., width], in the
/// type that the layer was created in: upcast weights do not change the type of what follows.
class Embedding : public torch::nn::Module, public Initialised {
public:
    /// `deviation`: standard deviation of initial weights.
    Embedding(std::int64_t rows, std::int64_t width, double deviation, const at::TensorOptions& options);

    at::Tensor forward(const at::Tensor& indices) const;

    /// Sets the type of the output.
    void giveIn(at::ScalarType type) { m_type = type; }

    /// Normal with mean zero.
    void initialise() override;

    at::Tensor weight;

private:
    double m_deviation;
    at::ScalarType m_type;
};

} // namespace headroom::models
