// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/optimizer/UpdateRule.h"

namespace headroom::techniques {

/// v = momentum v + g (the first time v = g), p -= lr v, with g + weight_decay p for g. Without momentum v is g.
class SgdRule final : public UpdateRule {
public:
    SgdRule(config::OptimizerNotation::Form form, const config::OptimizerOptions& options);
    OptimizerState initialState(const at::Tensor& parameter, c10::ScalarType dtype) const override;

private:
    void updateEach(const UpdateBatch& batch) const override;
    void updateLists(const UpdateBatch& batch) const override;
    void updateFused(const UpdateBatch& batch) const override;
    void updateInPlace(const UpdateBatch& batch) const;
};

} // namespace headroom::techniques
