// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/AttentionLayer.h"
#include "core/models/layers/Initialised.h"
#include "core/tensor/Torch.h"

namespace headroom::models {

/// The deviation of initial weights in models whose own initialisation is not known.
inline constexpr double kInitialDeviation = 0.02;

/// A module of an imported model: its parameters and buffers, and its place in the tree. What it computes are nodes of
/// the graph. Its name is its Python class's.
class ImportedModule : public torch::nn::Module, public Initialised {
public:
    explicit ImportedModule(const std::string& type)
        : torch::nn::Module(type)
    {
    }

    /// Weights of vectors are 1 (norms), biases 0, tables and filters normal with a deviation of 0.02.
    void initialise() override;
};

/// One whose own nodes contain scaled dot-product attention.
class ImportedAttention final : public ImportedModule, public AttentionLayer {
public:
    using ImportedModule::ImportedModule;

    at::Tensor attention(const AttentionInputs& inputs) const { return attend(inputs); }
};

} // namespace headroom::models
