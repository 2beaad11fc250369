// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/ImpliedStep.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/SettingSuggestion.h"
#include "experiments/sweep/TrialBuilder.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

constexpr const char* kStep = "workload.step";

const SweepAxis* axisAt(const std::vector<SweepAxis>& axes, const std::string& path)
{
    const auto found = std::ranges::find(axes, path, &SweepAxis::path);
    return found == axes.end() ? nullptr : &*found;
}

const SweepAxis* optionAxis(const std::vector<SweepAxis>& axes, const config::TechniqueDescriptor& technique)
{
    for (const config::Field& option : technique.options.all())
        if (const SweepAxis* axis = axisAt(axes, "techniques." + technique.key + "." + option.name))
            return axis;
    return nullptr;
}

// Options alone mean the notation that is in force without one, where they mean anything then.
const SweepAxis* requestIn(const std::vector<SweepAxis>& axes, const config::TechniqueDescriptor& technique)
{
    if (!technique.asksForTraining)
        return nullptr;
    if (const SweepAxis* axis = axisAt(axes, "techniques." + technique.key)) {
        const auto asks = [&](const PlacedValue& value) {
            return technique.asksForTraining(
                config::canonicalNotation(technique, notationText(value.value, value.where), value.where));
        };
        return std::ranges::any_of(axis->values, asks) ? axis : nullptr;
    }
    const bool countWithoutNotation = technique.offOptions == config::OffOptions::Kept;
    return countWithoutNotation && technique.asksForTraining(technique.off) ? optionAxis(axes, technique) : nullptr;
}

const SweepAxis* requestIn(const std::vector<SweepAxis>& axes, const config::Field& field)
{
    const SweepAxis* axis = field.asksForTraining ? axisAt(axes, "workload." + field.name) : nullptr;
    const auto asks = [&](const PlacedValue& value) {
        return field.asksForTraining(field.check(value.value, value.where));
    };
    return axis != nullptr && std::ranges::any_of(axis->values, asks) ? axis : nullptr;
}

const SweepAxis* requestIn(const std::vector<SweepAxis>& axes, const config::FieldSet& fields)
{
    for (const config::Field& field : fields.all())
        if (const SweepAxis* axis = requestIn(axes, field))
            return axis;
    return nullptr;
}

const SweepAxis* requestIn(const std::vector<SweepAxis>& axes)
{
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        if (const SweepAxis* axis = requestIn(axes, technique))
            return axis;
    if (const SweepAxis* axis = requestIn(axes, config::workloadFields()))
        return axis;
    for (const config::ModelFamily& family : config::modelFamilies())
        if (const SweepAxis* axis = requestIn(axes, family.shapes))
            return axis;
    return nullptr;
}

// "--trainable", "--set ema": the flag as it was typed. A place in a file is no name: the setting's own is.
std::string nameOfCause(const ImpliedStep& implied)
{
    constexpr std::string_view kTechniqueTable = "techniques.";
    if (implied.where.starts_with("--"))
        return implied.where;
    return implied.path.starts_with(kTechniqueTable) ? implied.path.substr(kTechniqueTable.size()) : implied.path;
}

} // namespace

std::string ImpliedStep::text() const
{
    const std::string other = where.starts_with("--") ? "--step inference" : "step = \"inference\"";
    return "train, because " + nameOfCause(*this) + " was given; " + other + " asks for the other";
}

std::optional<ImpliedStep> impliedStep(const std::vector<SweepAxis>& axes)
{
    const SweepAxis* step = axisAt(axes, kStep);
    if (step != nullptr && step->values.front().origin == ValueOrigin::Given)
        return std::nullopt;
    const SweepAxis* axis = requestIn(axes);
    return axis == nullptr ? std::nullopt : std::optional(ImpliedStep{axis->path, axis->values.front().where});
}

std::optional<ImpliedStep> impliedStep(const ExperimentSpec& spec)
{
    for (const SpecSettings& part : spec.parts)
        if (const auto implied = impliedStep(sweepAxes(part)))
            return implied;
    return std::nullopt;
}

} // namespace headroom::experiments
