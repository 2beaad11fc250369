// SPDX-License-Identifier: Apache-2.0
#include "core/config/imported/ImportedFamily.h"

namespace headroom::config {

ModelFamily forgottenFamily(const std::string& name, const ValueMap& fields, const ValueMap& shapes)
{
    const auto fieldFor = [](const std::string& key, const Value& value) {
        const FieldType type = value.isInteger() ? FieldType::Integer
            : value.isReal()                     ? FieldType::Real
            : value.isBoolean()                  ? FieldType::Boolean
                                                 : FieldType::Text;
        return Field{.name = key, .type = type, .defaultValue = value, .help = "of an archive that is not there"};
    };
    ModelFamily family;
    family.name = kImportedFamily;
    family.title = name.substr(0, name.rfind('@')) + ", whose archive is not there";
    std::vector<Field> own;
    for (const auto& [key, value] : fields)
        own.push_back(fieldFor(key, value));
    std::vector<Field> sizes;
    for (const auto& [key, value] : shapes)
        sizes.push_back(fieldFor(key, value));
    family.fields = FieldSet(std::move(own));
    family.shapes = FieldSet(std::move(sizes));
    family.variants = {{name, family.title, {}, {}}};
    family.losses.push_back(Loss::CrossEntropy);
    family.fieldProblems = [text = family.title](
                               const ValueMap&) { return std::vector<Problem>{{"is " + text, "model.name"}}; };
    family.problems = [text = family.title](const ValueMap&, const ValueMap&) {
        return std::vector<Problem>{{"is " + text, "model.name"}};
    };
    family.parameters = [](const ValueMap&) { return 0; };
    family.flopsPerStep = [](const ValueMap&, const ValueMap&, StepKind) { return 0.0; };
    family.tokensPerStep = [](const ValueMap&) { return 1; };
    family.blocks = [](const ValueMap&) { return 0; };
    family.feedForwardWidths = [](const ValueMap&) { return std::vector<std::int64_t>(); };
    family.linears = [](const ValueMap&) { return std::vector<std::string>(); };
    family.feedForwardTokens = family.tokensPerStep;
    return family;
}

} // namespace headroom::config
