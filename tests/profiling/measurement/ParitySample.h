// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/models/Model.h"
#include "core/protocol/ParityResult.h"
#include "core/weights/Safetensors.h"
#include "tests/support/TemporaryFolder.h"

#include <string>
#include <vector>

namespace headroom::collectors {

/// Files as upstream would write them for one small model: weights with numbers of their own in every parameter, a
/// batch, and what the plain model makes of both in float64.
class ParitySample {
public:
    explicit ParitySample(const std::string& model, c10::ScalarType stored = at::kFloat);

    /// Writes the files as they are now and compares.
    protocol::ParityResult compare(double tolerance = 1e-5);

    /// The expectation, from the weights and inputs as they are now: the output, with gradients of every parameter and
    /// floating activation where they are wanted.
    void expectOutput();
    void expectGradients();

    void set(const std::string& technique, const std::string& notation, const config::ValueMap& options = {});
    at::Tensor& weight(const std::string& name);

    config::Trial trial;
    tensor::NamedTensors weights;
    tensor::NamedTensors inputs;
    tensor::NamedTensors expected;

private:
    std::shared_ptr<models::Model> plainModel() const;
    models::Inputs inputsInDouble() const;

    TemporaryFolder m_folder;
};

} // namespace headroom::collectors
