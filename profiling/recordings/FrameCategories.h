// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/MemoryCategory.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace headroom::recordings {

/// One frame of a call stack, as a snapshot has it.
struct StackFrame {
    std::string_view file;
    std::string_view function;
    std::int64_t line = 0;
};

/// What a name says: "torch/nn/modules/module.py(1501): _call_impl" is a function of Python, all else a name.
StackFrame frameOf(std::string_view name);

inline constexpr std::size_t kMostFrames = 4096; ///< of a call stack; those of recursion without end have fewer

/// Which functions of PyTorch a frame is of, as bits. Those of a call stack are those of its frames together.
using FrameSigns = std::uint16_t;
FrameSigns signsOf(const StackFrame& frame);

/// What memory is for that was allocated under a call stack with these signs, as far as functions of PyTorch itself
/// tell: state that an optimizer makes, sums of gradients, what modules compute in the forward pass or again for a
/// checkpoint, parameters that are made or moved. Unknown for everything else.
config::MemoryCategory categoryOf(FrameSigns signs);

/// Whether a backward pass or an update runs under such a stack: what modules computed before was kept for it. Without
/// such a sign nobody knows.
bool isOfTraining(FrameSigns signs);

/// Whether the stack is that of torch.cuda.empty_cache().
bool isEmptyCache(std::string_view frames);

/// A stack, the innermost frame first, as lines "FILE:LINE FUNCTION", the outermost first; the allocator's own frames
/// are left out.
std::string linesOf(std::span<const StackFrame> stack);

} // namespace headroom::recordings
