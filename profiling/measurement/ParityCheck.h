// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/config/catalogue/Upstream.h"
#include "core/models/Model.h"
#include "core/protocol/ParityResult.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "core/weights/Safetensors.h"

#include <memory>

namespace headroom::collectors {

/// Reads the inputs of a forward from a file of tensors, in the forms that the family's forward takes: activations in
/// the type of `options`, on its device; inputs read by the host in host memory. Throws FileError for a file that
/// cannot be read, that lacks an argument, or that has an argument which the forward of a model with these fields does
/// not take.
models::Inputs readParityInputs(const std::string& file, const config::UpstreamFamily& upstream,
    const config::ValueMap& fields, const at::TensorOptions& options);

/// Compares a model with upstream's results for the same weights and inputs: the output, and the gradients of the mean
/// of its squares if the expectation has any. The model is in evaluation mode, with the configuration's techniques;
/// nothing is updated. The device has to compute values.
///
/// The expectation's names: `output`, `grad.PARAMETER`, `grad_input.INPUT`. A tensor passes if the norm of the
/// difference is within the tolerance times the norm of the expected tensor; an expectation of zeros requires zeros.
class ParityCheck {
public:
    /// Throws FileError for a file that cannot be read, UsageError for a configuration that cannot work.
    ParityCheck(const config::Trial& trial, const protocol::ParityFiles& files);

    protocol::ParityResult run();

private:
    bool wantsGradients() const;
    config::Configuration configurationThatWorks(config::Configuration configuration) const;
    void loadModel();
    void forwardAndBackward();
    models::Inputs preparedBatch();
    void compare(const std::string& name);
    at::Tensor computed(const std::string& name) const;
    at::Tensor parameterGradient(const std::string& name) const;

    config::Trial m_trial;
    double m_tolerance;
    tensor::SafetensorsReader m_expected;
    at::TensorOptions m_options;
    models::Inputs m_inputs;
    std::unique_ptr<techniques::TechniqueStack> m_techniques;
    std::shared_ptr<models::Model> m_model;
    models::Inputs m_leaves; ///< inputs whose gradients are wanted
    at::Tensor m_output;
    protocol::ParityResult m_result;
};

} // namespace headroom::collectors
