// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/api/dnn/Cudnn.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// The descriptors of cuDNN's older interface, which calls take one by one.
namespace headroom::rehearsal::dnn {

constexpr int kMostDimensions = 8;

struct TensorDescriptor {
    int dataType = Float;
    int dimensions = 0;
    std::array<int, kMostDimensions> extents{};
    std::array<int, kMostDimensions> strides{};
    int format = 0; ///< of filters: 0 NCHW, 1 NHWC

    std::size_t elements() const;
    /// From the first element to the last.
    std::size_t bytes() const;
    void packStrides();
};

struct ConvolutionDescriptor {
    int dimensions = 0;
    std::array<int, kMostDimensions> paddings{};
    std::array<int, kMostDimensions> strides{};
    std::array<int, kMostDimensions> dilations{};
    int mode = 1;
    int computeType = Float;
    int groups = 1;
    int mathType = 0;
    int reorderType = 0;
};

struct PoolingDescriptor {
    int mode = 0;
    int nanPropagation = 0;
    int dimensions = 0;
    std::array<int, kMostDimensions> windows{};
    std::array<int, kMostDimensions> paddings{};
    std::array<int, kMostDimensions> strides{};
};

struct ActivationDescriptor {
    int mode = 0;
    int nanPropagation = 0;
    double coefficient = 0;
    double swishBeta = 1;
};

struct NormalisationDescriptor {
    unsigned window = 5;
    double alpha = 1e-4;
    double beta = 0.75;
    double k = 2;
};

struct OperationDescriptor {
    int operation = 0;
    int computeType = Float;
    int nanPropagation = 0;
};

struct ReductionDescriptor {
    int operation = 0;
    int computeType = Float;
    int nanPropagation = 0;
    int indices = 0;
    int indicesType = 0;
};

struct DropoutDescriptor {
    float dropout = 0;
    void* states = nullptr;
    unsigned long long seed = 0;
};

struct TransformerDescriptor {
    int samplerType = 0;
    TensorDescriptor output;
};

struct LossDescriptor {
    int computeType = Float;
    int normalisation = 0;
    int gradientMode = 0;
    int mostLabels = 0;
};

struct LayoutDescriptor {
    unsigned dimensions = 0;
    int format = 0;
    int direction = 0;
    std::array<int, kMostDimensions> before{};
    std::array<int, kMostDimensions> after{};
    std::array<unsigned, kMostDimensions> folds{};
};

/// A cuDNN call that makes a descriptor with default values.
template <typename Descriptor> int createDescriptor(void** place)
{
    if (place == nullptr)
        return status(Problem::BadParameter);
    *place = new Descriptor;
    return kSuccess;
}

template <typename Descriptor> int destroyDescriptor(void* descriptor)
{
    delete static_cast<Descriptor*>(descriptor);
    return kSuccess;
}

template <typename Value, typename Given> void tell(Value* place, Given value)
{
    if (place != nullptr)
        *place = static_cast<Value>(value);
}

inline int badParameter()
{
    return status(Problem::BadParameter);
}

#define HEADROOM_DESCRIPTOR(CREATE, DESTROY, TYPE)                                                                     \
    HEADROOM_CARD_API int CREATE(void** descriptor)                                                                    \
    {                                                                                                                  \
        return createDescriptor<TYPE>(descriptor);                                                                     \
    }                                                                                                                  \
    HEADROOM_CARD_API int DESTROY(void* descriptor)                                                                    \
    {                                                                                                                  \
        return destroyDescriptor<TYPE>(descriptor);                                                                    \
    }

} // namespace headroom::rehearsal::dnn
