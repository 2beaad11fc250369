// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/OpInterceptor.h"

namespace headroom::collectors {

/// Lets autograd compute in place on meta what it computes in place on a real device.
///
/// Where several gradients of one tensor meet, the engine adds in place if nobody else holds the sum; for meta tensors
/// it always makes a new one (ATen/TensorSubclassLikeUtils.h counts Meta among the subclasses). This transformer
/// carries such an addition out in place. The engine adds after a node's backward has returned, so additions of the
/// backward formulas themselves are left alone; when one runs is known from RecordFunction's callbacks on this thread.
/// Within formulas the same holds for a few ops of theirs (computedInPlace).
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

/// Whether nobody holds an op's argument but whoever called the op and the call itself, and no view of it lives.
/// `callersHandles`: how many the caller has of it.
bool isHeldByCallerAlone(const at::Tensor& argument, std::size_t callersHandles = 1);

} // namespace headroom::collectors
