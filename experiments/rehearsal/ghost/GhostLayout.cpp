// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/ghost/GhostLayout.h"

#include "core/base/Error.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace headroom::experiments {
namespace {

using config::Value;

constexpr std::size_t kMostLines = 20 * kMostGhostTensors; // loops whose bodies add nothing end too
constexpr int kDeepestLayer = 32;

std::string trimmedGhostText(const std::string& text)
{
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

struct LayoutLine {
    std::size_t indent = 0;
    std::string text;
    std::string where;
};

std::vector<LayoutLine> layoutLines(const std::string& text, const std::string& where)
{
    std::vector<LayoutLine> lines;
    int number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        ++number;
        if (const auto comment = line.find('#'); comment != std::string::npos)
            line.erase(comment);
        if (const std::string said = trimmedGhostText(line); !said.empty())
            lines.push_back({line.find_first_not_of(' '), said, where + ", line " + std::to_string(number)});
    }
    return lines;
}

/// Lines to statements, by their indents.
class LayoutReader {
public:
    LayoutReader(const std::string& text, const std::string& where)
        : m_lines(layoutLines(text, where))
    {
    }

    std::vector<GhostStatement> read()
    {
        std::vector<GhostStatement> statements = block(m_lines.empty() ? 0 : m_lines.front().indent);
        if (m_next < m_lines.size())
            throw UsageError("is indented less than the first line", m_lines[m_next].where);
        return statements;
    }

private:
    std::vector<GhostStatement> block(std::size_t indent)
    {
        std::vector<GhostStatement> statements;
        while (m_next < m_lines.size() && m_lines[m_next].indent >= indent) {
            const LayoutLine line = m_lines[m_next++];
            if (line.indent != indent)
                throw UsageError("is indented otherwise than the line before", line.where);
            if (line.text == "else:")
                elseOf(statements, line);
            else
                statements.push_back(line.text.ends_with(':') ? opening(line) : single(line));
        }
        return statements;
    }

    void elseOf(std::vector<GhostStatement>& statements, const LayoutLine& line)
    {
        if (statements.empty() || statements.back().kind != GhostStatement::Kind::If)
            throw UsageError("there is no if before this else", line.where);
        statements.back().otherwise = below(line);
    }

    std::vector<GhostStatement> below(const LayoutLine& line)
    {
        if (m_next == m_lines.size() || m_lines[m_next].indent <= line.indent)
            throw UsageError("nothing stands below \"" + line.text + "\"", line.where);
        return block(m_lines[m_next].indent);
    }

    GhostStatement opening(const LayoutLine& line)
    {
        const std::string head = line.text.substr(0, line.text.size() - 1);
        GhostStatement statement;
        statement.where = line.where;
        if (head.starts_with("if ")) {
            statement.kind = GhostStatement::Kind::If;
            statement.value = readGhostExpression(head.substr(3), line.where);
        } else if (const auto in = head.find(" in "); head.starts_with("for ") && in != std::string::npos) {
            statement.kind = GhostStatement::Kind::For;
            statement.word = head.substr(4, in - 4);
            statement.value = readGhostExpression(head.substr(in + 4), line.where);
        } else {
            statement.name = GhostName(head, line.where);
        }
        statement.body = below(line);
        return statement;
    }

    static GhostStatement single(const LayoutLine& line)
    {
        const auto sign = line.text.find(" = ");
        if (sign == std::string::npos)
            throw UsageError("found \"" + line.text + "\"", line.where, "NAME = LAYER(…), NAME = [EXTENT, …] or NAME:");
        const std::string left = line.text.substr(0, sign);
        const std::string right = line.text.substr(sign + 3);
        if (left.starts_with("let "))
            return let(trimmedGhostText(left.substr(4)), right, line.where);
        return right.starts_with('[') ? tensor(left, right, line.where) : layer(left, right, line.where);
    }

    static GhostStatement let(const std::string& name, const std::string& right, const std::string& where)
    {
        return {GhostStatement::Kind::Let, where, {}, name, readGhostExpression(right, where)};
    }

    static GhostStatement tensor(const std::string& left, const std::string& right, const std::string& where)
    {
        const auto as = right.find(" as ");
        const std::string dtype = as == std::string::npos ? "" : trimmedGhostText(right.substr(as + 4));
        return {GhostStatement::Kind::Tensor, where, GhostName(left, where), dtype,
            readGhostExpression(right.substr(0, as), where)};
    }

    static GhostStatement layer(const std::string& left, const std::string& right, const std::string& where)
    {
        const auto open = right.find('(');
        if (open == std::string::npos || !right.ends_with(')'))
            throw UsageError("found \"" + right + "\"", where, "LAYER(…) or [EXTENT, …]");
        const std::string arguments = "[" + right.substr(open + 1, right.size() - open - 2) + "]";
        return {GhostStatement::Kind::Layer, where, GhostName(left, where), right.substr(0, open),
            readGhostExpression(arguments, where)};
    }

    std::vector<LayoutLine> m_lines;
    std::size_t m_next = 0;
};

std::string underScope(const std::string& scope, const std::string& name)
{
    return scope + (scope.empty() || name.empty() ? "" : ".") + name;
}

/// Writes the tensors down, statement by statement.
class LayoutRun {
public:
    explicit LayoutRun(const GhostLayers& layers, const GhostNames& configuration)
        : m_layers(layers)
        , m_configuration(configuration)
    {
    }

    std::vector<GhostTensor> tensors(const std::vector<GhostStatement>& layout)
    {
        run(layout, "", m_configuration);
        return std::move(m_tensors);
    }

private:
    // What `let` says holds for the lines after it, as far as they are indented as much.
    void run(const std::vector<GhostStatement>& statements, const std::string& scope, const GhostNames& outer)
    {
        config::ValueMap own;
        const GhostNames names = [&own, &outer](const std::string& name) {
            const auto found = own.find(name);
            return found == own.end() ? outer(name) : found->second;
        };
        for (const GhostStatement& statement : statements) {
            if (++m_lines > kMostLines)
                throw tooMany(statement.where);
            if (statement.kind == GhostStatement::Kind::Let)
                own[statement.word] = statement.value(names);
            else
                carryOut(statement, scope, names);
        }
    }

    void carryOut(const GhostStatement& statement, const std::string& scope, const GhostNames& names)
    {
        switch (statement.kind) {
        case GhostStatement::Kind::If:
            return run(ghostTruth(statement.value(names), statement.where) ? statement.body : statement.otherwise,
                scope, names);
        case GhostStatement::Kind::For:
            return repeat(statement, scope, names);
        case GhostStatement::Kind::Layer:
            return layer(statement, underScope(scope, statement.name.of(names)), names);
        case GhostStatement::Kind::Tensor:
            return add(statement, underScope(scope, statement.name.of(names)), names);
        default:
            return run(statement.body, underScope(scope, statement.name.of(names)), names);
        }
    }

    void repeat(const GhostStatement& statement, const std::string& scope, const GhostNames& outer)
    {
        const std::int64_t count = ghostInteger(statement.value(outer), statement.where);
        std::int64_t index = 0;
        const GhostNames names = [&](const std::string& name) {
            return name == statement.word ? Value(index) : outer(name);
        };
        for (; index < count; ++index)
            run(statement.body, scope, names);
    }

    // A layer knows its arguments, but not what the line that asks for it knows.
    void layer(const GhostStatement& statement, const std::string& scope, const GhostNames& names)
    {
        const auto found = m_layers.find(statement.word);
        if (found == m_layers.end())
            throw UsageError("there is no layer \"" + statement.word + "\"", statement.where);
        if (++m_depth > kDeepestLayer)
            throw UsageError("layers stand in layers without an end", statement.where);
        const config::ValueMap given = arguments(found->second, statement, names);
        run(found->second.body, scope, [&](const std::string& name) {
            const auto argument = given.find(name);
            return argument == given.end() ? m_configuration(name) : argument->second;
        });
        --m_depth;
    }

    config::ValueMap arguments(const GhostLayer& layer, const GhostStatement& statement, const GhostNames& names)
    {
        const Value value = statement.value(names);
        const Value::List& said = value.list();
        config::ValueMap given;
        for (std::size_t i = 0; i < layer.parameters.size(); ++i) {
            const auto& [name, otherwise] = layer.parameters[i];
            if (i >= said.size() && !otherwise)
                throw UsageError(statement.word + " lacks its " + name, statement.where);
            given[name] = i < said.size() ? said[i] : otherwise(names);
        }
        if (said.size() > layer.parameters.size())
            throw UsageError(statement.word + " has arguments that it does not know", statement.where);
        return given;
    }

    void add(const GhostStatement& statement, const std::string& name, const GhostNames& names)
    {
        if (m_tensors.size() == kMostGhostTensors)
            throw tooMany(statement.where);
        GhostTensor tensor{name, {}, statement.word};
        const Value shape = statement.value(names);
        for (const Value& extent : shape.list())
            tensor.shape.push_back(extentOf(extent, name, statement.where));
        if (!m_known.insert(name).second)
            throw UsageError("the tensor " + name + " comes twice", statement.where);
        m_tensors.push_back(std::move(tensor));
    }

    static std::int64_t extentOf(const Value& value, const std::string& name, const std::string& where)
    {
        const std::int64_t extent = ghostInteger(value, where);
        if (extent < 0)
            throw UsageError("the tensor " + name + " would have the extent " + std::to_string(extent), where);
        return extent;
    }

    static UsageError tooMany(const std::string& where)
    {
        return UsageError("the configuration asks for more than " + std::to_string(kMostGhostTensors) + " tensors",
            where, "as many layers, heads and experts as models have");
    }

    const GhostLayers& m_layers;
    const GhostNames& m_configuration;
    std::vector<GhostTensor> m_tensors;
    std::set<std::string> m_known;
    std::size_t m_lines = 0;
    int m_depth = 0;
};

// "name" or "name = what it is if not given".
std::pair<std::string, GhostExpression> layerParameter(const std::string& text, const std::string& where)
{
    const auto sign = text.find('=');
    const std::string name = trimmedGhostText(text.substr(0, sign));
    if (name.empty())
        throw UsageError("a parameter has no name", where);
    return {name, sign == std::string::npos ? GhostExpression() : readGhostExpression(text.substr(sign + 1), where)};
}

} // namespace

GhostName::GhostName(
    const std::string& text, const std::string& where, const std::string& open, const std::string& close)
    : m_where(where)
{
    std::size_t begin = 0;
    for (std::size_t next = text.find(open); next != std::string::npos; next = text.find(open, begin)) {
        const std::size_t end = text.find(close, next);
        if (end == std::string::npos)
            throw UsageError("found \"" + text + "\" with a brace that is not closed", where);
        const std::size_t formula = next + open.size();
        m_texts.push_back(text.substr(begin, next - begin));
        m_formulas.push_back(readGhostExpression(text.substr(formula, end - formula), where));
        begin = end + close.size();
    }
    m_texts.push_back(text.substr(begin));
}

std::string GhostName::of(const GhostNames& names) const
{
    std::string name;
    for (std::size_t i = 0; i < m_formulas.size(); ++i) {
        const Value value = m_formulas[i](names);
        name += m_texts[i] + (value.isText() ? value.text() : std::to_string(ghostInteger(value, m_where)));
    }
    return m_texts.empty() ? name : name + m_texts.back();
}

std::vector<GhostStatement> readGhostLayout(const std::string& text, const std::string& where)
{
    return LayoutReader(text, where).read();
}

std::pair<std::string, GhostLayer> readGhostLayer(
    const std::string& signature, const std::string& text, const std::string& where)
{
    const auto open = signature.find('(');
    if (open == std::string::npos || !signature.ends_with(')'))
        throw UsageError("found \"" + signature + "\"", where, "\"NAME(PARAMETER, PARAMETER = FORMULA)\"");
    GhostLayer layer;
    for (std::size_t begin = open + 1; begin < signature.size();) {
        const std::size_t end = std::min(signature.find(',', begin), signature.size() - 1);
        layer.parameters.push_back(layerParameter(signature.substr(begin, end - begin), where));
        begin = end + 1;
    }
    layer.body = readGhostLayout(text, where);
    return {signature.substr(0, open), std::move(layer)};
}

std::vector<GhostTensor> ghostTensors(
    const std::vector<GhostStatement>& layout, const GhostLayers& layers, const GhostNames& names)
{
    return LayoutRun(layers, names).tensors(layout);
}

} // namespace headroom::experiments
