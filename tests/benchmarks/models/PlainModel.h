// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "core/models/Model.h"

#include <memory>

namespace headroom::benchmarks {

/// A family's forward written with LibTorch's functions alone, without modules: what the code of the models is held
/// against. Borrows nothing: weights are shared with the model that it was made from.
class PlainModel {
public:
    virtual ~PlainModel() = default;
    virtual at::Tensor forward(const models::Inputs& inputs) const = 0;
};

/// A model's parameters and buffers by their dotted names.
class Weights {
public:
    explicit Weights(const torch::nn::Module& model);

    /// Throws std::out_of_range for a name that is not there.
    at::Tensor at(const std::string& name) const;
    /// Undefined for a name that is not there.
    at::Tensor find(const std::string& name) const;

private:
    std::map<std::string, at::Tensor> m_tensors;
};

std::unique_ptr<PlainModel> plainCogVideoX(const Weights& weights, const config::ValueMap& fields);
std::unique_ptr<PlainModel> plainFfnStack(const Weights& weights, const config::ValueMap& fields);
std::unique_ptr<PlainModel> plainFlux(const Weights& weights, const config::ValueMap& fields);
std::unique_ptr<PlainModel> plainLlama(const Weights& weights, const config::ValueMap& fields);
std::unique_ptr<PlainModel> plainLtxVideo(const Weights& weights, const config::ValueMap& fields);
std::unique_ptr<PlainModel> plainT5Encoder(const Weights& weights, const config::ValueMap& fields);
std::unique_ptr<PlainModel> plainWan(const Weights& weights, const config::ValueMap& fields);

/// How a family is compared: its plain form, a model of it, and a size beside the catalogue's smallest at which
/// products take a good part of a step.
struct ComparedFamily {
    std::string family;
    std::string model;
    std::unique_ptr<PlainModel> (*plain)(const Weights&, const config::ValueMap&);
    config::ValueMap fields;
    config::ValueMap shapes;
};

/// Add a family here.
const std::vector<ComparedFamily>& comparedFamilies();

} // namespace headroom::benchmarks
