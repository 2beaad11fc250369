// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"

#include <string>
#include <vector>

namespace headroom::archive {

/// The first output of floating-point numbers; empty: there is none.
std::string floatingOutput(const ExportedModel& model);

/// The loss that the forward computes itself: the scalar of floating-point numbers that it returns as "loss", else the
/// first such scalar of a tuple, or a named one that is the first output; empty: it returns none.
std::string ownLoss(const ExportedModel& model);

/// The inputs with whose next tokens a cross entropy could compare the model's output: integers [batch, tokens] beside
/// logits [batch, tokens, vocabulary]. One: that is it. Several: names and sizes do not tell which. None: the output
/// are no logits.
std::vector<std::string> tokenInputs(const ExportedModel& model);

/// Whether the model is a language model as far as its archive tells: one input of tokens, and an output of scores for
/// each word of a vocabulary, which the forward calls "logits" or which has as many as the tokens' embedding has rows.
bool returnsLogits(const ExportedModel& model);

} // namespace headroom::archive
