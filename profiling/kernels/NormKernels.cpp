// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "core/models/layers/RmsNorm.h"
#include "core/tensor/Torch.h"
#include "profiling/kernels/KernelRules.h"
#include "profiling/kernels/OpArguments.h"
#include "profiling/simulator/rules/CeilDivide.h"

namespace headroom::collectors {
namespace {

using simulator::KernelForm;
using Shape = c10::SymIntArrayRef;

at::ScalarType normSumType(at::ScalarType type)
{
    return at::isReducedFloatingType(type) ? at::kFloat : type;
}

bool isMixedNorm(const at::Tensor& input, const OptionalTensor& weight)
{
    return isGiven(weight) && weight->scalar_type() != input.scalar_type();
}

std::vector<std::int64_t> reducedDimensions(Shape normalized)
{
    std::vector<std::int64_t> dimensions;
    for (std::size_t i = 0; i < normalized.size(); ++i)
        dimensions.push_back(-static_cast<std::int64_t>(i) - 1);
    return dimensions;
}

double defaultEpsilon(at::ScalarType type)
{
    return type == at::kDouble ? std::numeric_limits<double>::epsilon()
                               : static_cast<double>(std::numeric_limits<float>::epsilon());
}

// aten/src/ATen/native/layer_norm.cpp, rms_norm_composite: the input is kept in float32 twice, and the result is
// multiplied by the weight before it is rounded.
at::Tensor compositeRmsNorm(const at::Tensor& input, Shape normalized, const OptionalTensor& weight, double epsilon)
{
    const at::Tensor raised = input.to(normSumType(input.scalar_type()));
    const at::Tensor inverse = at::rsqrt(at::pow(raised, 2).mean(reducedDimensions(normalized), true).add_(epsilon));
    at::Tensor result = raised.mul(inverse);
    if (isGiven(weight))
        result = result.mul(*weight);
    return result.to(input.scalar_type());
}

// layer_norm.cpp, rms_norm_symint: the fused kernel supports only one type, so with a weight of another type the
// composite ops run.
simulator::KernelForm rmsNormForm(const at::Tensor& input, const OptionalTensor& weight)
{
    const KernelRules* rules = KernelRules::active();
    // Outside a scope: as LibTorch does on meta.
    const KernelForm form = rules == nullptr ? KernelForm::Composite : rules->form(simulator::KernelOp::RmsNorm);
    return form == KernelForm::Fused && isMixedNorm(input, weight) ? KernelForm::Composite : form;
}

at::Tensor rmsNorm(
    const at::Tensor& input, Shape normalized, const OptionalTensor& weight, std::optional<double> epsilon)
{
    const double eps = epsilon.value_or(defaultEpsilon(normSumType(input.scalar_type())));
    switch (rmsNormForm(input, weight)) {
    case KernelForm::Module:
        return models::chainedRmsNorm(input, weight.value_or(at::Tensor()), eps);
    case KernelForm::Composite:
        return compositeRmsNorm(input, normalized, weight, eps);
    case KernelForm::Fused:
        break;
    }
    return std::get<0>(at::_fused_rms_norm(input, C10_AS_INTARRAYREF_SLOW(normalized), weight, eps));
}

// One statistic for each normalised row: the input's shape with the last `normalized` dimensions of extent 1.
at::Tensor statistic(const at::Tensor& input, std::size_t normalized, at::ScalarType type)
{
    std::vector<std::int64_t> shape = input.sizes().vec();
    std::fill(shape.end() - static_cast<std::ptrdiff_t>(normalized), shape.end(), 1);
    return at::empty(shape, input.options().dtype(type));
}

at::Tensor contiguousLike(const at::Tensor& tensor)
{
    return at::empty(tensor.sizes(), tensor.options());
}

// A gradient, if it is requested.
at::Tensor gradientLike(const OptionalTensor& tensor, bool isWanted)
{
    return isWanted && isGiven(tensor) ? contiguousLike(*tensor) : at::Tensor();
}

// aten/src/ATen/native/cuda/layer_norm_kernel.cu, LaunchGammaBetaBackwardCUDAKernel: for very many rows that are too
// short to fill the device, each of several blocks of rows is summed separately, and the blocks' sums are added into
// new gradients.
class SumsOfBlocks {
public:
    SumsOfBlocks(const at::Tensor& rows, std::size_t normalized)
        : m_width(c10::multiply_integers(rows.sizes().slice(static_cast<std::size_t>(rows.dim()) - normalized)))
        , m_rows(m_width == 0 ? 0 : rows.numel() / m_width)
    {
    }

    bool areTaken() const
    {
        constexpr std::int64_t kManyRows = 64 * 1024;
        const KernelRules* rules = KernelRules::activeOfCuda();
        return rules != nullptr && m_rows > kManyRows && m_width / kColumns < rules->multiprocessors() / 2;
    }

    at::Tensor of(const at::Tensor& gradient) const
    {
        return gradient.defined() ? at::empty({blocks(), m_width}, gradient.options()) : at::Tensor();
    }

private:
    std::int64_t blocks() const
    {
        constexpr std::int64_t kRows = 32, kMostCells = 32 * 1024;
        return std::min(kMostCells / simulator::ceilDivide(m_width, kColumns), simulator::ceilDivide(m_rows, kRows));
    }

    static constexpr std::int64_t kColumns = 32;
    std::int64_t m_width;
    std::int64_t m_rows;
};

void sumOverBlocks(const SumsOfBlocks& sums, at::Tensor& weightGradient, at::Tensor& biasGradient)
{
    if (!sums.areTaken())
        return;
    const at::Tensor ofWeight = sums.of(weightGradient), ofBias = sums.of(biasGradient);
    for (at::Tensor* const gradient : {&weightGradient, &biasGradient})
        if (gradient->defined())
            *gradient = contiguousLike(*gradient);
}

std::tuple<at::Tensor, at::Tensor> fusedRmsNorm(
    const at::Tensor& input, at::IntArrayRef normalized, const OptionalTensor&, std::optional<double>)
{
    const at::Tensor rows = input.contiguous();
    at::Tensor output = contiguousLike(rows);
    return {output, statistic(rows, normalized.size(), normSumType(input.scalar_type()))};
}

std::tuple<at::Tensor, at::Tensor> fusedRmsNormBackward(const at::Tensor& gradient, const at::Tensor& input,
    at::IntArrayRef normalized, const at::Tensor&, const OptionalTensor& weight, std::array<bool, 2> wanted)
{
    const at::Tensor rows = gradient.contiguous();
    const at::Tensor inputRows = input.contiguous();
    at::Tensor inputGradient = gradientLike(inputRows, wanted[0]);
    at::Tensor weightGradient = gradientLike(weight, wanted[1]), none;
    sumOverBlocks({inputRows, normalized.size()}, weightGradient, none);
    return {inputGradient, weightGradient};
}

// The CPU keeps its statistics in the input's type, or in float32 if the weights are (cpu/mixed_data_type.h); CUDA in
// float32.
at::ScalarType layerNormStatisticType(const at::Tensor& input, const OptionalTensor& weight)
{
    const KernelRules* rules = KernelRules::active();
    const bool isKept = rules != nullptr && rules->imitatesCpu() && !isMixedNorm(input, weight);
    return isKept ? input.scalar_type() : normSumType(input.scalar_type());
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> layerNorm(
    const at::Tensor& input, Shape normalized, const OptionalTensor& weight, const OptionalTensor&, double)
{
    const at::Tensor rows = input.contiguous();
    at::Tensor output = contiguousLike(rows);
    const at::ScalarType type = layerNormStatisticType(input, weight);
    at::Tensor mean = statistic(rows, normalized.size(), type);
    return {output, mean, statistic(rows, normalized.size(), type)};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> layerNormBackward(const at::Tensor& gradient, const at::Tensor& input,
    Shape normalized, const at::Tensor&, const at::Tensor&, const OptionalTensor& weight, const OptionalTensor& bias,
    std::array<bool, 3> wanted)
{
    const at::Tensor rows = gradient.contiguous();
    const at::Tensor inputRows = input.contiguous();
    at::Tensor inputGradient = gradientLike(inputRows, wanted[0]);
    at::Tensor weightGradient = gradientLike(weight, wanted[1]);
    at::Tensor biasGradient = gradientLike(bias, wanted[2]);
    sumOverBlocks({inputRows, normalized.size()}, weightGradient, biasGradient);
    return {inputGradient, weightGradient, biasGradient};
}

} // namespace

void registerNormKernels(torch::Library& kernels, torch::Library& composites)
{
    composites.impl("rms_norm", TORCH_FN(rmsNorm));
    kernels.impl("_fused_rms_norm", TORCH_FN(fusedRmsNorm));
    kernels.impl("_fused_rms_norm_backward", TORCH_FN(fusedRmsNormBackward));
    kernels.impl("native_layer_norm", TORCH_FN(layerNorm));
    kernels.impl("native_layer_norm_backward", TORCH_FN(layerNormBackward));
}

} // namespace headroom::collectors
