// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/BlockProgram.h"

#include <algorithm>
#include <array>

namespace headroom::collectors {
namespace {

std::string wordsFor(const ProgramStep& step)
{
    static constexpr std::array kRoles{"memory", "gradient", "input", "old gradient"};
    if (step.kind == ProgramStep::Kind::Allocate)
        return "takes " + std::to_string(step.bytes) + " bytes";
    if (step.kind == ProgramStep::Kind::AllocateOnHost)
        return "takes " + std::to_string(step.bytes) + " bytes of the host";
    if (step.kind == ProgramStep::Kind::Spend)
        return "runs an op";
    if (step.kind == ProgramStep::Kind::Relabel)
        return "labels memory";
    return "releases " + std::string(kRoles.at(static_cast<std::size_t>(step.role.kind))) + " "
        + std::to_string(step.role.number);
}

} // namespace

bool BlockProgram::releases(MemoryRole role) const
{
    return std::ranges::any_of(
        steps, [&](const ProgramStep& step) { return step.kind == ProgramStep::Kind::Release && step.role == role; });
}

std::string BlockProgram::differenceFrom(const BlockProgram& other) const
{
    const auto [here, there] = std::ranges::mismatch(steps, other.steps);
    if (here != steps.end() && there != other.steps.end())
        return "step " + std::to_string(here - steps.begin()) + " of " + std::to_string(steps.size()) + ": "
            + wordsFor(*here) + " or " + wordsFor(*there);
    if (here != steps.end() || there != other.steps.end())
        return std::to_string(steps.size()) + " or " + std::to_string(other.steps.size()) + " steps";
    return costs == other.costs ? "" : "ops of other costs";
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
