// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/ghost/GhostArithmetic.h"

#include <functional>
#include <string>

namespace headroom::experiments {

/// A formula of a description, read once and computed for many names.
using GhostExpression = std::function<config::Value(const GhostNames& names)>;

/// Reads a formula in Python's notation: whole and decimal numbers, 'texts', true, false, null, NAMES (those of nested
/// keys with dots), LIST[INDEX], + - * / // %, comparisons, `in`, not, and, or, `A if C else B`, and `A ?? B`, which is
/// B where A is null. `/` is exact: whole numbers that do not divide are refused, as is every result beyond 64 bits,
/// and only the side of a choice that is taken is computed. Functions: len(list), min(a, b), max(a, b), int(number),
/// ceil(number), isList(value), entries('KEY'), the names in a nested object (null without it). Throws UsageError at
/// `where` for what cannot be read.
GhostExpression readGhostExpression(const std::string& text, const std::string& where);

} // namespace headroom::experiments
