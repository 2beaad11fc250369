// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Workload.h"
#include "core/models/Model.h"

namespace headroom::training {

/// The label of a token that has none: a sequence's last, which no next one follows.
inline constexpr std::int64_t kNoLabel = -100;

/// What cross entropy compares logits with: each token's next one [batch, tokens], from the inputs' token ids by their
/// name (models::Model::tokenInput). Throws UsageError where there are none.
at::Tensor nextTokens(const models::Inputs& inputs, const std::string& name = "input_ids");

/// How many tokens have a label: every one but each sequence's last. Known by the shape: the device is not asked.
double labelledTokens(const at::Tensor& labels);

/// What another loss compares the output with; undefined for losses that look at the output alone.
at::Tensor makeTarget(config::Loss loss, const at::Tensor& output);

/// A scalar: the output itself if that is the model's own loss; the mean of the output, of its squares, or of the
/// squared distance from the target; or the mean cross entropy of logits [batch, tokens, vocabulary] against labels,
/// computed in float32 at least. Throws UsageError for a loss that the output has no meaning for.
at::Tensor lossOf(config::Loss loss, const at::Tensor& output, const at::Tensor& target);

/// The cross entropy of logits that are there in pieces of each sequence (models::LanguageModel::logitsInChunks), one
/// piece after the other: that of all of them joined, but for rounding. Each piece is raised to float32 by itself, so
/// that no more than one is there raised, and in the backward pass no more than one's gradients. `labels` are those of
/// `nextTokens`. Throws UsageError where there are none.
at::Tensor lossOfChunks(const std::vector<at::Tensor>& logits, const at::Tensor& labels);

} // namespace headroom::training
