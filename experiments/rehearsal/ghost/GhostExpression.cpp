// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/ghost/GhostExpression.h"

#include "core/base/Error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>
#include <vector>

namespace headroom::experiments {
namespace {

using config::Value;

constexpr int kDeepestFormula = 64;

struct FormulaToken {
    enum class Kind { Number, Text, Name, Sign, End };

    Kind kind = Kind::End;
    std::string text;
};

bool isNameLetter(char letter)
{
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '.';
}

UsageError badFormula(const std::string& text, const std::string& where)
{
    return UsageError("\"" + text + "\" is no formula", where);
}

std::string takeWhile(std::string_view& rest, bool (*belongs)(char))
{
    const auto end = std::ranges::find_if_not(rest, belongs);
    const std::string taken(rest.begin(), end);
    rest.remove_prefix(taken.size());
    return taken;
}

FormulaToken takeText(std::string_view& rest, const std::string& where)
{
    const auto end = rest.find('\'', 1);
    if (end == std::string_view::npos)
        throw badFormula(std::string(rest), where);
    FormulaToken token{FormulaToken::Kind::Text, std::string(rest.substr(1, end - 1))};
    rest.remove_prefix(end + 1);
    return token;
}

FormulaToken takeSign(std::string_view& rest, const std::string& where)
{
    constexpr std::array<std::string_view, 19> kSigns{
        "??", "==", "!=", "<=", ">=", "//", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", ",", "="};
    for (const std::string_view sign : kSigns)
        if (rest.starts_with(sign)) {
            rest.remove_prefix(sign.size());
            return {FormulaToken::Kind::Sign, std::string(sign)};
        }
    throw badFormula(std::string(rest), where);
}

std::vector<FormulaToken> tokensOf(std::string_view rest, const std::string& where)
{
    std::vector<FormulaToken> tokens;
    while (!rest.empty()) {
        const char letter = rest.front();
        if (letter == ' ')
            rest.remove_prefix(1);
        else if (letter == '\'')
            tokens.push_back(takeText(rest, where));
        else if (std::isdigit(static_cast<unsigned char>(letter)) != 0)
            tokens.push_back({FormulaToken::Kind::Number, takeWhile(rest, isNameLetter)});
        else if (isNameLetter(letter))
            tokens.push_back({FormulaToken::Kind::Name, takeWhile(rest, isNameLetter)});
        else
            tokens.push_back(takeSign(rest, where));
    }
    tokens.emplace_back();
    return tokens;
}

/// One way down the precedences: choice, ??, or, and, not, comparison, sum, product, element, atom.
class FormulaReader {
public:
    FormulaReader(const std::string& text, const std::string& where)
        : m_text(text)
        , m_where(where)
        , m_tokens(tokensOf(text, where))
    {
    }

    GhostExpression read()
    {
        GhostExpression formula = choice();
        if (m_tokens[m_next].kind != FormulaToken::Kind::End)
            throw badFormula(m_text, m_where);
        return formula;
    }

private:
    bool take(const std::string& text)
    {
        const FormulaToken& token = m_tokens[m_next];
        const bool isWord = token.kind == FormulaToken::Kind::Sign || token.kind == FormulaToken::Kind::Name;
        const bool isTaken = isWord && token.text == text;
        m_next += isTaken ? 1 : 0;
        return isTaken;
    }

    void require(const std::string& text)
    {
        if (!take(text))
            throw badFormula(m_text, m_where);
    }

    // The sign that was taken; empty: none of them is next.
    std::string takeOneOf(const std::vector<std::string>& signs)
    {
        for (const std::string& sign : signs)
            if (take(sign))
                return sign;
        return {};
    }

    GhostExpression choice()
    {
        if (++m_depth > kDeepestFormula)
            throw badFormula(m_text, m_where);
        GhostExpression value = fallback();
        if (take("if")) {
            GhostExpression condition = fallback();
            require("else");
            value = [yes = std::move(value), condition = std::move(condition), no = choice(), where = m_where](
                        const GhostNames& names) {
                return ghostTruth(condition(names), where) ? yes(names) : no(names);
            };
        }
        --m_depth;
        return value;
    }

    GhostExpression fallback()
    {
        GhostExpression value = either();
        if (take("??"))
            value = [first = std::move(value), second = fallback()](const GhostNames& names) {
                Value found = first(names);
                return found.isNull() ? second(names) : found;
            };
        return value;
    }

    GhostExpression either()
    {
        GhostExpression value = both();
        while (take("or"))
            value = [a = std::move(value), b = both(), where = m_where](const GhostNames& names) {
                return Value(ghostTruth(a(names), where) || ghostTruth(b(names), where));
            };
        return value;
    }

    GhostExpression both()
    {
        GhostExpression value = negation();
        while (take("and"))
            value = [a = std::move(value), b = negation(), where = m_where](const GhostNames& names) {
                return Value(ghostTruth(a(names), where) && ghostTruth(b(names), where));
            };
        return value;
    }

    GhostExpression negation()
    {
        if (!take("not"))
            return comparison();
        return
            [a = negation(), where = m_where](const GhostNames& names) { return Value(!ghostTruth(a(names), where)); };
    }

    GhostExpression comparison()
    {
        GhostExpression value = sum();
        if (const std::string sign = takeOneOf({"==", "!=", "<=", ">=", "<", ">", "in"}); !sign.empty())
            value = [a = std::move(value), b = sum(), sign, where = m_where](
                        const GhostNames& names) { return Value(ghostCompared(sign, a(names), b(names), where)); };
        return value;
    }

    GhostExpression sum() { return chain({"+", "-"}, &FormulaReader::product); }
    GhostExpression product() { return chain({"*", "//", "/", "%"}, &FormulaReader::element); }

    GhostExpression chain(const std::vector<std::string>& signs, GhostExpression (FormulaReader::*part)())
    {
        GhostExpression value = (this->*part)();
        for (std::string sign = takeOneOf(signs); !sign.empty(); sign = takeOneOf(signs))
            value = [a = std::move(value), b = (this->*part)(), sign, where = m_where](
                        const GhostNames& names) { return ghostComputed(sign, a(names), b(names), where); };
        return value;
    }

    GhostExpression element()
    {
        GhostExpression value = atom();
        while (take("[")) {
            value = [list = std::move(value), index = choice(), where = m_where](
                        const GhostNames& names) { return ghostElement(list(names), index(names), where); };
            require("]");
        }
        return value;
    }

    GhostExpression atom()
    {
        if (take("(")) {
            GhostExpression value = choice();
            require(")");
            return value;
        }
        if (take("["))
            return list();
        if (take("-"))
            return [a = atom(), where = m_where](
                       const GhostNames& names) { return ghostComputed("*", a(names), -1, where); };
        const FormulaToken token = m_tokens[m_next];
        m_next += token.kind == FormulaToken::Kind::End ? 0 : 1;
        if (token.kind == FormulaToken::Kind::Number)
            return constant(numberOf(token.text));
        if (token.kind == FormulaToken::Kind::Text)
            return constant(token.text);
        if (token.kind != FormulaToken::Kind::Name)
            throw badFormula(m_text, m_where);
        return named(token.text);
    }

    static GhostExpression constant(Value value)
    {
        return [value = std::move(value)](const GhostNames&) { return value; };
    }

    Value numberOf(const std::string& text) const
    {
        const char* last = text.data() + text.size();
        if (std::int64_t whole = 0; std::from_chars(text.data(), last, whole).ptr == last)
            return whole;
        double real = 0;
        if (std::from_chars(text.data(), last, real).ptr != last)
            throw badFormula(text, m_where);
        return real;
    }

    GhostExpression named(const std::string& name)
    {
        if (name == "true" || name == "false")
            return constant(name == "true");
        if (name == "null")
            return constant({});
        if (take("("))
            return call(name);
        return [name](const GhostNames& names) { return names(name); };
    }

    std::vector<GhostExpression> upTo(const std::string& end)
    {
        std::vector<GhostExpression> parts;
        while (!take(end)) {
            parts.push_back(choice());
            if (!take(",")) {
                require(end);
                break;
            }
        }
        return parts;
    }

    GhostExpression list()
    {
        return [parts = upTo("]")](const GhostNames& names) {
            Value::List values;
            for (const GhostExpression& part : parts)
                values.push_back(part(names));
            return Value(std::move(values));
        };
    }

    GhostExpression call(const std::string& function)
    {
        return [function, parts = upTo(")"), where = m_where](const GhostNames& names) {
            std::vector<Value> values;
            for (const GhostExpression& part : parts)
                values.push_back(part(names));
            return ghostCalled(function, values, names, where);
        };
    }

    const std::string& m_text;
    const std::string& m_where;
    std::vector<FormulaToken> m_tokens;
    std::size_t m_next = 0;
    int m_depth = 0;
};

} // namespace

GhostExpression readGhostExpression(const std::string& text, const std::string& where)
{
    return FormulaReader(text, where).read();
}

} // namespace headroom::experiments
