// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/OpInterceptor.h"

namespace headroom::collectors {

/// Lets autograd compute in place on meta wherever it does so on a real device.
///
/// Where several gradients of one tensor meet, the engine adds in place if nobody else holds the sum; for meta tensors
/// it always makes a new one (ATen/TensorSubclassLikeUtils.h counts Meta among the subclasses). This transformer
/// carries out such an addition in place. The engine adds after a node's backward has returned, so additions inside the
/// backward formulas are left alone; RecordFunction's callbacks on this thread show when a formula is running. Inside
/// formulas the same applies to a few of their ops (computedInPlace).
class InPlaceAccumulation final : public tensor::OpTransformer {
public:
    InPlaceAccumulation();
    ~InPlaceAccumulation() override;
    InPlaceAccumulation(const InPlaceAccumulation&) = delete;
    InPlaceAccumulation& operator=(const InPlaceAccumulation&) = delete;

    bool transform(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;

private:
    static bool addedInPlace(const c10::OperatorHandle& op, torch::jit::Stack& stack);

    at::CallbackHandle m_callback;
};

/// Whether only the caller of the op and the call itself hold the argument, and no view of it is live.
/// `callersHandles`: how many handles the caller has.
bool isHeldByCallerAlone(const at::Tensor& argument, std::size_t callersHandles = 1);

} // namespace headroom::collectors
