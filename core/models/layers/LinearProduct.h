// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/autocast/AutocastRegion.h"
#include "core/tensor/Torch.h"

namespace headroom::models {

/// x W^T + b as the layers compute it, [..., in] to [..., out]; `bias` may be undefined. Within an AutocastRegion, in
/// the region's type. Otherwise, if the weights have another type than the input, as after an upcast to a separate
/// type, the product is computed in their type and returned in the input's.
///
/// Throws TrialError for weights in 8 bits: no technique has upcast them.
at::Tensor linearProduct(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias);

/// x W + b by the same rules, for weights that lie as [in, out]: what transformers' Conv1D computes, in one addmm.
at::Tensor transposedProduct(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias);

/// Whether linearProduct computes the product in another type than the input's.
bool isOfOtherType(const at::Tensor& input, const at::Tensor& weight);

/// Throws TrialError for weights that are stored in 8 bits.
void refuseStored(const at::Tensor& weight);

/// Any product of activations and weights, `product(input, weight, bias)`, by the rules of linearProduct.
template <typename Product>
at::Tensor productInTypes(
    const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias, const Product& product)
{
    refuseStored(weight);
    if (tensor::AutocastRegion::type())
        return product(
            tensor::autocastInput(input), tensor::autocastParameter(weight), tensor::autocastParameter(bias));
    if (input.scalar_type() == weight.scalar_type())
        return product(input, weight, bias);
    return product(input.to(weight.scalar_type()), weight, bias).to(input.scalar_type());
}

} // namespace headroom::models
