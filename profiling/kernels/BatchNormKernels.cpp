// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/KernelRules.h"
#include "profiling/kernels/OpArguments.h"

namespace headroom::collectors {
namespace {

using ThreeTensors = std::tuple<at::Tensor, at::Tensor, at::Tensor>;
using FourTensors = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>;

at::ScalarType accumulationType(const at::Tensor& input)
{
    return at::isReducedFloatingType(input.scalar_type()) ? at::kFloat : input.scalar_type();
}

at::Tensor numberPerChannel(const at::Tensor& input, at::ScalarType type)
{
    return at::empty({input.size(1)}, input.options().dtype(type));
}

at::Tensor noNumbers(const at::Tensor& input, at::ScalarType type)
{
    return at::empty({0}, input.options().dtype(type));
}

bool isMixedBatchNorm(const at::Tensor& input, const OptionalTensor& weight, const OptionalTensor& runningMean)
{
    return (isGiven(weight) && weight->scalar_type() != input.scalar_type())
        || (isGiven(runningMean) && runningMean->scalar_type() != input.scalar_type());
}

// aten/src/ATen/native/Normalization.cpp, batch_norm_cpu: in evaluation no statistics are saved.
ThreeTensors batchNormOnCpu(
    const at::Tensor& input, const OptionalTensor& weight, const OptionalTensor& runningMean, bool isTraining)
{
    at::Tensor output = at::empty(input.sizes(), input.options(), input.suggest_memory_format());
    if (!isTraining)
        return {output, noNumbers(input, input.scalar_type()), noNumbers(input, input.scalar_type())};
    const at::ScalarType type =
        isMixedBatchNorm(input, weight, runningMean) ? accumulationType(input) : input.scalar_type();
    at::Tensor mean = numberPerChannel(input, type);
    return {output, mean, numberPerChannel(input, type)};
}

// aten/src/ATen/native/cuda/Normalization.cu, batch_norm_cuda: statistics in the type that sums have.
ThreeTensors batchNormOnCuda(const at::Tensor& input)
{
    at::Tensor output = at::empty_like(input);
    at::Tensor mean = numberPerChannel(input, accumulationType(input));
    return {output, mean, numberPerChannel(input, accumulationType(input))};
}

ThreeTensors batchNorm(const at::Tensor& input, const OptionalTensor& weight, const OptionalTensor&,
    const OptionalTensor& runningMean, const OptionalTensor&, bool isTraining, double, double)
{
    return KernelRules::activeOfCuda() != nullptr ? batchNormOnCuda(input)
                                                  : batchNormOnCpu(input, weight, runningMean, isTraining);
}

ThreeTensors batchNormWithStatistics(const at::Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
    at::Tensor& runningMean, at::Tensor& runningVariance, bool isTraining, double momentum, double epsilon)
{
    return batchNorm(input, weight, bias, runningMean, runningVariance, isTraining, momentum, epsilon);
}

ThreeTensors batchNormWithoutStatistics(const at::Tensor& input, const OptionalTensor& weight,
    const OptionalTensor& bias, bool isTraining, double momentum, double epsilon)
{
    return batchNorm(input, weight, bias, {}, {}, isTraining, momentum, epsilon);
}

ThreeTensors gradients(const at::Tensor& input, const OptionalTensor& weight, std::array<bool, 3> wanted)
{
    const at::ScalarType type = isGiven(weight) ? weight->scalar_type() : input.scalar_type();
    at::Tensor ofInput =
        wanted[0] ? at::empty(input.sizes(), input.options(), input.suggest_memory_format()) : at::Tensor();
    at::Tensor ofWeight = wanted[1] ? numberPerChannel(input, type) : at::Tensor();
    return {ofInput, ofWeight, wanted[2] ? numberPerChannel(input, type) : at::Tensor()};
}

ThreeTensors batchNormBackward(const at::Tensor&, const at::Tensor& input, const OptionalTensor& weight,
    const OptionalTensor&, const OptionalTensor&, const OptionalTensor&, const OptionalTensor&, bool, double,
    std::array<bool, 3> wanted)
{
    return gradients(input, weight, wanted);
}

// aten/src/ATen/native/cudnn/BatchNorm.cpp. For the normalisation alone cuDNN reserves nothing for the backward pass;
// its workspace, which only it knows, is not counted.
FourTensors cudnnBatchNorm(const at::Tensor& input, const at::Tensor& weight, const OptionalTensor&,
    const OptionalTensor&, const OptionalTensor&, bool isTraining, double, double)
{
    at::Tensor output = at::empty(input.sizes(), input.options(), input.suggest_memory_format());
    at::Tensor reserved = noNumbers(input, at::kByte);
    if (!isTraining)
        return {output, at::Tensor(), at::Tensor(), reserved};
    at::Tensor mean = numberPerChannel(input, weight.scalar_type());
    return {output, mean, numberPerChannel(input, weight.scalar_type()), reserved};
}

ThreeTensors cudnnBatchNormBackward(const at::Tensor& input, const at::Tensor& gradient, const at::Tensor& weight,
    const OptionalTensor&, const OptionalTensor&, const OptionalTensor&, const OptionalTensor&, double,
    const at::Tensor&)
{
    const at::Tensor dense = gradient.contiguous(input.suggest_memory_format());
    return gradients(input, weight, {true, true, true});
}

struct BatchNormArguments {
    const at::Tensor& input;
    const OptionalTensor& weight;
    const OptionalTensor& bias;
    const OptionalTensor& runningMean;
    const OptionalTensor& runningVariance;
    bool isTraining;
    double momentum;
    double epsilon;
};

bool hasTypesOfCudnn(const BatchNormArguments& call)
{
    const at::ScalarType type = call.input.scalar_type();
    return isGiven(call.weight) && isGiven(call.bias) && type != at::kBFloat16
        && call.weight->scalar_type() != at::kBFloat16
        && (type != at::kHalf || call.weight->scalar_type() == at::kFloat);
}

// aten/src/ATen/native/Normalization.cpp, _batch_norm_impl_index
bool usesCudnn(const BatchNormArguments& call)
{
    constexpr std::int64_t kMostTrained = 880801, kMostEvaluated = 65535;
    constexpr double kLeastEpsilon = 1e-5; // CUDNN_BN_MIN_EPSILON; 0 in newer versions, where no model goes lower
    const bool hasStatistics = isGiven(call.runningMean) && isGiven(call.runningVariance);
    const bool hasNone = !isGiven(call.runningMean) && !isGiven(call.runningVariance) && call.isTraining;
    return hasTypesOfCudnn(call) && (hasStatistics || hasNone) && call.input.dim() >= 3
        && call.input.size(0) <= (call.isTraining ? kMostTrained : kMostEvaluated) && call.epsilon >= kLeastEpsilon;
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, std::int64_t> batchNormOfDevice(const at::Tensor& input,
    const OptionalTensor& weight, const OptionalTensor& bias, const OptionalTensor& runningMean,
    const OptionalTensor& runningVariance, bool isTraining, double momentum, double epsilon, bool allowsCudnn)
{
    const BatchNormArguments call{input, weight, bias, runningMean, runningVariance, isTraining, momentum, epsilon};
    if (KernelRules::activeOfCuda() != nullptr && allowsCudnn && usesCudnn(call))
        return std::tuple_cat(at::cudnn_batch_norm(input.contiguous(input.suggest_memory_format()), *weight, *bias,
                                  runningMean, runningVariance, isTraining, momentum, epsilon),
            std::make_tuple(std::int64_t{1}));
    return std::tuple_cat(
        at::native_batch_norm(input, weight, bias, runningMean, runningVariance, isTraining, momentum, epsilon),
        std::make_tuple(noNumbers(input, at::kByte), std::int64_t{0}));
}

FourTensors batchNormWithUpdate(const at::Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
    at::Tensor& runningMean, at::Tensor& runningVariance, double momentum, double epsilon)
{
    const BatchNormArguments call{input, weight, bias, runningMean, runningVariance, true, momentum, epsilon};
    if (KernelRules::activeOfCuda() != nullptr && usesCudnn(call))
        return cudnnBatchNorm(input, *weight, bias, runningMean, runningVariance, true, momentum, epsilon);
    return std::tuple_cat(batchNorm(input, weight, bias, runningMean, runningVariance, true, momentum, epsilon),
        std::make_tuple(noNumbers(input, at::kByte)));
}

ThreeTensors batchNormUpdateBackward(const at::Tensor&, const at::Tensor& input, const at::Tensor& weight,
    const OptionalTensor&, const OptionalTensor&, const OptionalTensor&, const OptionalTensor&, bool, double,
    std::array<bool, 3> wanted, const at::Tensor&)
{
    return gradients(input, weight, wanted);
}

std::tuple<at::Tensor, at::Tensor> batchNormStatistics(
    const at::Tensor& input, const OptionalTensor&, const OptionalTensor&, double)
{
    const bool isOnCuda = KernelRules::activeOfCuda() != nullptr;
    const at::ScalarType type = isOnCuda ? accumulationType(input) : input.scalar_type();
    at::Tensor mean = numberPerChannel(input, type);
    return {mean, numberPerChannel(input, type)};
}

} // namespace

void registerBatchNormKernels(torch::Library& kernels, torch::Library& composites)
{
    composites.impl("_batch_norm_impl_index", TORCH_FN(batchNormOfDevice));
    kernels.impl("native_batch_norm", TORCH_FN(batchNorm));
    kernels.impl("_native_batch_norm_legit", TORCH_FN(batchNormWithStatistics));
    kernels.impl("_native_batch_norm_legit.no_stats", TORCH_FN(batchNormWithoutStatistics));
    kernels.impl("native_batch_norm_backward", TORCH_FN(batchNormBackward));
    kernels.impl("cudnn_batch_norm", TORCH_FN(cudnnBatchNorm));
    kernels.impl("cudnn_batch_norm_backward", TORCH_FN(cudnnBatchNormBackward));
    kernels.impl("_batch_norm_with_update", TORCH_FN(batchNormWithUpdate));
    kernels.impl("batch_norm_backward", TORCH_FN(batchNormUpdateBackward));
    kernels.impl("batch_norm_update_stats", TORCH_FN(batchNormStatistics));
}

} // namespace headroom::collectors
