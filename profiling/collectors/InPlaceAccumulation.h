// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/OpInterceptor.h"

namespace headroom::collectors {

/// Lets autograd sum gradients on meta as it does on a real device.
///
/// Where several gradients of one tensor meet, the engine adds in place if nobody else holds the sum; for meta tensors
/// it always makes a new one (ATen/TensorSubclassLikeUtils.h counts Meta among the subclasses). This transformer
/// carries such an addition out in place. The engine adds after a node's backward has returned, so ops of the backward
/// formulas themselves are left alone; when one runs is known from RecordFunction's callbacks on this thread.
class InPlaceAccumulation final : public tensor::OpTransformer {
public:
    InPlaceAccumulation();
    ~InPlaceAccumulation() override;
    InPlaceAccumulation(const InPlaceAccumulation&) = delete;
    InPlaceAccumulation& operator=(const InPlaceAccumulation&) = delete;

    bool transform(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;

private:
    at::CallbackHandle m_callback;
};

} // namespace headroom::collectors
