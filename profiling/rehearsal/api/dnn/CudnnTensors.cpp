// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/dnn/CudnnDescriptors.h"

#include <algorithm>

namespace headroom::rehearsal::dnn {
namespace {

constexpr int kChannelsLast = 1; // cudnnTensorFormat_t

bool areDimensions(int dimensions)
{
    return dimensions >= 1 && dimensions <= kMostDimensions;
}

int setTensor(void* descriptor, int dataType, int dimensions, const int* extents, const int* strides)
{
    if (descriptor == nullptr || !areDimensions(dimensions) || extents == nullptr)
        return badParameter();
    auto& own = *static_cast<TensorDescriptor*>(descriptor);
    own = {};
    own.dataType = dataType;
    own.dimensions = dimensions;
    std::copy_n(extents, dimensions, own.extents.begin());
    if (strides == nullptr)
        own.packStrides();
    else
        std::copy_n(strides, dimensions, own.strides.begin());
    return kSuccess;
}

int setFormatted(void* descriptor, int format, int dataType, int dimensions, const int* extents)
{
    const int result = setTensor(descriptor, dataType, dimensions, extents, nullptr);
    if (result != kSuccess)
        return result;
    auto& own = *static_cast<TensorDescriptor*>(descriptor);
    own.format = format;
    own.packStrides();
    return kSuccess;
}

} // namespace

std::size_t TensorDescriptor::elements() const
{
    std::size_t count = 1;
    for (int place = 0; place < dimensions; ++place)
        count *= static_cast<std::size_t>(std::max(extents[static_cast<std::size_t>(place)], 0));
    return count;
}

std::size_t TensorDescriptor::bytes() const
{
    if (elements() == 0)
        return 0;
    std::size_t last = 0;
    for (std::size_t place = 0; place < static_cast<std::size_t>(dimensions); ++place)
        last += static_cast<std::size_t>(extents[place] - 1) * static_cast<std::size_t>(std::max(strides[place], 0));
    return (last + 1) * elementBytes(dataType);
}

void TensorDescriptor::packStrides()
{
    int stride = 1;
    const bool isLast = format == kChannelsLast && dimensions > 2;
    if (isLast) {
        strides[1] = 1;
        stride = extents[1];
    }
    for (int place = dimensions - 1; place >= 0; --place) {
        if (isLast && place == 1)
            continue;
        strides[static_cast<std::size_t>(place)] = stride;
        stride *= extents[static_cast<std::size_t>(place)];
    }
}

} // namespace headroom::rehearsal::dnn

using namespace headroom::rehearsal::dnn;

HEADROOM_DESCRIPTOR(cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor, TensorDescriptor)
HEADROOM_DESCRIPTOR(cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor, TensorDescriptor)

HEADROOM_CARD_API int cudnnSetTensor4dDescriptor(void* tensor, int format, int dataType, int n, int c, int h, int w)
{
    const int extents[] = {n, c, h, w};
    return setFormatted(tensor, format, dataType, 4, extents);
}

HEADROOM_CARD_API int cudnnSetTensor4dDescriptorEx(
    void* tensor, int dataType, int n, int c, int h, int w, int strideN, int strideC, int strideH, int strideW)
{
    const int extents[] = {n, c, h, w};
    const int strides[] = {strideN, strideC, strideH, strideW};
    return setTensor(tensor, dataType, 4, extents, strides);
}

HEADROOM_CARD_API int cudnnGetTensor4dDescriptor(const void* tensor, int* dataType, int* n, int* c, int* h, int* w,
    int* strideN, int* strideC, int* strideH, int* strideW)
{
    if (tensor == nullptr)
        return badParameter();
    const auto& own = *static_cast<const TensorDescriptor*>(tensor);
    tell(dataType, own.dataType);
    tell(n, own.extents[0]);
    tell(c, own.extents[1]);
    tell(h, own.extents[2]);
    tell(w, own.extents[3]);
    tell(strideN, own.strides[0]);
    tell(strideC, own.strides[1]);
    tell(strideH, own.strides[2]);
    tell(strideW, own.strides[3]);
    return kSuccess;
}

HEADROOM_CARD_API int cudnnSetTensorNdDescriptor(
    void* tensor, int dataType, int dimensions, const int* extents, const int* strides)
{
    return strides == nullptr ? badParameter() : setTensor(tensor, dataType, dimensions, extents, strides);
}

HEADROOM_CARD_API int cudnnSetTensorNdDescriptorEx(
    void* tensor, int format, int dataType, int dimensions, const int* extents)
{
    return setFormatted(tensor, format, dataType, dimensions, extents);
}

HEADROOM_CARD_API int cudnnGetTensorNdDescriptor(
    const void* tensor, int wanted, int* dataType, int* dimensions, int* extents, int* strides)
{
    if (tensor == nullptr || wanted < 0)
        return badParameter();
    const auto& own = *static_cast<const TensorDescriptor*>(tensor);
    const int given = std::min(wanted, own.dimensions);
    tell(dataType, own.dataType);
    tell(dimensions, own.dimensions);
    if (extents != nullptr)
        std::copy_n(own.extents.begin(), given, extents);
    if (strides != nullptr)
        std::copy_n(own.strides.begin(), given, strides);
    return kSuccess;
}

HEADROOM_CARD_API int cudnnGetTensorSizeInBytes(const void* tensor, std::size_t* bytes)
{
    if (tensor == nullptr || bytes == nullptr)
        return badParameter();
    *bytes = static_cast<const TensorDescriptor*>(tensor)->bytes();
    return kSuccess;
}

HEADROOM_CARD_API int cudnnSetFilter4dDescriptor(void* filter, int dataType, int format, int k, int c, int h, int w)
{
    const int extents[] = {k, c, h, w};
    return setFormatted(filter, format, dataType, 4, extents);
}

HEADROOM_CARD_API int cudnnGetFilter4dDescriptor(
    const void* filter, int* dataType, int* format, int* k, int* c, int* h, int* w)
{
    if (filter == nullptr)
        return badParameter();
    const auto& own = *static_cast<const TensorDescriptor*>(filter);
    tell(dataType, own.dataType);
    tell(format, own.format);
    tell(k, own.extents[0]);
    tell(c, own.extents[1]);
    tell(h, own.extents[2]);
    tell(w, own.extents[3]);
    return kSuccess;
}

HEADROOM_CARD_API int cudnnSetFilterNdDescriptor(
    void* filter, int dataType, int format, int dimensions, const int* extents)
{
    return setFormatted(filter, format, dataType, dimensions, extents);
}

HEADROOM_CARD_API int cudnnGetFilterNdDescriptor(
    const void* filter, int wanted, int* dataType, int* format, int* dimensions, int* extents)
{
    if (filter == nullptr || wanted < 0)
        return badParameter();
    const auto& own = *static_cast<const TensorDescriptor*>(filter);
    tell(dataType, own.dataType);
    tell(format, own.format);
    tell(dimensions, own.dimensions);
    if (extents != nullptr)
        std::copy_n(own.extents.begin(), std::min(wanted, own.dimensions), extents);
    return kSuccess;
}

HEADROOM_CARD_API int cudnnGetFilterSizeInBytes(const void* filter, std::size_t* bytes)
{
    return cudnnGetTensorSizeInBytes(filter, bytes);
}

// The channels' parameters, in single precision at least; mode 0 has one for each activation.
HEADROOM_CARD_API int cudnnDeriveBNTensorDescriptor(void* derived, const void* tensor, int mode)
{
    constexpr int kPerActivation = 0;
    if (derived == nullptr || tensor == nullptr)
        return badParameter();
    const auto& from = *static_cast<const TensorDescriptor*>(tensor);
    auto& own = *static_cast<TensorDescriptor*>(derived);
    own = from;
    own.dataType = from.dataType == Double ? Double : Float;
    own.extents[0] = 1;
    for (std::size_t place = 2; place < static_cast<std::size_t>(from.dimensions) && mode != kPerActivation; ++place)
        own.extents[place] = 1;
    own.packStrides();
    return kSuccess;
}
