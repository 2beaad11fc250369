// SPDX-License-Identifier: Apache-2.0
#include "core/config/imported/ForgottenFamily.h"

#include "core/config/imported/ImportedFamily.h"

#include <algorithm>

namespace headroom::config {
namespace {

using Facts = std::shared_ptr<const RememberedFacts>;

Field sizeField(const std::string& name, const Value& value)
{
    return {.name = name, .type = FieldType::Integer, .defaultValue = value, .help = "of an archive that is not there"};
}

std::vector<Field> ownFields(const ValueMap& fields)
{
    const auto archive = fields.find(kArchiveField);
    return {{.name = kArchiveField,
                .type = FieldType::Text,
                .defaultValue = archive == fields.end() ? Value() : archive->second,
                .help = "file that torch.export.save wrote, which is not there"},
        {.name = kBlocksField, .type = FieldType::Text, .defaultValue = {}, .help = "which modules the blocks were"}};
}

double flopsOf(const ImportedFacts* facts, StepKind step)
{
    const double forward = facts == nullptr ? 0 : facts->forwardFlops;
    return step == StepKind::Inference ? forward : 3 * forward;
}

void addFacts(ModelFamily& family, const Facts& facts)
{
    family.parameters = [facts](const ValueMap& fields) {
        const ImportedFacts* known = facts->ofFields(fields);
        return known == nullptr ? 0 : known->parameters;
    };
    family.flopsPerStep = [facts](const ValueMap& fields, const ValueMap& shapes, StepKind step) {
        return flopsOf(facts->of(fields, shapes), step);
    };
    family.tokensPerStep = [facts](const ValueMap& shapes) {
        const ImportedFacts* known = facts->ofShapes(shapes);
        return known == nullptr ? std::int64_t{1} : known->tokens;
    };
    family.blocks = [facts](const ValueMap& fields) {
        const ImportedFacts* known = facts->ofFields(fields);
        return known == nullptr ? 0 : known->blocks;
    };
    family.feedForwardTokens = family.tokensPerStep;
}

} // namespace

void RememberedFacts::add(const ValueMap& fields, const ValueMap& shapes, const ImportedFacts& facts)
{
    const auto isThese = [&](const Entry& entry) { return entry.fields == fields && entry.shapes == shapes; };
    if (std::ranges::none_of(m_entries, isThese))
        m_entries.push_back({fields, shapes, facts});
}

const ImportedFacts* RememberedFacts::of(const ValueMap& fields, const ValueMap& shapes) const
{
    for (const Entry& entry : m_entries)
        if (entry.fields == fields && entry.shapes == shapes)
            return &entry.facts;
    return ofShapes(shapes);
}

const ImportedFacts* RememberedFacts::ofShapes(const ValueMap& shapes) const
{
    const auto found = std::ranges::find(m_entries, shapes, &Entry::shapes);
    return found != m_entries.end() ? &found->facts : m_entries.empty() ? nullptr : &m_entries.front().facts;
}

const ImportedFacts* RememberedFacts::ofFields(const ValueMap& fields) const
{
    const auto found = std::ranges::find(m_entries, fields, &Entry::fields);
    return found != m_entries.end() ? &found->facts : m_entries.empty() ? nullptr : &m_entries.front().facts;
}

ModelFamily forgottenFamily(const std::string& name, const ValueMap& fields, const ValueMap& shapes, Facts facts)
{
    ModelFamily family;
    family.name = kImportedFamily;
    family.title = name.substr(0, name.rfind('@')) + ", whose archive is not there";
    family.isGone = true;
    family.fields = FieldSet(ownFields(fields));
    std::vector<Field> sizes;
    for (const auto& [key, value] : shapes)
        sizes.push_back(sizeField(key, value));
    family.shapes = FieldSet(std::move(sizes));
    family.variants = {{name, family.title, {}, {}}};
    family.losses.insert(family.losses.end(), {Loss::CrossEntropy, Loss::Model});
    const auto none = [](const ValueMap&) { return std::vector<Problem>(); };
    family.fieldProblems = none;
    family.problems = [](const ValueMap&, const ValueMap&) { return std::vector<Problem>(); };
    family.feedForwardWidths = [](const ValueMap&) { return std::vector<std::int64_t>(); };
    family.linears = [](const ValueMap&) { return std::vector<std::string>(); };
    addFacts(family, facts);
    return family;
}

} // namespace headroom::config
