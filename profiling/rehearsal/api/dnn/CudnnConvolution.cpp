// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/dnn/CudnnDescriptors.h"
#include "profiling/rehearsal/api/dnn/CudnnEngines.h"

#include <algorithm>

// Convolutions of the older interface: one algorithm each, with the workspace of the same convolution as a graph.
namespace headroom::rehearsal::dnn {
namespace {

/// Of cudnnConvolutionFwdAlgoPerf_t and its two relatives.
struct Performance {
    int algorithm;
    int status;
    float milliseconds;
    std::size_t bytes;
    int determinism;
    int mathType;
    int reserved[3];
};
static_assert(sizeof(Performance) == 48);

constexpr int kImplicitProduct = 1; // deterministic, in all three directions

std::shared_ptr<Content> tensorContent(const TensorDescriptor& tensor)
{
    auto content = std::make_shared<Content>(kind::Tensor);
    AttributeValue type{value_type::DataType, 1, std::vector<char>(sizeof(int)), {}};
    std::memcpy(type.bytes.data(), &tensor.dataType, sizeof(int));
    content->attributes[attribute::TensorDataType] = type;
    const auto store = [&](int name, const std::array<int, kMostDimensions>& from) {
        std::vector<std::int64_t> numbers(from.begin(), from.begin() + tensor.dimensions);
        AttributeValue value{
            value_type::Int64, tensor.dimensions, std::vector<char>(numbers.size() * sizeof(std::int64_t)), {}};
        std::memcpy(value.bytes.data(), numbers.data(), value.bytes.size());
        content->attributes[name] = value;
    };
    store(attribute::TensorDimensions, tensor.extents);
    store(attribute::TensorStrides, tensor.strides);
    content->isFinal = true;
    return content;
}

std::int64_t convolutionBytes(const void* x, const void* w, const void* y)
{
    auto operation = std::make_shared<Content>(kind::ConvolutionForward);
    operation->setDescriptor(attribute::ForwardX, tensorContent(*static_cast<const TensorDescriptor*>(x)));
    operation->setDescriptor(attribute::ForwardW, tensorContent(*static_cast<const TensorDescriptor*>(w)));
    operation->setDescriptor(attribute::ForwardY, tensorContent(*static_cast<const TensorDescriptor*>(y)));
    operation->setDescriptor(attribute::ForwardConvolution, std::make_shared<Content>(kind::Convolution));
    Content graph(kind::OperationGraph);
    graph.setDescriptor(attribute::GraphOperations, operation);
    return estimatedWorkspace(graph).counted;
}

int answerSize(void* handle, const void* x, const void* w, const void* y, std::size_t* bytes)
{
    if (handleOf(handle) == nullptr || x == nullptr || w == nullptr || y == nullptr || bytes == nullptr)
        return badParameter();
    *bytes = static_cast<std::size_t>(convolutionBytes(x, w, y));
    return kSuccess;
}

int answerAlgorithms(void* handle, const void* x, const void* w, const void* y, const void* convolution, int wanted,
    int* found, Performance* results)
{
    if (wanted < 1 || found == nullptr || results == nullptr || convolution == nullptr)
        return badParameter();
    Performance best{};
    if (const int result = answerSize(handle, x, w, y, &best.bytes); result != kSuccess)
        return result;
    best.algorithm = kImplicitProduct;
    best.milliseconds = 1;
    best.determinism = 1;
    best.mathType = static_cast<const ConvolutionDescriptor*>(convolution)->mathType;
    results[0] = best;
    *found = 1;
    return kSuccess;
}

int oneAlgorithm(int* count)
{
    if (count == nullptr)
        return badParameter();
    *count = 1;
    return kSuccess;
}

int convolutionOutput(int input, int padding, int window, int stride, int dilation)
{
    return stride < 1 ? 0 : (input + 2 * padding - ((window - 1) * dilation + 1)) / stride + 1;
}

} // namespace
} // namespace headroom::rehearsal::dnn

using namespace headroom::rehearsal::dnn;

HEADROOM_DESCRIPTOR(cudnnCreateConvolutionDescriptor, cudnnDestroyConvolutionDescriptor, ConvolutionDescriptor)

#define HEADROOM_CONVOLUTION_VALUE(NAME, MEMBER)                                                                       \
    HEADROOM_CARD_API int cudnnSetConvolution##NAME(void* convolution, int value)                                      \
    {                                                                                                                  \
        if (convolution == nullptr)                                                                                    \
            return badParameter();                                                                                     \
        static_cast<ConvolutionDescriptor*>(convolution)->MEMBER = value;                                              \
        return kSuccess;                                                                                               \
    }                                                                                                                  \
    HEADROOM_CARD_API int cudnnGetConvolution##NAME(const void* convolution, int* value)                               \
    {                                                                                                                  \
        if (convolution == nullptr || value == nullptr)                                                                \
            return badParameter();                                                                                     \
        *value = static_cast<const ConvolutionDescriptor*>(convolution)->MEMBER;                                       \
        return kSuccess;                                                                                               \
    }
HEADROOM_CONVOLUTION_VALUE(MathType, mathType)
HEADROOM_CONVOLUTION_VALUE(GroupCount, groups)
HEADROOM_CONVOLUTION_VALUE(ReorderType, reorderType)

HEADROOM_CARD_API int cudnnSetConvolutionNdDescriptor(void* convolution, int dimensions, const int* paddings,
    const int* strides, const int* dilations, int mode, int computeType)
{
    if (convolution == nullptr || dimensions < 1 || dimensions > kMostDimensions || paddings == nullptr
        || strides == nullptr || dilations == nullptr)
        return badParameter();
    auto& own = *static_cast<ConvolutionDescriptor*>(convolution);
    own.dimensions = dimensions;
    std::copy_n(paddings, dimensions, own.paddings.begin());
    std::copy_n(strides, dimensions, own.strides.begin());
    std::copy_n(dilations, dimensions, own.dilations.begin());
    own.mode = mode;
    own.computeType = computeType;
    return kSuccess;
}

HEADROOM_CARD_API int cudnnGetConvolutionNdDescriptor(const void* convolution, int wanted, int* dimensions,
    int* paddings, int* strides, int* dilations, int* mode, int* computeType)
{
    if (convolution == nullptr || wanted < 0)
        return badParameter();
    const auto& own = *static_cast<const ConvolutionDescriptor*>(convolution);
    const int given = std::min(wanted, own.dimensions);
    tell(dimensions, own.dimensions);
    if (paddings != nullptr)
        std::copy_n(own.paddings.begin(), given, paddings);
    if (strides != nullptr)
        std::copy_n(own.strides.begin(), given, strides);
    if (dilations != nullptr)
        std::copy_n(own.dilations.begin(), given, dilations);
    tell(mode, own.mode);
    tell(computeType, own.computeType);
    return kSuccess;
}

HEADROOM_CARD_API int cudnnSetConvolution2dDescriptor(void* convolution, int paddingHeight, int paddingWidth,
    int strideHeight, int strideWidth, int dilationHeight, int dilationWidth, int mode, int computeType)
{
    const int paddings[] = {paddingHeight, paddingWidth};
    const int strides[] = {strideHeight, strideWidth};
    const int dilations[] = {dilationHeight, dilationWidth};
    return cudnnSetConvolutionNdDescriptor(convolution, 2, paddings, strides, dilations, mode, computeType);
}

HEADROOM_CARD_API int cudnnGetConvolution2dDescriptor(const void* convolution, int* paddingHeight, int* paddingWidth,
    int* strideHeight, int* strideWidth, int* dilationHeight, int* dilationWidth, int* mode, int* computeType)
{
    if (convolution == nullptr)
        return badParameter();
    const auto& own = *static_cast<const ConvolutionDescriptor*>(convolution);
    tell(paddingHeight, own.paddings[0]);
    tell(paddingWidth, own.paddings[1]);
    tell(strideHeight, own.strides[0]);
    tell(strideWidth, own.strides[1]);
    tell(dilationHeight, own.dilations[0]);
    tell(dilationWidth, own.dilations[1]);
    tell(mode, own.mode);
    tell(computeType, own.computeType);
    return kSuccess;
}

HEADROOM_CARD_API int cudnnGetConvolutionNdForwardOutputDim(
    const void* convolution, const void* input, const void* filter, int dimensions, int* extents)
{
    if (convolution == nullptr || input == nullptr || filter == nullptr || extents == nullptr)
        return badParameter();
    const auto& own = *static_cast<const ConvolutionDescriptor*>(convolution);
    const auto& x = *static_cast<const TensorDescriptor*>(input);
    const auto& w = *static_cast<const TensorDescriptor*>(filter);
    if (dimensions != own.dimensions + 2 || x.dimensions != dimensions || w.dimensions != dimensions)
        return badParameter();
    extents[0] = x.extents[0];
    extents[1] = w.extents[0];
    for (std::size_t place = 0; place < static_cast<std::size_t>(own.dimensions); ++place)
        extents[place + 2] = convolutionOutput(
            x.extents[place + 2], own.paddings[place], w.extents[place + 2], own.strides[place], own.dilations[place]);
    return kSuccess;
}

HEADROOM_CARD_API int cudnnGetConvolution2dForwardOutputDim(
    const void* convolution, const void* input, const void* filter, int* n, int* c, int* h, int* w)
{
    int extents[4] = {};
    const int result = cudnnGetConvolutionNdForwardOutputDim(convolution, input, filter, 4, extents);
    if (result != kSuccess)
        return result;
    tell(n, extents[0]);
    tell(c, extents[1]);
    tell(h, extents[2]);
    tell(w, extents[3]);
    return kSuccess;
}

HEADROOM_CARD_API int cudnnGetConvolutionForwardAlgorithmMaxCount(void*, int* count)
{
    return oneAlgorithm(count);
}

HEADROOM_CARD_API int cudnnGetConvolutionBackwardDataAlgorithmMaxCount(void*, int* count)
{
    return oneAlgorithm(count);
}

HEADROOM_CARD_API int cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(void*, int* count)
{
    return oneAlgorithm(count);
}

HEADROOM_CARD_API int cudnnGetConvolutionForwardWorkspaceSize(
    void* handle, const void* x, const void* w, const void*, const void* y, int, std::size_t* bytes)
{
    return answerSize(handle, x, w, y, bytes);
}

HEADROOM_CARD_API int cudnnGetConvolutionBackwardDataWorkspaceSize(
    void* handle, const void* w, const void* dy, const void*, const void* dx, int, std::size_t* bytes)
{
    return answerSize(handle, dx, w, dy, bytes);
}

HEADROOM_CARD_API int cudnnGetConvolutionBackwardFilterWorkspaceSize(
    void* handle, const void* x, const void* dy, const void*, const void* dw, int, std::size_t* bytes)
{
    return answerSize(handle, x, dw, dy, bytes);
}

HEADROOM_CARD_API int cudnnGetConvolutionForwardAlgorithm_v7(void* handle, const void* x, const void* w,
    const void* convolution, const void* y, int wanted, int* found, Performance* results)
{
    return answerAlgorithms(handle, x, w, y, convolution, wanted, found, results);
}

HEADROOM_CARD_API int cudnnGetConvolutionBackwardDataAlgorithm_v7(void* handle, const void* w, const void* dy,
    const void* convolution, const void* dx, int wanted, int* found, Performance* results)
{
    return answerAlgorithms(handle, dx, w, dy, convolution, wanted, found, results);
}

HEADROOM_CARD_API int cudnnGetConvolutionBackwardFilterAlgorithm_v7(void* handle, const void* x, const void* dy,
    const void* convolution, const void* dw, int wanted, int* found, Performance* results)
{
    return answerAlgorithms(handle, x, dw, dy, convolution, wanted, found, results);
}

HEADROOM_CARD_API int cudnnFindConvolutionForwardAlgorithm(void* handle, const void* x, const void* w,
    const void* convolution, const void* y, int wanted, int* found, Performance* results)
{
    return answerAlgorithms(handle, x, w, y, convolution, wanted, found, results);
}

HEADROOM_CARD_API int cudnnFindConvolutionBackwardDataAlgorithm(void* handle, const void* w, const void* dy,
    const void* convolution, const void* dx, int wanted, int* found, Performance* results)
{
    return answerAlgorithms(handle, dx, w, dy, convolution, wanted, found, results);
}

HEADROOM_CARD_API int cudnnFindConvolutionBackwardFilterAlgorithm(void* handle, const void* x, const void* dy,
    const void* convolution, const void* dw, int wanted, int* found, Performance* results)
{
    return answerAlgorithms(handle, x, dw, dy, convolution, wanted, found, results);
}

HEADROOM_CARD_API int cudnnFindConvolutionForwardAlgorithmEx(void* handle, const void* x, const void*, const void* w,
    const void*, const void* convolution, const void* y, void*, int wanted, int* found, Performance* results, void*,
    std::size_t)
{
    return answerAlgorithms(handle, x, w, y, convolution, wanted, found, results);
}

HEADROOM_CARD_API int cudnnFindConvolutionBackwardDataAlgorithmEx(void* handle, const void* w, const void*,
    const void* dy, const void*, const void* convolution, const void* dx, void*, int wanted, int* found,
    Performance* results, void*, std::size_t)
{
    return answerAlgorithms(handle, dx, w, dy, convolution, wanted, found, results);
}

HEADROOM_CARD_API int cudnnFindConvolutionBackwardFilterAlgorithmEx(void* handle, const void* x, const void*,
    const void* dy, const void*, const void* convolution, const void* dw, void*, int wanted, int* found,
    Performance* results, void*, std::size_t)
{
    return answerAlgorithms(handle, x, dw, dy, convolution, wanted, found, results);
}
