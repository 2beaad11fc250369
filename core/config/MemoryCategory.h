// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace headroom::config {

/// What a piece of memory is there for.
enum class MemoryCategory : std::uint8_t {
    Weights, ///< parameters and buffers of the model
    Gradients, ///< of parameters; those of activations are temporaries
    OptimizerState,
    Ema, ///< shadow weights and what their update takes
    SavedActivations, ///< kept by autograd, or by a checkpoint, until the backward pass
    RecomputedActivations, ///< the same, made once more in the backward pass
    UpcastCopies, ///< of weights that are stored in another dtype
    Workspaces, ///< of libraries: cuBLAS, cuDNN
    Inputs, ///< the batch, and what the loss compares with
    Temporaries, ///< everything else that a step makes and gives back
    Harness, ///< what the measuring itself keeps
    Unknown ///< nobody claimed it
};

inline constexpr std::size_t kMemoryCategoryCount = 12;

/// All of them, in the order in which they are drawn and listed.
inline constexpr std::array<MemoryCategory, kMemoryCategoryCount> kMemoryCategories{MemoryCategory::Weights,
    MemoryCategory::Gradients, MemoryCategory::OptimizerState, MemoryCategory::Ema, MemoryCategory::SavedActivations,
    MemoryCategory::RecomputedActivations, MemoryCategory::UpcastCopies, MemoryCategory::Workspaces,
    MemoryCategory::Inputs, MemoryCategory::Temporaries, MemoryCategory::Harness, MemoryCategory::Unknown};

/// "weights", "optimizer_state", "saved_activations": as in records and stored files.
std::string_view toText(MemoryCategory category);
/// The reverse; nothing for a word that is no category.
std::optional<MemoryCategory> memoryCategoryFromText(std::string_view text);
/// "Weights", "Optimizer state", "Saved activations": as people read it.
std::string_view titleOf(MemoryCategory category);

} // namespace headroom::config
