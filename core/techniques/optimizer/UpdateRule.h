// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/OptimizerDescriptor.h"
#include "core/tensor/Torch.h"

#include <memory>
#include <vector>

namespace headroom::techniques {

/// What an optimizer keeps of one parameter. Undefined where its rule keeps nothing.
struct OptimizerState {
    at::Tensor first; ///< SGD: the momentum's buffer; AdamW: the running mean of gradients
    at::Tensor second; ///< AdamW: the running mean of their squares
    at::Tensor count; ///< of updates, float32 on the device, where a kernel wants it there: AdamW, fused
    std::int64_t updates = 0;
};

/// Parameters that are updated in one go, with their gradients and states: lists of equal length, all of one dtype.
struct UpdateBatch {
    std::vector<at::Tensor> parameters;
    std::vector<at::Tensor> gradients;
    std::vector<at::Tensor> first; ///< empty where the rule keeps none
    std::vector<at::Tensor> second; ///< the same
    std::vector<at::Tensor> counts; ///< the same
    std::vector<std::int64_t> updates; ///< this one included: 1 the first time
};

/// PyTorch's formulas. Tensors are changed in place; gradients stay as they are.
class UpdateRule {
public:
    virtual ~UpdateRule() = default;

    /// The state of a parameter before its first update, in the given dtype.
    virtual OptimizerState initialState(const at::Tensor& parameter, c10::ScalarType dtype) const = 0;
    /// In the rule's form.
    void update(const UpdateBatch& batch) const;

protected:
    UpdateRule(config::OptimizerNotation::Form form, const config::OptimizerOptions& options);

    virtual void updateEach(const UpdateBatch& batch) const = 0;
    virtual void updateLists(const UpdateBatch& batch) const = 0;
    virtual void updateFused(const UpdateBatch& batch) const = 0;

    config::OptimizerNotation::Form form() const { return m_form; }
    const config::OptimizerOptions& options() const { return m_options; }

private:
    config::OptimizerNotation::Form m_form;
    config::OptimizerOptions m_options;
};

/// SGD or AdamW, as the notation says.
std::unique_ptr<UpdateRule> updateRule(
    const config::OptimizerNotation& notation, const config::OptimizerOptions& options);

} // namespace headroom::techniques
