// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/models/Model.h"

namespace headroom::models {

/// Consecutive feed-forward layers. Input `hidden_states` [batch, sequence_length, dim]; output [batch,
/// sequence_length, dim_out]. Parameters: layers.I.net.0.proj.weight and so on.
class FfnStack : public Model {
public:
    FfnStack(const config::ValueMap& fields, const at::TensorOptions& options);

    at::Tensor forward(const Inputs& inputs) override;
    std::vector<FeedForward*> feedForwards() override;
    std::vector<torch::nn::Module*> blocks() override;

private:
    std::vector<std::shared_ptr<FeedForward>> m_layers;
};

/// Random inputs of the workload's shapes.
Inputs ffnStackInputs(const config::Configuration& configuration, const at::TensorOptions& options);

} // namespace headroom::models
