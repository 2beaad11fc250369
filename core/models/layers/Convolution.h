// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Initialised.h"
#include "core/models/layers/Linear.h"

namespace headroom::models {

struct ConvolutionOptions {
    std::int64_t in = 0; ///< channels
    std::int64_t out = 0;
    std::vector<std::int64_t> kernel; ///< one extent for each spatial dimension
    std::vector<std::int64_t> stride;
    std::vector<std::int64_t> padding{}; ///< on both sides; empty: no padding
    Bias bias = Bias::On;
};

/// A convolution without groups or dilation. As in Linear, the parameters are created on their final device (even
/// meta), uninitialised.
///
/// weight: [out, in, kernel...]; bias: [out], undefined without one. Input [batch, in, extents...], output [batch, out,
/// extents...].
class Convolution : public torch::nn::Module, public Initialised {
public:
    at::Tensor forward(const at::Tensor& input) const;

    /// Uniform in +-1/sqrt(number of inputs per output element), weight and bias alike, PyTorch's default.
    void initialise() override;

    at::Tensor weight;
    at::Tensor bias;

protected:
    /// Throws UsageError unless kernel, stride and padding have `dimensions` entries.
    Convolution(std::int64_t dimensions, ConvolutionOptions options, const at::TensorOptions& tensorOptions);

private:
    ConvolutionOptions m_options;
};

/// Over height and width. Techniques identify layers by class name, which matches PyTorch's.
class Conv2d final : public Convolution {
public:
    Conv2d(ConvolutionOptions options, const at::TensorOptions& tensorOptions)
        : Convolution(2, std::move(options), tensorOptions)
    {
    }
};

/// Over frames, height and width.
class Conv3d final : public Convolution {
public:
    Conv3d(ConvolutionOptions options, const at::TensorOptions& tensorOptions)
        : Convolution(3, std::move(options), tensorOptions)
    {
    }
};

} // namespace headroom::models
