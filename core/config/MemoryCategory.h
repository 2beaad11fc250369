// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace headroom::config {

/// What a piece of memory is used for.
enum class MemoryCategory : std::uint8_t {
    Weights, ///< parameters and buffers of the model
    Gradients, ///< of parameters; gradients of activations are temporaries
    OptimizerState,
    Ema, ///< shadow weights and the temporaries of their update
    SavedActivations, ///< kept by autograd, or by a checkpoint, until the backward pass
    RecomputedActivations, ///< the same, computed again during the backward pass
    UpcastCopies, ///< of weights that are stored in another dtype
    Workspaces, ///< of libraries: cuBLAS, cuDNN
    Inputs, ///< the batch and the loss's targets
    Temporaries, ///< everything else that a step allocates and frees
    Harness, ///< what the measurement itself keeps
    Unknown ///< not attributed to anything
};

inline constexpr std::size_t kMemoryCategoryCount = 12;

/// All of them, in the order in which they are drawn and listed.
inline constexpr std::array<MemoryCategory, kMemoryCategoryCount> kMemoryCategories{MemoryCategory::Weights,
    MemoryCategory::Gradients, MemoryCategory::OptimizerState, MemoryCategory::Ema, MemoryCategory::SavedActivations,
    MemoryCategory::RecomputedActivations, MemoryCategory::UpcastCopies, MemoryCategory::Workspaces,
    MemoryCategory::Inputs, MemoryCategory::Temporaries, MemoryCategory::Harness, MemoryCategory::Unknown};

/// "weights", "optimizer_state", "saved_activations": the words of records and stored files.
std::string_view toText(MemoryCategory category);
/// The reverse; nothing for an unknown word.
std::optional<MemoryCategory> memoryCategoryFromText(std::string_view text);
/// "Weights", "Optimizer state", "Saved activations": the title for people.
std::string_view titleOf(MemoryCategory category);

} // namespace headroom::config
