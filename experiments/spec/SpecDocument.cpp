// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/SpecDocument.h"

#include "core/base/Error.h"
#include "core/base/ShownText.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/toml/TomlText.h"
#include "experiments/spec/BudgetReader.h"
#include "experiments/spec/TomlValue.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

const std::vector<std::string> kSpecTables{"model", "workload", "techniques", "device", "protocol"};
const std::vector<std::string> kTopLevel{"name", "title", "description", "model", "workload", "techniques", "device",
    "protocol", "exclude", "budget", "part"};

std::string specPosition(const std::string& source, const toml::source_region& region)
{
    return source + ":" + std::to_string(region.begin.line) + ":" + std::to_string(region.begin.column);
}

class SpecReader {
public:
    /// Where there is a place for mistakes, they are put there, and the key is left out.
    explicit SpecReader(const std::string& source, std::vector<UsageError>* mistakes = nullptr)
        : m_source(source)
        , m_mistakes(mistakes)
    {
    }

    SpecDocument read(const toml::table& root)
    {
        SpecDocument document;
        for (const auto& [key, node] : root)
            orNote([&, &topKey = key, &topNode = node] { readTopLevel(document, topKey, topNode); });
        return document;
    }

private:
    template <typename Read> void orNote(const Read& read)
    {
        try {
            read();
        } catch (const UsageError& mistake) {
            if (m_mistakes == nullptr)
                throw;
            m_mistakes->push_back(mistake);
        }
    }

    void readTopLevel(SpecDocument& document, const toml::key& key, const toml::node& node)
    {
        const std::string name(key.str());
        const std::string where = at(node.source(), name);
        if (name == "name")
            document.name = experimentName(node, where);
        else if (name == "title")
            document.title = text(node, where);
        else if (name == "description")
            document.description = text(node, where);
        else if (name == "part")
            for (const toml::table* part : tables(node, where))
                document.parts.push_back(readPart(*part));
        else if (name == "exclude")
            for (const toml::table* rule : tables(node, where))
                document.excludes.push_back(readExclude(*rule));
        else if (name == "budget")
            document.budgets = readBudgets(node, m_source);
        else
            readTable(document.settings, key, node, kTopLevel, "");
    }

    SpecSettings readPart(const toml::table& part)
    {
        SpecSettings settings;
        for (const auto& [key, node] : part)
            orNote([&, &table = key, &entries = node] { readTable(settings, table, entries, kSpecTables, "part."); });
        return settings;
    }

    // [model], [workload], [techniques], [device] or [protocol].
    void readTable(SpecSettings& settings, const toml::key& key, const toml::node& node,
        const std::vector<std::string>& validKeys, const std::string& prefix)
    {
        const std::string name(key.str());
        if (std::find(kSpecTables.begin(), kSpecTables.end(), name) == kSpecTables.end())
            throw unknownKey(name, at(key.source(), prefix + name), validKeys);
        const toml::table& entries = table(node, at(node.source(), prefix + name));
        for (const auto& [entryKey, entry] : entries)
            orNote([&, &table = name, &inner = entryKey, &value = entry] { readEntry(settings, table, inner, value); });
    }

    void readEntry(SpecSettings& settings, const std::string& table, const toml::key& key, const toml::node& node)
    {
        const std::string path = table + "." + std::string(key.str());
        if (table == "techniques")
            readTechnique(settings, path, key, node);
        else if (table == "workload" && node.is_table())
            readInputSizes(settings, path, *node.as_table());
        else
            add(settings, path, key, node);
    }

    // input_ids.1 = 8192 without quotes is a table in the table.
    void readInputSizes(SpecSettings& settings, const std::string& path, const toml::table& sizes)
    {
        for (const auto& [name, size] : sizes)
            orNote([&, &inner = name, &value = size] {
                add(settings, fullPath(path + "." + std::string(inner.str()), at(inner.source(), path)), inner, value);
            });
    }

    // KEY = "notation", KEY = ["notation", ...] or a table of notation and options.
    void readTechnique(SpecSettings& settings, const std::string& path, const toml::key& key, const toml::node& node)
    {
        config::findTechnique(std::string(key.str()), at(key.source(), path));
        if (!node.is_table()) {
            add(settings, path, key, node);
            return;
        }
        for (const auto& [name, option] : *node.as_table())
            orNote([&, &inner = name, &value = option] {
                add(settings, fullPath(path + "." + std::string(inner.str()), at(inner.source(), path)), inner, value);
            });
    }

    ExcludeRule readExclude(const toml::table& rule)
    {
        ExcludeRule result{{}, "excluded", at(rule.source(), "exclude")};
        for (const auto& [key, node] : rule) {
            const std::string name(key.str());
            if (name == "reason")
                result.reason = text(node, at(node.source(), "exclude.reason"));
            else
                readExcludeSettings(result, name, key, node);
        }
        if (result.settings.empty())
            throw UsageError("nothing says which trials", result.where, "settings such as split_ffn = \"4\"");
        return result;
    }

    // Dotted keys arrive as tables in tables.
    void readExcludeSettings(ExcludeRule& rule, const std::string& path, const toml::key& key, const toml::node& node)
    {
        if (const auto* nested = node.as_table()) {
            for (const auto& [name, value] : *nested)
                readExcludeSettings(rule, path + "." + std::string(name.str()), name, value);
            return;
        }
        const std::string where = at(key.source(), "exclude." + path);
        rule.settings.push_back(setting(fullPath(path, where), node, where));
    }

    void add(SpecSettings& settings, const std::string& path, const toml::key& key, const toml::node& node)
    {
        settings.insert_or_assign(path, setting(path, node, at(key.source(), path)));
    }

    SpecSetting setting(const std::string& path, const toml::node& node, const std::string& where) const
    {
        SpecSetting result{path, valueFromToml(node, where), where};
        if (const auto* array = node.as_array())
            for (const toml::node& item : *array)
                result.elementWhere.push_back(at(item.source(), path));
        return result;
    }

    std::string at(const toml::source_region& region, const std::string& key) const
    {
        return specPosition(m_source, region) + ": " + key;
    }

    static std::string text(const toml::node& node, const std::string& where)
    {
        const config::Value value = valueFromToml(node, where);
        if (!value.isText())
            throw UsageError("found " + config::toToml(value), where, "text in quotes");
        return value.text();
    }

    // It stands in tables, file names and every message.
    static std::string experimentName(const toml::node& node, const std::string& where)
    {
        const std::string name = text(node, where);
        if (!config::isPlainText(name))
            throw UsageError("found " + config::toToml(name), where, "text of one line without control characters");
        return name;
    }

    static const toml::table& table(const toml::node& node, const std::string& where)
    {
        if (const auto* found = node.as_table())
            return *found;
        throw UsageError("found " + config::toToml(valueFromToml(node, where)), where, "a table");
    }

    // The tables of [[part]] or [[exclude]]; one alone may also be written [part].
    static std::vector<const toml::table*> tables(const toml::node& node, const std::string& where)
    {
        const auto* array = node.as_array();
        if (array == nullptr)
            return {&table(node, where)};
        std::vector<const toml::table*> found;
        for (const toml::node& item : *array)
            found.push_back(&table(item, where));
        return found;
    }

    static UsageError unknownKey(
        const std::string& name, const std::string& where, const std::vector<std::string>& validKeys)
    {
        const std::string hint = didYouMean(config::closestName(name, validKeys));
        return UsageError("unknown key \"" + name + "\"" + hint, where, joined(validKeys));
    }

    const std::string& m_source;
    std::vector<UsageError>* m_mistakes;
};

SpecDocument readWith(SpecReader reader, const std::string& toml, const std::string& source)
{
    return reader.read(parseToml(toml, source));
}

} // namespace

SpecDocument readSpecDocument(const std::string& toml, const std::string& source)
{
    return readWith(SpecReader(source), toml, source);
}

SpecDocument readSpecDocument(const std::string& toml, const std::string& source, std::vector<UsageError>& mistakes)
{
    return readWith(SpecReader(source, &mistakes), toml, source);
}

} // namespace headroom::experiments
