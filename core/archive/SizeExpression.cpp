// SPDX-License-Identifier: Apache-2.0
#include "core/archive/SizeExpression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom::archive {
namespace {

using Expression = std::shared_ptr<const SizeExpression>;
using Numbers = std::vector<double>;

constexpr int kDeepestExpression = 100;

class Constant final : public SizeExpression {
public:
    explicit Constant(double value)
        : m_value(value)
    {
    }

    std::optional<double> at(const SymbolValues&) const override { return m_value; }
    void collectSymbols(std::set<std::string>&) const override { }

private:
    double m_value;
};

class Symbol final : public SizeExpression {
public:
    explicit Symbol(std::string name)
        : m_name(std::move(name))
    {
    }

    std::optional<double> at(const SymbolValues& values) const override
    {
        const auto found = values.find(m_name);
        return found == values.end() ? std::nullopt : std::optional(static_cast<double>(found->second));
    }
    void collectSymbols(std::set<std::string>& symbols) const override { symbols.insert(m_name); }
    std::string symbol() const override { return m_name; }

private:
    std::string m_name;
};

double floorMod(double dividend, double divisor)
{
    return dividend - std::floor(dividend / divisor) * divisor;
}

struct Function {
    std::string_view name;
    std::size_t arguments; ///< 0: at least one
    double (*value)(const Numbers&);
};

constexpr std::array<Function, 17> kFunctions{{
    {"Add", 0,
        [](const Numbers& n) {
            double sum = 0;
            for (const double term : n)
                sum += term;
            return sum;
        }},
    {"Mul", 0,
        [](const Numbers& n) {
            double product = 1;
            for (const double factor : n)
                product *= factor;
            return product;
        }},
    {"Max", 0, [](const Numbers& n) { return *std::ranges::max_element(n); }},
    {"Min", 0, [](const Numbers& n) { return *std::ranges::min_element(n); }},
    {"Pow", 2, [](const Numbers& n) { return std::pow(n[0], n[1]); }},
    {"PowByNatural", 2, [](const Numbers& n) { return std::pow(n[0], n[1]); }},
    {"Rational", 2, [](const Numbers& n) { return n[0] / n[1]; }},
    {"FloorDiv", 2, [](const Numbers& n) { return std::floor(n[0] / n[1]); }},
    {"CleanDiv", 2, [](const Numbers& n) { return std::floor(n[0] / n[1]); }},
    {"CeilDiv", 2, [](const Numbers& n) { return std::ceil(n[0] / n[1]); }},
    {"IntTrueDiv", 2, [](const Numbers& n) { return n[0] / n[1]; }},
    {"Mod", 2, [](const Numbers& n) { return floorMod(n[0], n[1]); }},
    {"PythonMod", 2, [](const Numbers& n) { return floorMod(n[0], n[1]); }},
    {"floor", 1, [](const Numbers& n) { return std::floor(n[0]); }},
    {"ceiling", 1, [](const Numbers& n) { return std::ceil(n[0]); }},
    {"ToFloat", 1, [](const Numbers& n) { return n[0]; }},
    {"TruncToInt", 1, [](const Numbers& n) { return std::trunc(n[0]); }},
}};

const Function* functionOf(std::string_view name)
{
    for (const std::string_view alias : {"FloorToInt", "CeilToInt"})
        if (name == alias)
            name = alias == "FloorToInt" ? "floor" : "ceiling";
    const auto found = std::ranges::find(kFunctions, name, &Function::name);
    return found == kFunctions.end() ? nullptr : &*found;
}

class Call final : public SizeExpression {
public:
    Call(const Function& function, std::vector<Expression> arguments)
        : m_function(function)
        , m_arguments(std::move(arguments))
    {
    }

    std::optional<double> at(const SymbolValues& values) const override
    {
        Numbers numbers;
        for (const Expression& argument : m_arguments) {
            const auto number = argument->at(values);
            if (!number)
                return std::nullopt;
            numbers.push_back(*number);
        }
        return m_function.value(numbers);
    }
    void collectSymbols(std::set<std::string>& symbols) const override
    {
        for (const Expression& argument : m_arguments)
            argument->collectSymbols(symbols);
    }

private:
    const Function& m_function;
    std::vector<Expression> m_arguments;
};

/// Reads one expression; null where it is of no known form.
class Parser {
public:
    explicit Parser(std::string_view text)
        : m_text(text)
    {
    }

    Expression whole()
    {
        Expression result = expression(0);
        skipSpaces();
        return m_place == m_text.size() ? result : nullptr;
    }

private:
    void skipSpaces()
    {
        while (m_place < m_text.size() && m_text[m_place] == ' ')
            ++m_place;
    }
    bool take(char wanted)
    {
        skipSpaces();
        if (m_place == m_text.size() || m_text[m_place] != wanted)
            return false;
        ++m_place;
        return true;
    }
    std::string_view word()
    {
        skipSpaces();
        const std::size_t begin = m_place;
        while (m_place < m_text.size()
            && (std::isalnum(static_cast<unsigned char>(m_text[m_place])) != 0 || m_text[m_place] == '_'
                || m_text[m_place] == '.'))
            ++m_place;
        return m_text.substr(begin, m_place - begin);
    }
    std::optional<double> number()
    {
        const bool isNegative = take('-');
        const std::string digits(word());
        if (digits.empty() || digits.size() > 18 || digits.find_first_not_of("0123456789") != std::string::npos)
            return std::nullopt;
        const double value = static_cast<double>(std::stoll(digits));
        return isNegative ? -value : value;
    }

    Expression expression(int depth)
    {
        if (depth > kDeepestExpression)
            return nullptr;
        std::string_view name = word();
        name.remove_prefix(std::min(name.size(), name.rfind('.') + 1)); // the function's module
        if (name.empty() || !take('('))
            return nullptr;
        if (name == "Integer") {
            const auto value = number();
            return value && take(')') ? std::make_shared<Constant>(*value) : nullptr;
        }
        return name == "Symbol" ? symbol() : call(name, depth);
    }

    Expression symbol()
    {
        if (!take('\''))
            return nullptr;
        const std::size_t end = m_text.find('\'', m_place);
        const std::size_t close = m_text.find(')', m_place);
        if (end == std::string_view::npos || close == std::string_view::npos || close < end)
            return nullptr;
        const std::string name(m_text.substr(m_place, end - m_place));
        m_place = close + 1;
        return std::make_shared<Symbol>(name);
    }

    Expression call(std::string_view name, int depth)
    {
        const Function* function = functionOf(name);
        if (function == nullptr)
            return nullptr;
        std::vector<Expression> arguments;
        do {
            skipSpaces();
            const bool isPlain = m_place < m_text.size()
                && (std::isdigit(static_cast<unsigned char>(m_text[m_place])) != 0 || m_text[m_place] == '-');
            Expression argument;
            if (isPlain) {
                if (const auto value = number())
                    argument = std::make_shared<Constant>(*value);
            } else
                argument = expression(depth + 1);
            if (!argument)
                return nullptr;
            arguments.push_back(std::move(argument));
        } while (take(','));
        const bool fits = function->arguments == 0 || function->arguments == arguments.size();
        return fits && take(')') ? std::make_shared<Call>(*function, std::move(arguments)) : nullptr;
    }

    std::string_view m_text;
    std::size_t m_place = 0;
};

} // namespace

std::shared_ptr<const SizeExpression> SizeExpression::parse(const std::string& text)
{
    return Parser(text).whole();
}

std::optional<double> Size::evaluated(const SymbolValues& values) const
{
    return expression ? expression->at(values) : std::nullopt;
}

std::int64_t Size::at(const SymbolValues& values) const
{
    const auto value = evaluated(values);
    constexpr double kMost = 9e15; // of the whole numbers that a double tells apart
    return value && std::isfinite(*value) && std::abs(*value) < kMost ? std::llround(*value) : example;
}

} // namespace headroom::archive
