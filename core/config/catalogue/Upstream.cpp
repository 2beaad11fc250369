// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/Upstream.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"

#include <algorithm>
#include <optional>

namespace headroom::config {
namespace {

/// An upstream class and its family.
struct FoundClass {
    const ModelFamily* family = nullptr;
    const UpstreamClass* upstream = nullptr;
};

// The first class that the predicate accepts.
template <typename Predicate> std::optional<FoundClass> classWhere(Predicate predicate)
{
    for (const ModelFamily& family : modelFamilies())
        for (const UpstreamClass& candidate : family.upstream.classes)
            if (predicate(candidate))
                return FoundClass{&family, &candidate};
    return std::nullopt;
}

std::vector<std::string> classNames()
{
    std::vector<std::string> names;
    for (const ModelFamily& family : modelFamilies())
        for (const UpstreamClass& candidate : family.upstream.classes)
            names.push_back(candidate.name);
    return names;
}

std::optional<std::string> textOf(const ValueMap& entries, const char* key)
{
    const auto found = entries.find(key);
    return found != entries.end() && found->second.isText() ? std::optional(found->second.text()) : std::nullopt;
}

// The class names in a file: diffusers' single one, or transformers' list.
std::vector<std::string> classesIn(const ValueMap& entries)
{
    if (const auto name = textOf(entries, "_class_name"))
        return {*name};
    std::vector<std::string> names;
    const auto architectures = entries.find("architectures");
    if (architectures != entries.end() && architectures->second.isList())
        for (const Value& name : architectures->second.list())
            if (name.isText())
                names.push_back(name.text());
    return names;
}

FoundClass classOf(const ValueMap& entries, const std::string& where)
{
    const std::vector<std::string> names = classesIn(entries);
    for (const std::string& name : names)
        if (const auto found = classWhere([&](const UpstreamClass& candidate) { return candidate.name == name; }))
            return *found;
    if (!names.empty())
        throw UsageError("found the class \"" + joined(names) + "\", which no model family is",
            where + ": " + (entries.contains("_class_name") ? "_class_name" : "architectures"), joined(classNames()));
    const auto type = textOf(entries, "model_type");
    if (!type)
        throw UsageError("does not say of which class its model is", where,
            "_class_name, architectures or model_type of " + joined(classNames()));
    if (const auto found = classWhere([&](const UpstreamClass& candidate) { return candidate.modelType == *type; }))
        return *found;
    throw UsageError("found \"" + *type + "\", which no model family is", where + ": model_type",
        "_class_name or architectures of " + joined(classNames()));
}

/// Reads the entries of one file.
class Reader {
public:
    Reader(const FoundClass& found, const std::string& where)
        : m_family(*found.family)
        , m_upstream(*found.upstream)
        , m_where(where)
    {
    }

    ValueMap fieldsOf(const ValueMap& entries) const
    {
        ValueMap fields = m_family.fields.complete(m_upstream.defaults, m_where);
        // A wrong kind of model is reported before keys that only that kind has.
        for (const FixedKey& fixed : m_upstream.fixed)
            if (const auto found = entries.find(fixed.key); found != entries.end() && !saysNothing(*found))
                requireFixed(fixed, found->second);
        for (const auto& entry : entries)
            if (!saysNothing(entry))
                read(fields, entry.first, entry.second);
        if (m_upstream.settle)
            m_upstream.settle(fields, entries, m_where);
        const auto problems = m_family.fieldProblems(fields);
        if (!problems.empty())
            throw UsageError(problems.front().text, m_where, problems.front().valid);
        return fields;
    }

private:
    void read(ValueMap& fields, const std::string& key, const Value& value) const
    {
        const auto renamed = m_upstream.renamed.find(key);
        const std::string name = renamed == m_upstream.renamed.end() ? key : renamed->second;
        if (isFixed(key))
            return;
        if (const Field* field = m_family.fields.find(name))
            fields[name] = field->check(value, m_where + ": " + key);
        else if (!isHarmless(key))
            refuse(key, value);
    }

    bool isFixed(const std::string& key) const
    {
        return std::ranges::find(m_upstream.fixed, key, &FixedKey::key) != m_upstream.fixed.end();
    }

    bool saysNothing(const ValueMap::value_type& entry) const
    {
        return entry.second.isNull()
            && std::ranges::find(m_upstream.nullable, entry.first) != m_upstream.nullable.end();
    }

    void requireFixed(const FixedKey& fixed, const Value& value) const
    {
        if (std::ranges::find(fixed.values, value) != fixed.values.end())
            return;
        std::vector<std::string> valid;
        for (const Value& supported : fixed.values)
            valid.push_back(toToml(supported));
        throw UsageError(
            "found " + toToml(value) + ", which is not supported", m_where + ": " + fixed.key, joined(valid));
    }

    // "task_specific_params" also covers "task_specific_params.summarization.prefix".
    bool isHarmless(const std::string& key) const
    {
        // The class again, and the keys that saving an EMA adds to a model's own.
        static const std::vector<std::string> kOfNoModel{"architectures", "model_type", "decay", "min_decay",
            "optimization_step", "update_after_step", "use_ema_warmup", "inv_gamma", "power"};
        const auto names = [&](const std::string& harmless) {
            return key == harmless || key.starts_with(harmless + ".");
        };
        return key.starts_with("_") || std::ranges::any_of(kOfNoModel, names)
            || std::ranges::any_of(m_upstream.harmless, names);
    }

    [[noreturn]] void refuse(const std::string& key, const Value& value) const
    {
        std::vector<std::string> keys;
        for (const Field& field : m_family.fields.all())
            if (std::ranges::none_of(m_upstream.renamed, [&](const auto& item) { return item.second == field.name; }))
                keys.push_back(field.name);
        for (const auto& [other, field] : m_upstream.renamed)
            keys.push_back(other);
        for (const FixedKey& fixed : m_upstream.fixed)
            keys.push_back(fixed.key);
        throw UsageError("found " + toToml(value) + ", and " + m_upstream.name + " has no such key that is supported"
                + didYouMean(closestName(key, keys)),
            m_where + ": " + key, joined(keys));
    }

    const ModelFamily& m_family;
    const UpstreamClass& m_upstream;
    const std::string& m_where;
};

// The fields to set besides the variant's name; nothing if a field would have to be unset, which a spec cannot express.
std::optional<ValueMap> differencesFrom(const ModelVariant& variant, const ModelFamily& family, const ValueMap& fields)
{
    const ModelDescriptor descriptor = findModel(variant.name, family.name);
    ValueMap differences;
    for (const auto& [name, value] : fields)
        if (descriptor.fields.find(name)->defaultValue != value)
            differences.emplace(name, value);
    if (std::ranges::any_of(differences, [](const auto& item) { return item.second.isNull(); }))
        return std::nullopt;
    return differences;
}

} // namespace

const UpstreamFamily& upstreamOf(const std::string& family)
{
    const auto& families = modelFamilies();
    const auto found = std::ranges::find(families, family, &ModelFamily::name);
    if (found == families.end())
        throw Error("no model family \"" + family + "\"");
    return found->upstream;
}

DescribedModel modelFromUpstream(const ValueMap& entries, const std::string& where)
{
    const FoundClass found = classOf(entries, where);
    const ValueMap fields = Reader(found, where).fieldsOf(entries);
    std::optional<DescribedModel> nearest;
    for (const ModelVariant& variant : found.family->variants) {
        auto differences = differencesFrom(variant, *found.family, fields);
        if (differences && (!nearest || differences->size() < nearest->fields.size()))
            nearest = {variant.name, std::move(*differences)};
    }
    if (!nearest)
        throw UsageError("leaves fields unset that every model of " + found.family->name + " has", where);
    return *nearest;
}

} // namespace headroom::config
