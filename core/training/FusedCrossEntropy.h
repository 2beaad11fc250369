// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::training {

/// What a head over a vocabulary is multiplied with and compared with.
struct HeadProduct {
    at::Tensor hidden; ///< [tokens, width]
    at::Tensor weight; ///< [vocabulary, width]
    at::Tensor bias; ///< [vocabulary], or undefined
    at::Tensor labels; ///< [tokens], integers; Loss.h's kNoLabel: none
};

/// The mean cross entropy of hidden * weight^T (+ bias) against labels, over the tokens that have one, of which there
/// are `labelled`: for `rows` tokens after the other, whose logits become their gradients in place and are multiplied
/// at once, so that the forward pass leaves the gradients of what is trained and nothing else (fused linear cross
/// entropy, as Liger Kernel computes it). The backward pass multiplies them by the loss's gradient, in place: it can
/// run once.
///
/// Logits are in the type of hidden and weight. They are raised to float32, at least, for a share of the rows at a
/// time.
at::Tensor fusedCrossEntropy(const HeadProduct& head, std::int64_t rows, double labelled);

} // namespace headroom::training
