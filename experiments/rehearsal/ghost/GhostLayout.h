// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/ghost/GhostExpression.h"

#include <map>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A tensor of a checkpoint, as upstream names it.
struct GhostTensor {
    std::string name;
    std::vector<std::int64_t> shape;
    std::string dtype; ///< as safetensors has it ("F32"); empty: that of the checkpoint

    bool operator==(const GhostTensor&) const = default;
};

/// The most tensors of a checkpoint: the largest published ones have some 100,000.
inline constexpr std::size_t kMostGhostTensors = 500'000;

/// A name with formulas in braces: "layers.{i}.{'ln_1' if old else 'norm'}".
class GhostName {
public:
    GhostName() = default;
    GhostName(const std::string& text, const std::string& where, const std::string& open = "{",
        const std::string& close = "}");

    std::string of(const GhostNames& names) const;

private:
    std::vector<std::string> m_texts; ///< one more than formulas
    std::vector<GhostExpression> m_formulas;
    std::string m_where;
};

/// A line of a layout, with those that stand below it.
struct GhostStatement {
    enum class Kind { If, For, Let, Scope, Tensor, Layer };

    Kind kind = Kind::Scope;
    std::string where;
    GhostName name; ///< of a scope, a tensor, a layer
    std::string word; ///< the variable of For and Let, the kind of a layer, the dtype of a tensor
    GhostExpression value; ///< of If, For, Let; a tensor's shape; a layer's arguments, a list
    std::vector<GhostStatement> body{};
    std::vector<GhostStatement> otherwise{};
};

/// What a model's tensors are called and how large they are, line by line, in the order of upstream's state dict:
///
///     model:                                         names below begin with "model."
///       embed_tokens = embedding(vocab_size, hidden_size)
///       for i in num_hidden_layers:                  i from 0
///         layers.{i}:
///           if attention_bias:                       and else:
///           let width = heads * head_dim
///           gate = [width, hidden_size] as F32       a tensor itself
///
/// What stands below a line is indented. `embedding` and its like are layers (GhostLayers).
std::vector<GhostStatement> readGhostLayout(const std::string& text, const std::string& where);

/// A kind of layer: parameters (with what they are if not given) and lines.
struct GhostLayer {
    std::vector<std::pair<std::string, GhostExpression>> parameters; ///< null: has to be given
    std::vector<GhostStatement> body;
};

using GhostLayers = std::map<std::string, GhostLayer>;

/// Reads a layer of this signature, "conv(in, out, kernel, bias = true)", and returns its name with it.
std::pair<std::string, GhostLayer> readGhostLayer(
    const std::string& signature, const std::string& text, const std::string& where);

/// The tensors of a layout for a model's configuration. Throws UsageError for more than kMostGhostTensors, for a name
/// that comes twice and for an extent that is negative.
std::vector<GhostTensor> ghostTensors(
    const std::vector<GhostStatement>& layout, const GhostLayers& layers, const GhostNames& names);

} // namespace headroom::experiments
