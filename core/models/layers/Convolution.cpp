// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/Convolution.h"

#include "core/base/Error.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterStorage.h"
#include "core/models/layers/LinearProduct.h"

#include <cmath>

namespace headroom::models {
namespace {

ConvolutionOptions checked(std::int64_t dimensions, ConvolutionOptions options)
{
    const auto count = static_cast<std::size_t>(dimensions);
    if (options.padding.empty())
        options.padding.assign(count, 0);
    if (options.kernel.size() != count || options.stride.size() != count || options.padding.size() != count)
        throw UsageError("kernel, stride and padding do not agree in their dimensions", "convolution",
            std::to_string(dimensions) + " extents each");
    return options;
}

std::vector<std::int64_t> weightShape(const ConvolutionOptions& options)
{
    std::vector<std::int64_t> shape{options.out, options.in};
    shape.insert(shape.end(), options.kernel.begin(), options.kernel.end());
    return shape;
}

} // namespace

Convolution::Convolution(std::int64_t dimensions, ConvolutionOptions options, const at::TensorOptions& tensorOptions)
    : m_options(checked(dimensions, std::move(options)))
{
    weight = register_parameter("weight", tensor::emptyParameter(weightShape(m_options), tensorOptions));
    if (m_options.bias == Bias::On)
        bias = register_parameter("bias", tensor::emptyParameter({m_options.out}, tensorOptions));
}

at::Tensor Convolution::forward(const at::Tensor& input) const
{
    const tensor::ModuleScope scope(*this);
    return productInTypes(input, weight, bias, [this](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
        const auto given = b.defined() ? std::optional(b) : std::nullopt;
        const std::vector<std::int64_t> dilation(m_options.kernel.size(), 1);
        if (m_options.kernel.size() == 2)
            return at::conv2d(x, w, given, m_options.stride, m_options.padding, dilation);
        return at::conv3d(x, w, given, m_options.stride, m_options.padding, dilation);
    });
}

void Convolution::initialise()
{
    const double bound = 1.0 / std::sqrt(static_cast<double>(weight.numel() / weight.size(0)));
    weight.uniform_(-bound, bound);
    if (bias.defined())
        bias.uniform_(-bound, bound);
}

} // namespace headroom::models
