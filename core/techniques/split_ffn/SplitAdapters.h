// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/FeedForward.h"

namespace headroom::techniques {

/// The low-rank adapters of a feed-forward that runs in slices of its inner channels: of the projection's B the slice's
/// rows, of the output's A its columns. Without adapters nothing is done and tensors stay undefined.

/// The tokens, and A(dropout(x)) of each projection's adapter, the same for all slices: [tokens, rank].
std::vector<at::Tensor> inputsOfSlices(const models::FeedForward& layer, const at::Tensor& tokens);

/// Rows [first, first + length) of a projection with what its adapter adds to them.
at::Tensor adaptedRows(
    const models::Linear& projection, const at::Tensor& rows, const at::Tensor& reduced, std::int64_t first);

/// Adds to `sum` the part of A(dropout(inner)) that channels [first, first + length) of the output's adapter give:
/// [tokens, rank]; made by the first slice. B comes once, after the last one.
void addReduced(const models::FeedForward& layer, const at::Tensor& inner, std::int64_t first, at::Tensor& sum);

/// Adds to the output, in place, what its adapter makes of the whole sum.
void addAdapted(const models::FeedForward& layer, const at::Tensor& sum, at::Tensor& output);

} // namespace headroom::techniques
