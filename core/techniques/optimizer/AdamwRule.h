// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/optimizer/UpdateRule.h"

namespace headroom::techniques {

/// p *= 1 - lr weight_decay; m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g^2;
/// p -= lr / (1 - beta1^n) m / (sqrt(v) / sqrt(1 - beta2^n) + eps) in the nth update.
class AdamwRule final : public UpdateRule {
public:
    AdamwRule(config::OptimizerNotation::Form form, const config::OptimizerOptions& options);
    OptimizerState initialState(const at::Tensor& parameter, c10::ScalarType dtype) const override;

private:
    void updateEach(const UpdateBatch& batch) const override;
    void updateLists(const UpdateBatch& batch) const override;
    void updateFused(const UpdateBatch& batch) const override;
    double stepSize(std::int64_t updates) const;
    double rootOfCorrection(std::int64_t updates) const;
};

} // namespace headroom::techniques
