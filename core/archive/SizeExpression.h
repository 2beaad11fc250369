// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace headroom::archive {

/// Sizes that are free, by their symbol ("s70").
using SymbolValues = std::map<std::string, std::int64_t>;

/// A size that depends on free ones, as sympy writes it: "Mul(Integer(2), Symbol('s70', positive=True))".
class SizeExpression {
public:
    /// Nothing for text that has another form, or functions that are not known.
    static std::shared_ptr<const SizeExpression> parse(const std::string& text);

    virtual ~SizeExpression() = default;
    /// Nothing if a symbol has no value.
    virtual std::optional<double> at(const SymbolValues& values) const = 0;
    virtual void collectSymbols(std::set<std::string>& symbols) const = 0;
    /// The symbol, if the expression is one; else empty.
    virtual std::string symbol() const { return {}; }
};

/// More elements than any device holds.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 48;

/// A size of a tensor, or a number: fixed, or an expression with the value that it had in the example.
struct Size {
    std::int64_t example = 0;
    std::shared_ptr<const SizeExpression> expression{}; ///< null: fixed, unless it could not be read
    bool isUnknown = false; ///< it is free, but how could not be read

    bool isFree() const { return expression != nullptr || isUnknown; }
    std::int64_t at(const SymbolValues& values) const;
    /// What its expression is with these values, a whole number or not; nothing if it has none, or a symbol of it has
    /// no value.
    std::optional<double> evaluated(const SymbolValues& values) const;
};

} // namespace headroom::archive
