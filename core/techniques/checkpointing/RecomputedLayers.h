// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/Model.h"
#include "core/techniques/checkpointing/BlockOps.h"

#include <string>
#include <vector>

namespace headroom::techniques {

/// Linear layers whose products `ops` computes again, found by parts of their paths. An op does not know its layer: the
/// shape of the weight stands for it, within its block.
class RecomputedLayers {
public:
    /// Looks for the layers in the blocks of the model. Throws UsageError when a name is part of no linear layer's path
    /// there, with what it is part of, and with the layers that there are.
    RecomputedLayers(models::Model& model, const std::vector<std::string>& names);

    /// Of the layers of that block.
    const std::vector<OperandShape>& shapesOf(std::int64_t block) const;

    /// "to_q, to_k; with them, of the same shape, to_v": paths within the block, each once.
    std::string text() const;

private:
    struct Layer {
        std::int64_t block;
        std::string path; ///< within the model
        std::string pathInBlock;
        OperandShape shape;
    };

    void collect(models::Model& model);
    void choose(const std::string& name);
    std::vector<std::string> caught() const;

    std::vector<Layer> m_layers;
    std::vector<std::string> m_otherModules; ///< paths of what is no linear layer
    std::vector<std::string> m_chosen; ///< paths within the blocks, each once
    std::vector<std::vector<OperandShape>> m_shapes; ///< by block
};

} // namespace headroom::techniques
