// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <optional>
#include <vector>

namespace headroom::collectors {

/// The result of an element-wise op on meta: broadcast shape, promoted type and the order of dimensions that
/// TensorIterator gives it (aten/src/ATen/TensorIterator.cpp). A number is passed as a wrapped one.
///
/// `type`: the result's, where it is not the common type of the inputs.
at::Tensor iteratedLike(const std::vector<at::Tensor>& inputs, std::optional<at::ScalarType> type = std::nullopt);

/// Gives `out` the broadcast shape, with memory for it, if it has another shape. Its type stays.
void iterateInto(const at::Tensor& out, const std::vector<at::Tensor>& inputs);

/// The type of a result of floating point: the default type for integers and flags.
at::ScalarType floatingType(at::ScalarType type);

/// A number beside tensors: it takes part in the choice of type as Python's numbers do.
at::Tensor wrappedNumber(const at::Scalar& number);

/// The shape without the reduced dimensions, or with extent 1 in their places. No dimensions: all of them.
std::vector<std::int64_t> reducedShape(
    const at::Tensor& input, at::OptionalIntArrayRef dimensions, bool keepsDimensions);

/// Gives `out` this shape, contiguous, if it has another one.
void shapeInto(const at::Tensor& out, at::IntArrayRef shape);

} // namespace headroom::collectors
