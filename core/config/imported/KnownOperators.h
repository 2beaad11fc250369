// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace headroom::config {

/// The operators of ATen that an archive may run, by name and overload: "add.Tensor", "relu" (the overload "default").
/// An archive is somebody else's program, and LibTorch has operators that read and write files or memory beside their
/// tensors. Tests hold the list to rules and to what LibTorch has (tests/reference/operators.txt).
const std::set<std::string, std::less<>>& knownOperators();

/// Whether "torch.ops.aten.add.Tensor", as a graph names it, is one of them.
bool isKnownOperator(std::string_view target);

} // namespace headroom::config
