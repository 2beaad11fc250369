// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/fill/WorkloadAxis.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/LossChunks.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/config/imported/ImportedShapes.h"

#include <algorithm>
#include <limits>

namespace headroom::experiments {
namespace {

constexpr std::string_view kWorkloadTable = "workload.";
constexpr const char* kMicroSteps = "accumulate";
// Of an exported model's size without a bound; products of a few such sizes still are numbers.
constexpr double kMostOfUnbounded = 1 << 24;

// The numbers of a workload that say how much a step works on.
std::vector<config::Field> axisFields(const config::Trial& trial)
{
    const config::ModelDescriptor model = config::findModel(trial.configuration.model, "model.name");
    std::vector<config::Field> fields;
    for (const config::Field& field : model.shapes.all())
        if (field.type == config::FieldType::Integer)
            fields.push_back(field);
    fields.push_back(config::workloadFields().get(kMicroSteps, kMicroSteps));
    return fields;
}

std::string withoutTable(const std::string& name)
{
    return name.starts_with(kWorkloadTable) ? name.substr(kWorkloadTable.size()) : name;
}

// An exported model's size has several names.
std::string fieldNamed(const std::string& name, const config::Trial& trial)
{
    const auto archive = config::importedArchiveOf(trial.configuration.model);
    const auto size = archive ? config::namedSize(*archive, name) : std::nullopt;
    return size && !size->field.empty() ? size->field : name;
}

} // namespace

WorkloadAxis::WorkloadAxis(const std::string& name, const config::Trial& trial, const std::string& where)
{
    const std::string field = fieldNamed(withoutTable(name), trial);
    for (const config::Field& candidate : axisFields(trial))
        if (candidate.name == field) {
            m_field = candidate;
            return;
        }
    const std::vector<std::string> names = namesIn(trial);
    throw UsageError("found \"" + name + "\", which is no size of what " + trial.configuration.model + " works on"
            + didYouMean(config::closestName(field, names)),
        where, joined(names));
}

std::vector<std::string> WorkloadAxis::namesIn(const config::Trial& trial)
{
    std::vector<std::string> names;
    for (const config::Field& field : axisFields(trial))
        names.push_back(field.name);
    return names;
}

bool WorkloadAxis::isCount() const
{
    return m_field.name == kMicroSteps || m_field.name == config::kLossChunks;
}

std::int64_t WorkloadAxis::valueIn(const config::Trial& trial) const
{
    const config::Workload& workload = trial.configuration.workload;
    return m_field.name == kMicroSteps ? workload.accumulate : workload.shapes.at(m_field.name).integer();
}

config::Trial WorkloadAxis::with(config::Trial trial, std::int64_t value) const
{
    config::Workload& workload = trial.configuration.workload;
    if (m_field.name == kMicroSteps)
        workload.accumulate = static_cast<int>(value);
    else
        workload.shapes[m_field.name] = config::Value(value);
    return trial;
}

std::int64_t WorkloadAxis::least() const
{
    return static_cast<std::int64_t>(m_field.minimum.value_or(1));
}

std::int64_t WorkloadAxis::most() const
{
    return static_cast<std::int64_t>(m_field.maximum.value_or(kMostOfUnbounded));
}

AxisValues::AxisValues(WorkloadAxis axis, config::Trial trial)
    : m_axis(std::move(axis))
    , m_trial(std::move(trial))
{
}

std::optional<std::int64_t> AxisValues::atOrBelow(std::int64_t value) const
{
    value = std::min(value, m_axis.most());
    const std::int64_t last = std::max(m_axis.least(), value - kLargestGap);
    for (; value >= last; --value)
        if (works(value))
            return value;
    return std::nullopt;
}

std::optional<std::int64_t> AxisValues::above(std::int64_t value) const
{
    value = std::max(value, m_axis.least() - 1);
    const std::int64_t last = std::min(m_axis.most(), value + kLargestGap);
    while (++value <= last)
        if (works(value))
            return value;
    return std::nullopt;
}

std::string AxisValues::problemWith(std::int64_t value) const
{
    const auto problems = config::problemsOf(m_axis.with(m_trial, value));
    return problems.empty() ? std::string() : problems.front().sentence();
}

bool AxisValues::works(std::int64_t value) const
{
    return config::problemsOf(m_axis.with(m_trial, value)).empty();
}

} // namespace headroom::experiments
