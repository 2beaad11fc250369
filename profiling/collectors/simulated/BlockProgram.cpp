// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/BlockProgram.h"

#include <algorithm>

namespace headroom::collectors {

bool BlockProgram::releases(MemoryRole role) const
{
    return std::ranges::any_of(
        steps, [&](const ProgramStep& step) { return step.kind == ProgramStep::Kind::Release && step.role == role; });
}

TensorForm formOf(const at::Tensor& tensor, MemoryRole role)
{
    TensorForm form;
    if (!tensor.defined())
        return form;
    form.isDefined = true;
    form.needsGradient = tensor.requires_grad();
    form.type = tensor.scalar_type();
    form.sizes = tensor.sizes().vec();
    form.strides = tensor.strides().vec();
    form.offset = tensor.storage_offset();
    form.bytes = static_cast<Bytes>(tensor.storage().nbytes());
    form.role = role;
    return form;
}

// As at::empty makes one on meta, without asking for memory.
at::Tensor tensorOf(const TensorForm& form, c10::Storage storage)
{
    at::Tensor tensor = at::detail::make_tensor<c10::TensorImpl>(
        std::move(storage), c10::DispatchKeySet(c10::DispatchKey::Meta), caffe2::TypeMeta::fromScalarType(form.type));
    tensor.unsafeGetTensorImpl()->set_sizes_and_strides(form.sizes, form.strides, form.offset);
    return tensor;
}

} // namespace headroom::collectors
