// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/LinearProduct.h"

#include "core/base/Error.h"

namespace headroom::models {

// The CPU would multiply such weights, slowly, and round the input.
void refuseStored(const at::Tensor& weight)
{
    if (c10::isFloat8Type(weight.scalar_type()))
        throw TrialError("weights stored as " + std::string(c10::toString(weight.scalar_type()))
                + " must be upcast before they are multiplied",
            "layerwise casting", "layers that run within a ModuleScope of theirs");
}

bool isOfOtherType(const at::Tensor& input, const at::Tensor& weight)
{
    return input.scalar_type() != weight.scalar_type() && !tensor::AutocastRegion::type();
}

at::Tensor linearProduct(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias)
{
    return productInTypes(input, weight, bias,
        [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) { return at::linear(x, w, b); });
}

at::Tensor transposedProduct(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias)
{
    return productInTypes(input, weight, bias, [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
        std::vector<std::int64_t> shape = x.sizes().vec();
        shape.back() = w.size(1);
        const at::Tensor tokens = x.reshape({-1, x.size(-1)});
        return (b.defined() ? at::addmm(b, tokens, w) : at::mm(tokens, w)).view(shape);
    });
}

} // namespace headroom::models
