// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/LinearProduct.h"

#include "core/config/Error.h"
#include "core/tensor/LayerAutocast.h"

namespace headroom::models {
namespace {

// The CPU would multiply them, slowly, and round the input.
void refuseStored(const at::Tensor& weight)
{
    if (c10::isFloat8Type(weight.scalar_type()))
        throw TrialError("weights stored as " + std::string(c10::toString(weight.scalar_type()))
                + " are to be multiplied without having been upcast",
            "layerwise casting", "layers that run within a ModuleScope of theirs");
}

} // namespace

bool isOfOtherType(const at::Tensor& input, const at::Tensor& weight)
{
    return input.scalar_type() != weight.scalar_type() && !tensor::LayerAutocast::type();
}

at::Tensor linearProduct(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias)
{
    refuseStored(weight);
    if (!isOfOtherType(input, weight))
        return at::linear(
            tensor::autocastInput(input), tensor::autocastParameter(weight), tensor::autocastParameter(bias));
    return at::linear(input.to(weight.scalar_type()), weight, bias).to(input.scalar_type());
}

} // namespace headroom::models
