// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headroom::trace {

/// The innermost frame of a call stack (MemoryOwner::frames) that is the program's own, else of Python, else of all:
/// the one that says most of why there is memory. Empty where there is no stack.
std::string innermostFrame(std::string_view frames);

/// A frame in at most `letters`: "…/nn/modules/module.py:1369 to". A long path is cut at its left, between folders
/// where there are some, as its end tells most; a long name of a function at its right.
std::string shortFrame(std::string_view frame, std::size_t letters);

} // namespace headroom::trace
