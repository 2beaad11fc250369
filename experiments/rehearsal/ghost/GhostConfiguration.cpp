// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/ghost/GhostConfiguration.h"

#include "core/base/Error.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace headroom::experiments {
namespace {

using config::Value;

constexpr std::int64_t kLargestCount = std::numeric_limits<std::int32_t>::max();
constexpr const char* kEntriesOf = "entries of ";

// Keys that transformers has for every model.
const std::set<std::string> kTokenKeys{"bos_token_id", "decoder_start_token_id", "eos_token_id", "pad_token_id"};

bool isWithin(const Value& value, std::int64_t least)
{
    return value.isInteger() && value.integer() >= least && value.integer() <= kLargestCount;
}

bool areCounts(const Value& value)
{
    return value.isList() && std::ranges::all_of(value.list(), [](const Value& each) { return isWithin(each, 0); });
}

bool isOfType(const Value& value, const std::string& type)
{
    if (type == "count" || type == "size")
        return isWithin(value, type == "count" ? 1 : 0);
    if (type == "real")
        return value.isInteger() || value.isReal();
    if (type == "flag")
        return value.isBoolean();
    if (type == "text")
        return value.isText();
    return type == "any" || areCounts(value);
}

std::string wordsFor(const std::string& type)
{
    const std::string most = " to " + std::to_string(kLargestCount);
    if (type == "count" || type == "size")
        return "a whole number from " + std::string(type == "count" ? "1" : "0") + most;
    if (type == "counts")
        return "a list of whole numbers from 0" + most;
    return type == "real" ? "a number" : type == "flag" ? "true or false" : "a text";
}

} // namespace

GhostConfiguration::GhostConfiguration(
    const GhostDescription& description, std::string className, config::ValueMap entries, std::string where)
    : m_description(description)
    , m_class(std::move(className))
    , m_entries(std::move(entries))
    , m_where(std::move(where))
{
    check();
}

void GhostConfiguration::check() const
{
    const auto quantised = m_entries.lower_bound("quantization_config");
    if (quantised != m_entries.end() && quantised->first.starts_with("quantization_config")
        && !quantised->second.isNull())
        throw UsageError("found weights that are stored quantised, whose names and types are not known",
            m_where + ": quantization_config", "a configuration without it; quantise when the ghost is loaded");
    for (const auto& [name, key] : m_description.keys)
        keyed(name, key);
    for (const GhostRule& rule : m_description.rules)
        if (!ghostTruth(rule.holds(names()), m_where))
            throw UsageError("does not hold: " + rule.words, m_where);
}

GhostNames GhostConfiguration::names() const
{
    return [this](const std::string& name) { return find(name); };
}

const Value* GhostConfiguration::entry(const std::string& key) const
{
    const auto found = m_entries.find(key);
    return found == m_entries.end() || found->second.isNull() ? nullptr : &found->second;
}

Value GhostConfiguration::find(const std::string& name) const
{
    if (name == "class")
        return m_class;
    if (name.starts_with(kEntriesOf))
        return entriesOf(name.substr(std::string(kEntriesOf).size()));
    if (const auto key = m_description.keys.find(name); key != m_description.keys.end())
        return keyed(name, key->second);
    if (const auto value = m_description.values.find(name); value != m_description.values.end())
        return computed(name, value->second);
    if (!kTokenKeys.contains(name))
        throw UsageError("says nothing of \"" + name + "\"", m_description.file);
    const Value* said = entry(name);
    return said == nullptr ? Value() : *said;
}

Value GhostConfiguration::keyed(const std::string& name, const GhostKey& key) const
{
    const Value* said = entry(name);
    if (said == nullptr && !key.otherwise)
        throw UsageError("lacks the key \"" + name + "\"", m_where, wordsFor(key.type));
    if (said == nullptr)
        return computed(name, key.otherwise);
    if (!isOfType(*said, key.type))
        throw UsageError("found " + config::toToml(*said), m_where + ": " + name, wordsFor(key.type));
    return *said;
}

// Formulas that need each other would go on for ever.
Value GhostConfiguration::computed(const std::string& name, const GhostExpression& formula) const
{
    if (!m_open.insert(name).second)
        throw UsageError("\"" + name + "\" needs itself", m_description.file);
    try {
        Value value = formula(names());
        m_open.erase(name);
        return value;
    } catch (...) {
        m_open.erase(name);
        throw;
    }
}

Value GhostConfiguration::entriesOf(const std::string& object) const
{
    const std::string prefix = object + ".";
    std::int64_t count = 0;
    for (auto each = m_entries.lower_bound(prefix); each != m_entries.end() && each->first.starts_with(prefix); ++each)
        ++count;
    return count == 0 ? Value() : Value(count);
}

std::string GhostConfiguration::dtype() const
{
    for (const char* key : {"dtype", "torch_dtype"})
        if (const Value* said = entry(key); said != nullptr && said->isText())
            return said->text().starts_with("torch.") ? said->text().substr(6) : said->text();
    return {};
}

} // namespace headroom::experiments
