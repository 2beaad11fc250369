// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/ghost/GhostDescription.h"

#include "core/base/Error.h"
#include "core/toml/InputText.h"
#include "core/toml/TomlText.h"

#include <set>
#include <utility>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;

const std::set<std::string> kKeyTypes{"any", "count", "counts", "flag", "real", "size", "text"};

toml::table tableIn(const fs::path& file)
{
    return parseToml(readInputText(file, "a description of checkpoints", "a file of resources/ghost"), file.string());
}

/// Reads a table's entries and says where what it does not find should have been.
class DescriptionTable {
public:
    DescriptionTable(const toml::table& table, std::string where)
        : m_table(table)
        , m_where(std::move(where))
    {
    }

    std::string text(const char* key) const { return textOf(*required(key), placeOf(key)); }

    std::string textOr(const char* key, const std::string& otherwise) const
    {
        return m_table.contains(key) ? text(key) : otherwise;
    }

    bool flag(const char* key) const { return m_table[key].value_or(false); }

    GhostExpression formula(const char* key) const
    {
        return m_table.contains(key) ? readGhostExpression(text(key), placeOf(key)) : GhostExpression();
    }

    std::vector<std::string> texts(const char* key) const
    {
        std::vector<std::string> found;
        for (const toml::node& each : list(key))
            found.push_back(textOf(each, placeOf(key)));
        return found;
    }

    // A list of lists of `count` texts.
    std::vector<std::vector<std::string>> rows(const char* key, std::size_t count) const
    {
        std::vector<std::vector<std::string>> found;
        for (const toml::node& each : list(key)) {
            std::vector<std::string> row;
            for (const toml::node& cell : *requireKind(each.as_array(), key))
                row.push_back(textOf(cell, placeOf(key)));
            if (row.size() != count)
                throw UsageError("found a row of " + std::to_string(row.size()), placeOf(key), std::to_string(count));
            found.push_back(std::move(row));
        }
        return found;
    }

    // The texts of a table in this one, by their keys; none without it.
    std::map<std::string, std::string> textsByKey(const char* key) const
    {
        std::map<std::string, std::string> found;
        if (m_table.contains(key))
            for (const auto& [name, node] : *requireKind(m_table[key].as_table(), key))
                found.emplace(name.str(), textOf(node, placeOf(key) + "." + std::string(name.str())));
        return found;
    }

    const toml::table* table(const char* key) const
    {
        return m_table.contains(key) ? requireKind(m_table[key].as_table(), key) : nullptr;
    }

    std::string placeOf(const std::string& key) const { return m_where + ": " + key; }

private:
    const toml::array& list(const char* key) const
    {
        static const toml::array kNothing;
        return m_table.contains(key) ? *requireKind(m_table[key].as_array(), key) : kNothing;
    }

    template <typename Kind> const Kind* requireKind(const Kind* found, const char* key) const
    {
        if (found == nullptr)
            throw UsageError("is of another kind", placeOf(key));
        return found;
    }

    const toml::node* required(const char* key) const { return requireKind(m_table.get(key), key); }

    static std::string textOf(const toml::node& node, const std::string& place)
    {
        const auto text = node.value<std::string>();
        if (!node.is_string() || !text)
            throw UsageError("found no text", place, "a text in quotes");
        return *text;
    }

    const toml::table& m_table;
    std::string m_where;
};

// "count", or "count = FORMULA".
GhostKey keyFrom(const std::string& text, const std::string& where)
{
    const auto sign = text.find(" = ");
    GhostKey key{text.substr(0, sign), {}};
    if (!kKeyTypes.contains(key.type))
        throw UsageError("found the type \"" + key.type + "\"", where);
    if (sign != std::string::npos)
        key.otherwise = readGhostExpression(text.substr(sign + 3), where);
    return key;
}

std::vector<GhostSpecialToken> usualTokens(const std::string& where)
{
    std::vector<GhostSpecialToken> tokens;
    for (const char* name : {"bos", "eos", "pad"})
        tokens.push_back({std::string(name) + "_token", std::string("<|") + name + "|>",
            readGhostExpression(std::string(name) + "_token_id", where)});
    return tokens;
}

GhostVocabulary vocabularyFrom(const toml::table* table, const std::string& where)
{
    if (table == nullptr)
        return {};
    const DescriptionTable said(*table, where);
    GhostVocabulary vocabulary{
        said.formula("size"), {}, said.texts("before"), said.texts("after"), said.formula("longest")};
    for (const auto& row : said.rows("special", 3))
        vocabulary.special.push_back({row[0], row[1], readGhostExpression(row[2], said.placeOf("special"))});
    if (vocabulary.special.empty())
        vocabulary.special = usualTokens(where);
    return vocabulary;
}

// "$(FORMULA)" as the braces of a name; a JSON text has braces of its own.
GhostName fileText(const std::string& text, const std::string& where)
{
    return GhostName(text, where, "$(", ")");
}

void readParts(GhostDescription& description, const DescriptionTable& said)
{
    for (const auto& [key, text] : said.textsByKey("config"))
        description.keys.emplace(key, keyFrom(text, said.placeOf("config." + key)));
    for (const auto& [name, text] : said.textsByKey("values"))
        description.values.emplace(name, readGhostExpression(text, said.placeOf("values." + name)));
    for (const auto& row : said.rows("rules", 2))
        description.rules.push_back({readGhostExpression(row[0], said.placeOf("rules")), row[1]});
    for (const auto& [name, text] : said.textsByKey("files"))
        description.files.emplace(name, fileText(text, said.placeOf("files." + name)));
}

} // namespace

GhostDescription readGhostDescription(const fs::path& file)
{
    const toml::table table = tableIn(file);
    const DescriptionTable said(table, file.string());
    GhostDescription description;
    description.file = file.string();
    description.library = said.text("library");
    description.classes = said.texts("classes");
    description.modelTypes = said.texts("model_types");
    description.generates = said.flag("generates");
    description.layout = readGhostLayout(said.text("layout"), said.placeOf("layout"));
    description.vocabulary = vocabularyFrom(said.table("tokenizer"), said.placeOf("tokenizer"));
    readParts(description, said);
    if (description.classes.empty())
        throw UsageError("names no class", said.placeOf("classes"));
    return description;
}

GhostLayers readGhostLayers(const fs::path& file)
{
    const toml::table table = tableIn(file);
    const DescriptionTable said(table, file.string());
    GhostLayers layers;
    for (const auto& [signature, text] : said.textsByKey("layers"))
        layers.insert(readGhostLayer(signature, text, said.placeOf(signature)));
    return layers;
}

} // namespace headroom::experiments
