// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/MemoryCategory.h"

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

/// What memory is for that was allocated under this call stack (the innermost frame first), as far as functions of
/// PyTorch itself tell: state that an optimizer makes, sums of gradients, what modules compute in the forward pass or
/// again for a checkpoint, parameters that are made or moved. Unknown for everything else.
config::MemoryCategory categoryOf(std::span<const StackFrame> stack);

/// Whether a backward pass or an update runs under this stack: what modules computed before was kept for it. Without
/// such a sign nobody knows.
bool isOfTraining(std::span<const StackFrame> stack);

/// Whether the stack is that of torch.cuda.empty_cache().
bool isEmptyCache(std::string_view frames);

/// The stack as lines "FILE:LINE FUNCTION", the outermost first; the allocator's own frames are left out.
std::string linesOf(std::span<const StackFrame> stack);

} // namespace headroom::recordings
