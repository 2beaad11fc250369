// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/dnn/CudnnDescriptors.h"

#include <algorithm>

namespace headroom::rehearsal::dnn {
namespace {

int outputExtent(int input, int padding, int window, int stride, int dilation)
{
    return stride < 1 ? 0 : (input + 2 * padding - ((window - 1) * dilation + 1)) / stride + 1;
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

} // namespace
} // namespace headroom::rehearsal::dnn

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::dnn;

HEADROOM_DESCRIPTOR(cudnnCreateActivationDescriptor, cudnnDestroyActivationDescriptor, ActivationDescriptor)
HEADROOM_DESCRIPTOR(cudnnCreatePoolingDescriptor, cudnnDestroyPoolingDescriptor, PoolingDescriptor)
HEADROOM_DESCRIPTOR(cudnnCreateLRNDescriptor, cudnnDestroyLRNDescriptor, NormalisationDescriptor)
HEADROOM_DESCRIPTOR(cudnnCreateOpTensorDescriptor, cudnnDestroyOpTensorDescriptor, OperationDescriptor)
HEADROOM_DESCRIPTOR(cudnnCreateReduceTensorDescriptor, cudnnDestroyReduceTensorDescriptor, ReductionDescriptor)
HEADROOM_DESCRIPTOR(
    cudnnCreateSpatialTransformerDescriptor, cudnnDestroySpatialTransformerDescriptor, TransformerDescriptor)
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
