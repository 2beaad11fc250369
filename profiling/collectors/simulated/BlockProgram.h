// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/HostMemory.h"
#include "core/memory/MemoryLabel.h"
#include "profiling/simulator/rules/CostModel.h"

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace headroom::collectors {

/// What memory of a block's program is, whichever block runs it.
struct MemoryRole {
    enum class Kind : std::uint8_t {
        Own, ///< of the program's allocations, counted from 0 through forward and backward pass
        Gradient, ///< that arrived for the output with that number
        Input, ///< of the block's inputs
        OldGradient, ///< of the block's parameters, from before the pass
    };

    Kind kind = Kind::Own;
    std::uint32_t number = 0;

    auto operator<=>(const MemoryRole&) const = default;
};

/// One thing that a block does to the simulated device.
struct ProgramStep {
    enum class Kind : std::uint8_t { Allocate, AllocateOnHost, Release, Spend, Relabel };

    Kind kind = Kind::Allocate;
    MemoryRole role{}; ///< Release, Relabel
    Bytes bytes = 0; ///< Allocate, AllocateOnHost
    tensor::HostMemory host = tensor::HostMemory::Pageable; ///< AllocateOnHost
    std::uint32_t cost = 0; ///< Spend: index into the program's costs
    tensor::MemoryLabel label{}; ///< Allocate, Relabel
    tensor::LabelChange::Rule rule = tensor::LabelChange::Rule::Claim; ///< Relabel

    bool operator==(const ProgramStep&) const = default;
};

/// All that one pass of a block asks of allocator and clock, in order.
struct BlockProgram {
    std::vector<ProgramStep> steps;
    std::vector<simulator::OpCost> costs;

    bool operator==(const BlockProgram&) const = default;
    bool releases(MemoryRole role) const;
    /// The first difference in words, empty: none.
    std::string differenceFrom(const BlockProgram& other) const;
};

/// A tensor as far as others can tell: undefined, or its shape over memory of some role.
struct TensorForm {
    bool isDefined = false;
    bool needsGradient = false;
    c10::ScalarType type = c10::ScalarType::Undefined;
    std::vector<std::int64_t> sizes{};
    std::vector<std::int64_t> strides{};
    std::int64_t offset = 0;
    Bytes bytes = 0; ///< of its storage
    MemoryRole role{}; ///< of its storage; Own 0 where it does not matter

    bool operator==(const TensorForm&) const = default;
};

TensorForm formOf(const at::Tensor& tensor, MemoryRole role = {});
/// Without a gradient.
at::Tensor tensorOf(const TensorForm& form, c10::Storage storage);

} // namespace headroom::collectors
