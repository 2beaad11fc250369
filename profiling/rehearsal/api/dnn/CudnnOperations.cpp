// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/api/dnn/CudnnDescriptors.h"
#include "profiling/rehearsal/api/Exported.h"

#include <algorithm>

namespace headroom::rehearsal::dnn {
namespace {

int outputExtent(int input, int padding, int window, int stride, int dilation)
{
    return stride < 1 ? 0 : (input + 2 * padding - ((window - 1) * dilation + 1)) / stride + 1;
}

// A state of XORWOW is 48 bytes, and each thread that can run at a time has one.
std::size_t dropoutStateBytes()
{
    constexpr std::size_t kStateBytes = 48;
    return kStateBytes * static_cast<std::size_t>(card().multiprocessors)
        * static_cast<std::size_t>(card().threadsPerMultiprocessor);
}

// Sums of two kinds for each channel and multiprocessor, in single precision.
std::size_t partialSums(const void* tensor)
{
    const auto& of = *static_cast<const TensorDescriptor*>(tensor);
    return 2 * sizeof(float) * static_cast<std::size_t>(std::max(of.extents[1], 0))
        * static_cast<std::size_t>(card().multiprocessors);
}

// No formula is published. Nothing is counted.
int answerUpTo(const char* function, std::size_t most, std::size_t* bytes)
{
    if (bytes == nullptr)
        return badParameter();
    *bytes = 0;
    if (most > 0)
        noteNotCounted("cuDNN", function, 0, most);
    return kSuccess;
}

int setDropout(void* dropout, void* handle, float rate, void* states, unsigned long long seed)
{
    if (dropout == nullptr || handleOf(handle) == nullptr)
        return badParameter();
    *static_cast<DropoutDescriptor*>(dropout) = {rate, states, seed};
    return kSuccess;
}

// Forward variables of each step and state: 2 L + 1 states for L labels, and as many backward.
std::size_t lossBytes(const void* probabilities, int labels)
{
    const auto& of = *static_cast<const TensorDescriptor*>(probabilities);
    const std::size_t steps = static_cast<std::size_t>(std::max(of.extents[0], 0));
    const std::size_t batch = static_cast<std::size_t>(std::max(of.extents[1], 0));
    return 2 * sizeof(float) * steps * batch * (2 * static_cast<std::size_t>(std::max(labels, 0)) + 1);
}

int answerLoss(void* handle, const void* probabilities, int labels, std::size_t* bytes)
{
    if (handleOf(handle) == nullptr || probabilities == nullptr || bytes == nullptr)
        return badParameter();
    *bytes = lossBytes(probabilities, labels);
    noteNotCounted("cuDNN", "cudnnCTCLoss", 0, *bytes);
    return kSuccess;
}

int setLoss(void* loss, const LossDescriptor& values)
{
    if (loss == nullptr)
        return badParameter();
    *static_cast<LossDescriptor*>(loss) = values;
    return kSuccess;
}

} // namespace
} // namespace headroom::rehearsal::dnn

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::dnn;

HEADROOM_DESCRIPTOR(cudnnCreateActivationDescriptor, cudnnDestroyActivationDescriptor, ActivationDescriptor)
HEADROOM_DESCRIPTOR(cudnnCreatePoolingDescriptor, cudnnDestroyPoolingDescriptor, PoolingDescriptor)
HEADROOM_DESCRIPTOR(cudnnCreateLRNDescriptor, cudnnDestroyLRNDescriptor, NormalisationDescriptor)
HEADROOM_DESCRIPTOR(cudnnCreateOpTensorDescriptor, cudnnDestroyOpTensorDescriptor, OperationDescriptor)
HEADROOM_DESCRIPTOR(cudnnCreateReduceTensorDescriptor, cudnnDestroyReduceTensorDescriptor, ReductionDescriptor)
HEADROOM_DESCRIPTOR(cudnnCreateDropoutDescriptor, cudnnDestroyDropoutDescriptor, DropoutDescriptor)
HEADROOM_DESCRIPTOR(
    cudnnCreateSpatialTransformerDescriptor, cudnnDestroySpatialTransformerDescriptor, TransformerDescriptor)
HEADROOM_DESCRIPTOR(cudnnCreateCTCLossDescriptor, cudnnDestroyCTCLossDescriptor, LossDescriptor)
HEADROOM_DESCRIPTOR(cudnnCreateTensorTransformDescriptor, cudnnDestroyTensorTransformDescriptor, LayoutDescriptor)

// Activations.
HEADROOM_CARD_API int cudnnSetActivationDescriptor(void* activation, int mode, int nanPropagation, double coefficient)
{
    if (activation == nullptr)
        return badParameter();
    auto& own = *static_cast<ActivationDescriptor*>(activation);
    own.mode = mode;
    own.nanPropagation = nanPropagation;
    own.coefficient = coefficient;
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetActivationDescriptor(
    const void* activation, int* mode, int* nanPropagation, double* coefficient)
{
    if (activation == nullptr)
        return badParameter();
    const auto& own = *static_cast<const ActivationDescriptor*>(activation);
    tell(mode, own.mode);
    tell(nanPropagation, own.nanPropagation);
    tell(coefficient, own.coefficient);
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnSetActivationDescriptorSwishBeta(void* activation, double beta)
{
    if (activation == nullptr)
        return badParameter();
    static_cast<ActivationDescriptor*>(activation)->swishBeta = beta;
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetActivationDescriptorSwishBeta(const void* activation, double* beta)
{
    if (activation == nullptr || beta == nullptr)
        return badParameter();
    *beta = static_cast<const ActivationDescriptor*>(activation)->swishBeta;
    return dnn::kSuccess;
}

// Pooling.
HEADROOM_CARD_API int cudnnSetPoolingNdDescriptor(void* pooling, int mode, int nanPropagation, int dimensions,
    const int* windows, const int* paddings, const int* strides)
{
    if (pooling == nullptr || dimensions < 1 || dimensions > kMostDimensions || windows == nullptr
        || paddings == nullptr || strides == nullptr)
        return badParameter();
    auto& own = *static_cast<PoolingDescriptor*>(pooling);
    own.mode = mode;
    own.nanPropagation = nanPropagation;
    own.dimensions = dimensions;
    std::copy_n(windows, dimensions, own.windows.begin());
    std::copy_n(paddings, dimensions, own.paddings.begin());
    std::copy_n(strides, dimensions, own.strides.begin());
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetPoolingNdDescriptor(const void* pooling, int wanted, int* mode, int* nanPropagation,
    int* dimensions, int* windows, int* paddings, int* strides)
{
    if (pooling == nullptr || wanted < 0)
        return badParameter();
    const auto& own = *static_cast<const PoolingDescriptor*>(pooling);
    const int given = std::min(wanted, own.dimensions);
    tell(mode, own.mode);
    tell(nanPropagation, own.nanPropagation);
    tell(dimensions, own.dimensions);
    if (windows != nullptr)
        std::copy_n(own.windows.begin(), given, windows);
    if (paddings != nullptr)
        std::copy_n(own.paddings.begin(), given, paddings);
    if (strides != nullptr)
        std::copy_n(own.strides.begin(), given, strides);
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnSetPooling2dDescriptor(void* pooling, int mode, int nanPropagation, int windowHeight,
    int windowWidth, int paddingHeight, int paddingWidth, int strideHeight, int strideWidth)
{
    const int windows[] = {windowHeight, windowWidth};
    const int paddings[] = {paddingHeight, paddingWidth};
    const int strides[] = {strideHeight, strideWidth};
    return cudnnSetPoolingNdDescriptor(pooling, mode, nanPropagation, 2, windows, paddings, strides);
}

HEADROOM_CARD_API int cudnnGetPooling2dDescriptor(const void* pooling, int* mode, int* nanPropagation,
    int* windowHeight, int* windowWidth, int* paddingHeight, int* paddingWidth, int* strideHeight, int* strideWidth)
{
    if (pooling == nullptr)
        return badParameter();
    const auto& own = *static_cast<const PoolingDescriptor*>(pooling);
    tell(mode, own.mode);
    tell(nanPropagation, own.nanPropagation);
    tell(windowHeight, own.windows[0]);
    tell(windowWidth, own.windows[1]);
    tell(paddingHeight, own.paddings[0]);
    tell(paddingWidth, own.paddings[1]);
    tell(strideHeight, own.strides[0]);
    tell(strideWidth, own.strides[1]);
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetPoolingNdForwardOutputDim(
    const void* pooling, const void* input, int dimensions, int* extents)
{
    if (pooling == nullptr || input == nullptr || extents == nullptr)
        return badParameter();
    const auto& own = *static_cast<const PoolingDescriptor*>(pooling);
    const auto& from = *static_cast<const TensorDescriptor*>(input);
    if (dimensions != own.dimensions + 2 || dimensions != from.dimensions)
        return badParameter();
    std::copy_n(from.extents.begin(), 2, extents);
    for (std::size_t place = 0; place < static_cast<std::size_t>(own.dimensions); ++place)
        extents[place + 2] =
            outputExtent(from.extents[place + 2], own.paddings[place], own.windows[place], own.strides[place], 1);
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetPooling2dForwardOutputDim(
    const void* pooling, const void* input, int* n, int* c, int* h, int* w)
{
    int extents[4] = {};
    const int result = cudnnGetPoolingNdForwardOutputDim(pooling, input, 4, extents);
    if (result != dnn::kSuccess)
        return result;
    tell(n, extents[0]);
    tell(c, extents[1]);
    tell(h, extents[2]);
    tell(w, extents[3]);
    return dnn::kSuccess;
}

// Local response normalisation.
HEADROOM_CARD_API int cudnnSetLRNDescriptor(void* lrn, unsigned window, double alpha, double beta, double k)
{
    if (lrn == nullptr)
        return badParameter();
    *static_cast<NormalisationDescriptor*>(lrn) = {window, alpha, beta, k};
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetLRNDescriptor(const void* lrn, unsigned* window, double* alpha, double* beta, double* k)
{
    if (lrn == nullptr)
        return badParameter();
    const auto& own = *static_cast<const NormalisationDescriptor*>(lrn);
    tell(window, own.window);
    tell(alpha, own.alpha);
    tell(beta, own.beta);
    tell(k, own.k);
    return dnn::kSuccess;
}

// Operations on tensors and reductions.
HEADROOM_CARD_API int cudnnSetOpTensorDescriptor(void* operation, int kind, int computeType, int nanPropagation)
{
    if (operation == nullptr)
        return badParameter();
    *static_cast<OperationDescriptor*>(operation) = {kind, computeType, nanPropagation};
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetOpTensorDescriptor(
    const void* operation, int* kind, int* computeType, int* nanPropagation)
{
    if (operation == nullptr)
        return badParameter();
    const auto& own = *static_cast<const OperationDescriptor*>(operation);
    tell(kind, own.operation);
    tell(computeType, own.computeType);
    tell(nanPropagation, own.nanPropagation);
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnSetReduceTensorDescriptor(
    void* reduction, int kind, int computeType, int nanPropagation, int indices, int indicesType)
{
    if (reduction == nullptr)
        return badParameter();
    *static_cast<ReductionDescriptor*>(reduction) = {kind, computeType, nanPropagation, indices, indicesType};
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetReduceTensorDescriptor(
    const void* reduction, int* kind, int* computeType, int* nanPropagation, int* indices, int* indicesType)
{
    if (reduction == nullptr)
        return badParameter();
    const auto& own = *static_cast<const ReductionDescriptor*>(reduction);
    tell(kind, own.operation);
    tell(computeType, own.computeType);
    tell(nanPropagation, own.nanPropagation);
    tell(indices, own.indices);
    tell(indicesType, own.indicesType);
    return dnn::kSuccess;
}

// One index of 32 bits for each element of the result.
HEADROOM_CARD_API int cudnnGetReductionIndicesSize(
    void* handle, const void* reduction, const void*, const void* result, std::size_t* bytes)
{
    if (dnn::handleOf(handle) == nullptr || reduction == nullptr || result == nullptr || bytes == nullptr)
        return badParameter();
    const bool hasIndices = static_cast<const ReductionDescriptor*>(reduction)->indices != 0;
    *bytes = hasIndices ? static_cast<const TensorDescriptor*>(result)->elements() * sizeof(std::int32_t) : 0;
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetReductionWorkspaceSize(
    void* handle, const void*, const void* input, const void*, std::size_t* bytes)
{
    if (dnn::handleOf(handle) == nullptr || input == nullptr)
        return badParameter();
    return answerUpTo(
        "cudnnReduceTensor", static_cast<const TensorDescriptor*>(input)->elements() * sizeof(float), bytes);
}

// Dropout.
HEADROOM_CARD_API int cudnnDropoutGetStatesSize(void* handle, std::size_t* bytes)
{
    if (dnn::handleOf(handle) == nullptr || bytes == nullptr)
        return badParameter();
    *bytes = dropoutStateBytes();
    return dnn::kSuccess;
}

// One bit for each element.
HEADROOM_CARD_API int cudnnDropoutGetReserveSpaceSize(const void* tensor, std::size_t* bytes)
{
    if (tensor == nullptr || bytes == nullptr)
        return badParameter();
    *bytes = (static_cast<const TensorDescriptor*>(tensor)->elements() + 7) / 8;
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnSetDropoutDescriptor(
    void* dropout, void* handle, float rate, void* states, std::size_t bytes, unsigned long long seed)
{
    if (states != nullptr && bytes < dropoutStateBytes())
        return dnn::status(Problem::BadParameter);
    if (states != nullptr)
        dnn::launchOn(handle, "cudnnSetDropoutDescriptor"); // makes the states
    return setDropout(dropout, handle, rate, states, seed);
}

HEADROOM_CARD_API int cudnnRestoreDropoutDescriptor(
    void* dropout, void* handle, float rate, void* states, std::size_t, unsigned long long seed)
{
    return setDropout(dropout, handle, rate, states, seed);
}

HEADROOM_CARD_API int cudnnGetDropoutDescriptor(
    const void* dropout, void*, float* rate, void** states, unsigned long long* seed)
{
    if (dropout == nullptr)
        return badParameter();
    const auto& own = *static_cast<const DropoutDescriptor*>(dropout);
    tell(rate, own.dropout);
    tell(states, own.states);
    tell(seed, own.seed);
    return dnn::kSuccess;
}

// Spatial transformers.
HEADROOM_CARD_API int cudnnSetSpatialTransformerNdDescriptor(
    void* transformer, int samplerType, int dataType, int dimensions, const int* extents)
{
    if (transformer == nullptr)
        return badParameter();
    auto& own = *static_cast<TransformerDescriptor*>(transformer);
    own.samplerType = samplerType;
    if (dimensions < 1 || dimensions > kMostDimensions || extents == nullptr)
        return badParameter();
    own.output.dataType = dataType;
    own.output.dimensions = dimensions;
    std::copy_n(extents, dimensions, own.output.extents.begin());
    return dnn::kSuccess;
}

// Connectionist temporal classification.
HEADROOM_CARD_API int cudnnSetCTCLossDescriptor(void* loss, int computeType)
{
    return setLoss(loss, {computeType, 0, 0, 0});
}

HEADROOM_CARD_API int cudnnSetCTCLossDescriptorEx(void* loss, int computeType, int normalisation, int gradientMode)
{
    return setLoss(loss, {computeType, normalisation, gradientMode, 0});
}

HEADROOM_CARD_API int cudnnSetCTCLossDescriptor_v8(
    void* loss, int computeType, int normalisation, int gradientMode, int mostLabels)
{
    return setLoss(loss, {computeType, normalisation, gradientMode, mostLabels});
}

HEADROOM_CARD_API int cudnnSetCTCLossDescriptor_v9(
    void* loss, int computeType, int normalisation, int gradientMode, int mostLabels)
{
    return setLoss(loss, {computeType, normalisation, gradientMode, mostLabels});
}

HEADROOM_CARD_API int cudnnGetCTCLossDescriptor_v9(
    const void* loss, int* computeType, int* normalisation, int* gradientMode, int* mostLabels)
{
    if (loss == nullptr)
        return badParameter();
    const auto& own = *static_cast<const LossDescriptor*>(loss);
    tell(computeType, own.computeType);
    tell(normalisation, own.normalisation);
    tell(gradientMode, own.gradientMode);
    tell(mostLabels, own.mostLabels);
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetCTCLossDescriptor_v8(
    const void* loss, int* computeType, int* normalisation, int* gradientMode, int* mostLabels)
{
    return cudnnGetCTCLossDescriptor_v9(loss, computeType, normalisation, gradientMode, mostLabels);
}

HEADROOM_CARD_API int cudnnGetCTCLossDescriptorEx(
    const void* loss, int* computeType, int* normalisation, int* gradientMode)
{
    return cudnnGetCTCLossDescriptor_v9(loss, computeType, normalisation, gradientMode, nullptr);
}

HEADROOM_CARD_API int cudnnGetCTCLossDescriptor(const void* loss, int* computeType)
{
    return cudnnGetCTCLossDescriptor_v9(loss, computeType, nullptr, nullptr, nullptr);
}

// The lengths of the labels are on the host in the older call, and bounded by the descriptor in the newer.
HEADROOM_CARD_API int cudnnGetCTCLossWorkspaceSize(void* handle, const void* probabilities, const void*, const int*,
    const int* labelLengths, const int*, int, void*, std::size_t* bytes)
{
    if (probabilities == nullptr || labelLengths == nullptr)
        return badParameter();
    const int batch = static_cast<const TensorDescriptor*>(probabilities)->extents[1];
    const int longest = batch < 1 ? 0 : *std::max_element(labelLengths, labelLengths + batch);
    return answerLoss(handle, probabilities, longest, bytes);
}

HEADROOM_CARD_API int cudnnGetCTCLossWorkspaceSize_v8(
    void* handle, int, void* loss, const void* probabilities, const void*, std::size_t* bytes)
{
    if (loss == nullptr)
        return badParameter();
    return answerLoss(handle, probabilities, static_cast<const LossDescriptor*>(loss)->mostLabels, bytes);
}

// Batch normalisation.
HEADROOM_CARD_API int cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
    void* handle, int, int, const void* input, const void*, const void*, const void*, const void*, std::size_t* bytes)
{
    if (dnn::handleOf(handle) == nullptr || input == nullptr)
        return badParameter();
    return answerUpTo("cudnnBatchNormalizationForwardTrainingEx", partialSums(input), bytes);
}

HEADROOM_CARD_API int cudnnGetBatchNormalizationBackwardExWorkspaceSize(void* handle, int, int, const void* input,
    const void*, const void*, const void*, const void*, const void*, const void*, std::size_t* bytes)
{
    if (dnn::handleOf(handle) == nullptr || input == nullptr)
        return badParameter();
    return answerUpTo("cudnnBatchNormalizationBackwardEx", partialSums(input), bytes);
}

// With an activation, one bit for each element says where it was cut off; without one nothing is kept.
HEADROOM_CARD_API int cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
    void* handle, int, int operations, const void*, const void* input, std::size_t* bytes)
{
    constexpr int kNormalisationAlone = 0;
    if (dnn::handleOf(handle) == nullptr || input == nullptr || bytes == nullptr)
        return badParameter();
    const std::size_t elements = static_cast<const TensorDescriptor*>(input)->elements();
    *bytes = operations == kNormalisationAlone ? 0 : (elements + 7) / 8;
    return dnn::kSuccess;
}

// Layouts.
HEADROOM_CARD_API int cudnnSetTensorTransformDescriptor(void* layout, unsigned dimensions, int format,
    const int* before, const int* after, const unsigned* folds, int direction)
{
    if (layout == nullptr || dimensions < 1 || dimensions > static_cast<unsigned>(kMostDimensions))
        return badParameter();
    auto& own = *static_cast<LayoutDescriptor*>(layout);
    own = {};
    own.dimensions = dimensions;
    own.format = format;
    own.direction = direction;
    if (before != nullptr)
        std::copy_n(before, dimensions, own.before.begin());
    if (after != nullptr)
        std::copy_n(after, dimensions, own.after.begin());
    if (folds != nullptr)
        std::copy_n(folds, dimensions, own.folds.begin());
    return dnn::kSuccess;
}
