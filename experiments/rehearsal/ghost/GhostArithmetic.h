// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"

#include <functional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What a name in an expression stands for: a key of the model's configuration, a value of its description, the
/// variable of a loop. Throws UsageError for an unknown name.
using GhostNames = std::function<config::Value(const std::string& name)>;

// The operations of GhostExpression; each throws UsageError at `where` for values that it is not for.

/// + - * / // %
config::Value ghostComputed(
    const std::string& sign, const config::Value& a, const config::Value& b, const std::string& where);
/// == != < <= > >= in
bool ghostCompared(const std::string& sign, const config::Value& a, const config::Value& b, const std::string& where);
/// Of a list; from its end for a negative index.
config::Value ghostElement(const config::Value& list, const config::Value& index, const std::string& where);
config::Value ghostCalled(const std::string& function, const std::vector<config::Value>& given, const GhostNames& names,
    const std::string& where);

/// What a whole number, or a condition, is asked of; throws UsageError at `where`.
std::int64_t ghostInteger(const config::Value& value, const std::string& where);
bool ghostTruth(const config::Value& value, const std::string& where);

/// Throws UsageError where the result takes more than 64 bits.
std::int64_t ghostProduct(std::int64_t a, std::int64_t b, const std::string& where);
std::int64_t ghostSum(std::int64_t a, std::int64_t b, const std::string& where);

} // namespace headroom::experiments
