// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/ArgumentChecks.h"

#include "core/base/Error.h"

namespace headroom::models {
namespace {

// On other devices reading values would take time that is measured, and their kernels end in an error of the device.
bool hasReadableValues(const at::Tensor& tensor)
{
    return tensor.defined() && tensor.device().is_cpu() && tensor.numel() > 0;
}

// v, g, dim. Along the first and the last dimension runs a kernel of its own, which takes one norm for each slice.
void checkWeightNorm(const torch::jit::Stack& stack)
{
    const at::Tensor& weight = stack[0].toTensor();
    const std::int64_t dimension = stack[2].toInt();
    const bool isFused = dimension == 0 || dimension == weight.dim() - 1;
    TORCH_CHECK_VALUE(!isFused || (weight.dim() > 0 && stack[1].toTensor().numel() == weight.size(dimension)),
        "the norms of a weight are one for each of its slices");
}

// log_probs [time, batch, classes], targets
void checkCtcLoss(const torch::jit::Stack& stack)
{
    const at::Tensor& targets = stack[1].toTensor();
    if (!hasReadableValues(targets))
        return;
    const at::Tensor& probabilities = stack[0].toTensor();
    TORCH_CHECK_VALUE(probabilities.dim() > 1 && targets.min().item<std::int64_t>() >= 0
            && targets.max().item<std::int64_t>() < probabilities.size(-1),
        "the targets of ctc_loss are classes of its probabilities");
}

// weight, indices, offsets
void checkEmbeddingBag(const torch::jit::Stack& stack)
{
    const std::int64_t mode = stack[4].toInt();
    TORCH_CHECK_VALUE(mode >= 0 && mode <= 2, "the mode of embedding_bag is 0 (sum), 1 (mean) or 2 (max)");
    const at::Tensor& offsets = stack[2].toTensor();
    TORCH_CHECK_VALUE(!hasReadableValues(offsets)
            || (offsets.dim() == 1 && offsets.min().item<std::int64_t>() >= 0
                && offsets.diff().ge(0).all().item<bool>()),
        "the offsets of embedding_bag are not in order");
}

// The stride of a pooling: empty stands for what another argument says.
bool mayBeEmpty(const c10::Argument& wanted)
{
    const auto& value = wanted.default_value();
    return value && value->isList() && value->toListRef().empty();
}

} // namespace

void requireWholeList(const ProgramArgument& argument, const c10::Argument& wanted, const archive::Node& source)
{
    const bool isConstant = argument.kind == ProgramArgument::Kind::Constant && argument.constant.isList();
    if (wanted.N().value_or(0) < 2 || (!isConstant && argument.kind != ProgramArgument::Kind::Integers))
        return;
    const std::size_t length = isConstant ? argument.constant.toListRef().size() : argument.values.size();
    const auto whole = static_cast<std::size_t>(*wanted.N());
    if (length != whole && length != 1 && !(length == 0 && mayBeEmpty(wanted)))
        throw TrialError(source.target + " has " + std::to_string(length) + " values for \"" + wanted.name() + "\"",
            placeOf(source), std::to_string(whole) + " or 1");
}

ArgumentCheck argumentCheckOf(const c10::FunctionSchema& schema)
{
    const std::string& name = schema.name();
    if (name == "aten::_weight_norm")
        return checkWeightNorm;
    if (name == "aten::ctc_loss")
        return checkCtcLoss;
    return name == "aten::embedding_bag" ? checkEmbeddingBag : nullptr;
}

} // namespace headroom::models
