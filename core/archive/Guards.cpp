// SPDX-License-Identifier: Apache-2.0
#include "core/archive/Guards.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace headroom::archive {
namespace {

constexpr int kDeepestGuard = 200;

/// Evaluates one expression while reading it. What it does not know ends it with NotKnown.
class GuardReader {
public:
    struct NotKnown { };

    GuardReader(const ExportedModel& model, const std::string& text, const SymbolValues& values)
        : m_model(model)
        , m_text(text)
        , m_values(values)
    {
    }

    bool holds()
    {
        const double value = either();
        skipSpaces();
        if (m_place != m_text.size())
            throw NotKnown();
        return value != 0;
    }

private:
    void skipSpaces()
    {
        while (m_place < m_text.size() && m_text[m_place] == ' ')
            ++m_place;
    }
    bool take(std::string_view wanted)
    {
        skipSpaces();
        if (m_text.compare(m_place, wanted.size(), wanted) != 0)
            return false;
        const std::size_t end = m_place + wanted.size();
        const bool isWord = std::isalpha(static_cast<unsigned char>(wanted.front())) != 0;
        if (isWord && end < m_text.size()
            && (std::isalnum(static_cast<unsigned char>(m_text[end])) != 0 || m_text[end] == '_'))
            return false;
        m_place = end;
        return true;
    }
    void require(std::string_view wanted)
    {
        if (!take(wanted))
            throw NotKnown();
    }

    double either()
    {
        double value = both();
        while (take("or")) {
            const double other = both();
            value = value != 0 || other != 0 ? 1 : 0;
        }
        return value;
    }
    double both()
    {
        double value = negated();
        while (take("and")) {
            const double other = negated();
            value = value != 0 && other != 0 ? 1 : 0;
        }
        return value;
    }
    double negated()
    {
        bool isNegated = false;
        while (take("not"))
            isNegated = !isNegated;
        const double value = comparison();
        return isNegated ? (value == 0 ? 1 : 0) : value;
    }

    // a < b <= c compares neighbours.
    double comparison()
    {
        double left = sum();
        bool isTrue = true;
        bool isComparison = false;
        for (;; isComparison = true) {
            if (take("=="))
                isTrue = compare(left, [](double a, double b) { return a == b; }) && isTrue;
            else if (take("!="))
                isTrue = compare(left, [](double a, double b) { return a != b; }) && isTrue;
            else if (take("<="))
                isTrue = compare(left, [](double a, double b) { return a <= b; }) && isTrue;
            else if (take(">="))
                isTrue = compare(left, [](double a, double b) { return a >= b; }) && isTrue;
            else if (take("<"))
                isTrue = compare(left, [](double a, double b) { return a < b; }) && isTrue;
            else if (take(">"))
                isTrue = compare(left, [](double a, double b) { return a > b; }) && isTrue;
            else
                return isComparison ? (isTrue ? 1 : 0) : left;
        }
    }
    template <typename Relation> bool compare(double& left, const Relation& relation)
    {
        const double right = sum();
        const bool holds = relation(left, right);
        left = right;
        return holds;
    }

    double sum()
    {
        double value = product();
        while (true) {
            if (take("+"))
                value += product();
            else if (take("-"))
                value -= product();
            else
                return value;
        }
    }
    double product()
    {
        double value = factor();
        while (true) {
            if (take("//"))
                value = std::floor(value / factor());
            else if (take("/"))
                value /= factor();
            else if (take("%")) {
                const double divisor = factor();
                value -= std::floor(value / divisor) * divisor;
            } else if (m_text.compare(m_place, 2, "**") != 0 && take("*"))
                value *= factor();
            else
                return value;
        }
    }
    double factor()
    {
        if (++m_depth > kDeepestGuard)
            throw NotKnown();
        double value = take("-") ? -factor() : atom();
        if (take("**"))
            value = std::pow(value, factor());
        --m_depth;
        return value;
    }

    double atom()
    {
        skipSpaces();
        if (take("(")) {
            const double value = either();
            require(")");
            return value;
        }
        if (m_place < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[m_place])) != 0)
            return number();
        if (take("L"))
            return input();
        return call();
    }

    double number()
    {
        std::size_t length = 0;
        const std::string rest = m_text.substr(m_place, 32);
        double value = 0;
        try {
            value = std::stod(rest, &length);
        } catch (const std::exception&) {
            throw NotKnown();
        }
        m_place += length;
        return value;
    }

    double call()
    {
        const std::size_t begin = m_place;
        while (m_place < m_text.size()
            && (std::isalnum(static_cast<unsigned char>(m_text[m_place])) != 0 || m_text[m_place] == '_'))
            ++m_place;
        const std::string name = m_text.substr(begin, m_place - begin);
        if (name == "True" || name == "False")
            return name == "True" ? 1 : 0;
        require("(");
        std::vector<double> arguments{either()};
        while (take(","))
            arguments.push_back(either());
        require(")");
        return valueOf(name, arguments);
    }

    static double valueOf(const std::string& name, const std::vector<double>& arguments)
    {
        if (name == "min" || name == "Min")
            return *std::ranges::min_element(arguments);
        if (name == "max" || name == "Max")
            return *std::ranges::max_element(arguments);
        if (arguments.size() != 2)
            throw NotKnown();
        const double a = arguments[0];
        const double b = arguments[1];
        if (name == "Eq" || name == "Ne")
            return (a == b) == (name == "Eq") ? 1 : 0;
        if (name == "Mod" || name == "PythonMod")
            return a - std::floor(a / b) * b;
        if (name == "FloorDiv")
            return std::floor(a / b);
        throw NotKnown();
    }

    // L['name'].size()[1], or L['name'] for a number; keys and places of nested arguments are joined as in the graph.
    double input()
    {
        std::string name;
        while (take("[")) {
            skipSpaces();
            const bool isText = m_place < m_text.size() && m_text[m_place] == '\'';
            const std::size_t begin = m_place + (isText ? 1 : 0);
            const std::size_t end = m_text.find(isText ? '\'' : ']', begin);
            if (end == std::string::npos)
                throw NotKnown();
            name += (name.empty() ? "" : "_") + m_text.substr(begin, end - begin);
            m_place = end + (isText ? 1 : 0);
            require("]");
        }
        const auto found = std::ranges::find(m_model.inputs, name, &UserInput::name);
        if (found == m_model.inputs.end())
            throw NotKnown();
        if (!found->tensor)
            return static_cast<double>(found->number.at(m_values));
        require(".size()[");
        const double place = number();
        require("]");
        if (!(place >= 0 && place < static_cast<double>(found->tensor->sizes.size())))
            throw NotKnown();
        return static_cast<double>(found->tensor->sizes[static_cast<std::size_t>(place)].at(m_values));
    }

    const ExportedModel& m_model;
    const std::string& m_text;
    const SymbolValues& m_values;
    std::size_t m_place = 0;
    int m_depth = 0;
};

} // namespace

GuardState checkGuard(const ExportedModel& model, const std::string& guard, const SymbolValues& values)
{
    try {
        return GuardReader(model, guard, values).holds() ? GuardState::Holds : GuardState::Violated;
    } catch (const GuardReader::NotKnown&) {
        return GuardState::NotChecked;
    }
}

std::vector<std::string> violatedGuards(const ExportedModel& model, const SymbolValues& values)
{
    std::vector<std::string> violated;
    for (const std::string& guard : model.guards)
        if (checkGuard(model, guard, values) == GuardState::Violated)
            violated.push_back(guard);
    return violated;
}

} // namespace headroom::archive
