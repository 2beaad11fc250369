// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/KernelRules.h"
#include "profiling/kernels/OpArguments.h"

namespace headroom::collectors {
namespace {

using ThreeResults = std::tuple<at::Tensor, at::Tensor, at::Tensor>;

/// What CUDA's kernels of group norm take and free again: numbers of each group or channel of each sample, summed in
/// float32 for 16-bit inputs (aten/src/ATen/native/cuda/group_norm_kernel.cu).
class GroupNormFactors {
public:
    GroupNormFactors(const at::Tensor& input, std::int64_t samples, std::int64_t channels, std::int64_t groups)
        : m_options(
              input.options().dtype(at::isReducedFloatingType(input.scalar_type()) ? at::kFloat : input.scalar_type()))
        , m_samples(samples)
        , m_channels(channels)
        , m_groups(groups)
    {
    }

    at::Tensor ofChannels() const { return at::empty({m_samples, m_channels}, m_options); }
    at::Tensor ofGroups() const { return at::empty({m_samples, m_groups}, m_options); }

private:
    at::TensorOptions m_options;
    std::int64_t m_samples;
    std::int64_t m_channels;
    std::int64_t m_groups;
};

// aten/src/ATen/native/group_norm.cpp: only the CPU keeps the order of channels last.
at::MemoryFormat layoutOf(const at::Tensor& input)
{
    return KernelRules::activeOfCuda() == nullptr ? input.suggest_memory_format() : at::MemoryFormat::Contiguous;
}

// The CPU keeps statistics in float32 where the weights are (cpu/mixed_data_type.h); CUDA in the input's type.
at::ScalarType statisticType(const at::Tensor& input, const OptionalTensor& weight)
{
    const bool isOnCpu = KernelRules::activeOfCuda() == nullptr;
    return isOnCpu && isGiven(weight) && weight->scalar_type() != input.scalar_type() ? at::kFloat
                                                                                      : input.scalar_type();
}

// GroupNormKernelImplInternal: a factor and an addend for each channel, unless there is but one element in it or
// nothing to multiply by.
void useForwardFactors(
    const GroupNormFactors& factors, const OptionalTensor& weight, const OptionalTensor& bias, std::int64_t positions)
{
    if (positions == 1 || (!isGiven(weight) && !isGiven(bias)))
        return;
    const at::Tensor factor = factors.ofChannels(), addend = factors.ofChannels();
}

ThreeResults groupNorm(const at::Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
    std::int64_t samples, std::int64_t channels, std::int64_t positions, std::int64_t groups, double)
{
    at::Tensor output = at::empty(input.sizes(), input.options(), layoutOf(input));
    const auto numbers = input.options().dtype(statisticType(input, weight));
    at::Tensor mean = at::empty({samples, groups}, numbers);
    at::Tensor inverse = at::empty({samples, groups}, numbers);
    if (KernelRules::activeOfCuda() != nullptr && samples > 0)
        useForwardFactors({input, samples, channels, groups}, weight, bias, positions);
    return {output, mean, inverse};
}

// GroupNormBackwardKernelImplInternal: sums over each channel; then factors of groups and, with weights, of channels.
void useBackwardFactors(
    const GroupNormFactors& factors, const OptionalTensor& weight, std::int64_t positions, bool wantsInput)
{
    at::Tensor sums, sumsOfProducts, ofChannels;
    if (positions > 1) {
        sumsOfProducts = factors.ofChannels();
        sums = factors.ofChannels();
    }
    if (!wantsInput)
        return;
    const at::Tensor factor = factors.ofGroups(), addend = factors.ofGroups();
    if (positions > 1 && isGiven(weight))
        ofChannels = factors.ofChannels();
}

ThreeResults groupNormBackward(const at::Tensor&, const at::Tensor& input, const at::Tensor&, const at::Tensor&,
    const OptionalTensor& weight, std::int64_t samples, std::int64_t channels, std::int64_t positions,
    std::int64_t groups, std::array<bool, 3> wanted)
{
    const auto ofWeight = [&](bool isWanted) {
        return isWanted && isGiven(weight) ? at::empty(weight->sizes(), weight->options()) : at::Tensor();
    };
    at::Tensor inputGradient = wanted[0] ? at::empty(input.sizes(), input.options(), layoutOf(input)) : at::Tensor();
    at::Tensor weightGradient = ofWeight(wanted[1]), biasGradient = ofWeight(wanted[2]);
    if (KernelRules::activeOfCuda() != nullptr && samples > 0)
        useBackwardFactors({input, samples, channels, groups}, weight, positions, wanted[0]);
    return {inputGradient, weightGradient, biasGradient};
}

// aten/src/ATen/native/cuda/WeightNorm.cu: norms of half-precision weights are kept in float32.
std::tuple<at::Tensor, at::Tensor> weightNorm(const at::Tensor& direction, const at::Tensor& magnitude, std::int64_t)
{
    const at::ScalarType type = magnitude.scalar_type();
    const bool isRaised =
        KernelRules::activeOfCuda() != nullptr ? at::isReducedFloatingType(type) : type == at::kBFloat16;
    at::Tensor weight = at::empty(direction.sizes(), direction.options());
    return {weight,
        at::empty_strided(
            magnitude.sizes(), magnitude.strides(), magnitude.options().dtype(isRaised ? at::kFloat : type))};
}

std::tuple<at::Tensor, at::Tensor> weightNormBackward(
    const at::Tensor&, const at::Tensor& direction, const at::Tensor& magnitude, const at::Tensor&, std::int64_t)
{
    at::Tensor ofDirection = at::empty(direction.sizes(), direction.options());
    return {ofDirection, at::empty(magnitude.sizes(), magnitude.options())};
}

} // namespace

void registerGroupNormKernels(torch::Library& kernels)
{
    kernels.impl("native_group_norm", TORCH_FN(groupNorm));
    kernels.impl("native_group_norm_backward", TORCH_FN(groupNormBackward));
    kernels.impl("_weight_norm_interface", TORCH_FN(weightNorm));
    kernels.impl("_weight_norm_interface_backward", TORCH_FN(weightNormBackward));
}

} // namespace headroom::collectors
