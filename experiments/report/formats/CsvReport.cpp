// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/formats/CsvReport.h"

#include "core/base/Csv.h"
#include "core/base/Numbers.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/protocol/Json.h"
#include "experiments/report/Breakdown.h"

#include <functional>

namespace headroom::report {
namespace {

using Result = experiments::TrialResult;

struct Row {
    const ReportTrial& trial;
    const ComparisonGroup& group;
    Versus versus;
};

struct Column {
    std::string name;
    std::function<std::string(const Row&)> cell;
};

// As the trial's record has it.
std::string csvText(const config::Value& value)
{
    if (value.isNull())
        return {};
    return value.isText() ? value.text() : protocol::toJson(value).dump();
}

std::string csvText(const std::string& value)
{
    return value;
}

template <typename T> std::string csvText(const std::optional<T>& value)
{
    return value ? csvText(config::Value(*value)) : std::string();
}

// "dim=64 num_layers=4"
std::string csvText(const experiments::NamedValues& values)
{
    std::vector<std::string> words;
    for (const auto& [name, value] : values)
        words.push_back(name + "=" + csvText(value));
    return joined(words, " ");
}

// A value of the result.
template <typename Value> Column field(const std::string& name, Value value)
{
    return {name, [value](const Row& row) { return csvText(value(row.trial.result)); }};
}

Column computed(const std::string& name, std::function<std::string(const Row&)> cell)
{
    return {name, std::move(cell)};
}

std::string shapes(const Row& row)
{
    std::vector<std::string> words;
    for (const auto& [key, value] : row.trial.planned.configuration.workload->shapes)
        words.push_back(key + "=" + config::toLabel(value));
    return joined(words, " ");
}

template <typename T> std::string numberOrNothing(const std::optional<T>& value)
{
    return value ? exact(static_cast<double>(*value)) : "";
}

std::string bytesOrNothing(const std::optional<Bytes>& value)
{
    return value ? std::to_string(*value) : "";
}

std::vector<Column> identityColumns()
{
    return {field("experiment", [](const Result& result) { return result.experiment; }),
        field("trial_id", [](const Result& result) { return result.trialId; }),
        field("config_id", [](const Result& result) { return result.configId; }),
        field("label", [](const Result& result) { return result.label; }),
        field("device", [](const Result& result) { return result.device; }),
        field("runtime", [](const Result& result) { return result.runtime; }),
        field("provenance", [](const Result& result) { return std::string(result.kind()); }),
        field("outcome", [](const Result& result) { return std::string(toText(result.outcome)); }),
        field("reason", [](const Result& result) { return result.reason; }),
        field("flags", [](const Result& result) { return joined(result.flagNames(), " "); }),
        computed("repeats", [](const Row& row) { return std::to_string(row.trial.repeats); }),
        computed("expected_repeats", [](const Row& row) { return std::to_string(row.trial.expectedRepeats); }),
        field("model", [](const Result& result) { return result.model.name; }),
        field("model_overrides", [](const Result& result) { return result.model.overrides; }),
        field("parameters", [](const Result& result) { return std::to_string(result.model.parameters); }),
        field("step", [](const Result& result) { return result.workloadText("step"); }),
        field("dtype", [](const Result& result) { return result.workloadText("dtype"); }), computed("shapes", shapes)};
}

// Figures of one moment, named after it.
Column momentColumn(const std::string& name, protocol::MemoryFigures protocol::RepeatMemory::* moment,
    std::optional<Bytes> protocol::MemoryFigures::* figure)
{
    return field(name, [=](const Result& result) { return result.memory.*moment.*figure; });
}

std::vector<Column> memoryColumns()
{
    using Memory = protocol::RepeatMemory;
    using Figures = protocol::MemoryFigures;
    return {field("weight_bytes", [](const Result& result) { return result.model.weightBytes; }),
        momentColumn("after_load_allocated_bytes", &Memory::afterLoad, &Figures::allocated),
        momentColumn("after_load_reserved_bytes", &Memory::afterLoad, &Figures::reserved),
        momentColumn("first_step_peak_allocated_bytes", &Memory::firstStepPeak, &Figures::allocated),
        momentColumn("first_step_peak_reserved_bytes", &Memory::firstStepPeak, &Figures::reserved),
        momentColumn("peak_allocated_bytes", &Memory::peak, &Figures::allocated),
        momentColumn("peak_reserved_bytes", &Memory::peak, &Figures::reserved),
        momentColumn("peak_device_bytes", &Memory::peak, &Figures::device),
        momentColumn("peak_host_rss_bytes", &Memory::peak, &Figures::hostRss),
        field("saved_for_backward_bytes", [](const Result& result) { return result.memory.savedForBackward; }),
        field("harness_bytes", [](const Result& result) { return result.memory.harnessBytes(); }),
        field("memory_limit_bytes", [](const Result& result) { return result.memory.limit; }),
        field("fits", [](const Result& result) { return result.memory.fits; }),
        field("oom_phase",
            [](const Result& result) { return result.outOfMemory ? result.outOfMemory->phase : std::string(); }),
        field("oom_requested_bytes",
            [](const Result& result) {
                return result.outOfMemory ? result.outOfMemory->requestedBytes : std::nullopt;
            }),
        field("oom_missing_bytes",
            [](const Result& result) { return result.outOfMemory ? result.outOfMemory->missingBytes : std::nullopt; })};
}

std::vector<Column> speedColumns()
{
    const auto bound = [](double Interval::* end) {
        return [end](const Row& row) {
            const auto interval = row.trial.stepsPerSecond95();
            return interval ? exact((*interval).*end) : std::string();
        };
    };
    return {field("steps_per_second", [](const Result& result) { return result.speed.stepsPerSecond; }),
        computed("steps_per_second_ci95_low", bound(&Interval::low)),
        computed("steps_per_second_ci95_high", bound(&Interval::high)),
        field("samples_per_second", [](const Result& result) { return result.speed.samplesPerSecond; }),
        field("tokens_per_second", [](const Result& result) { return result.speed.tokensPerSecond; }),
        field("step_seconds_median", [](const Result& result) { return result.speed.stepSeconds; }),
        field("step_seconds_mad", [](const Result& result) { return result.speed.stepSecondsMad; }),
        field("first_step_seconds", [](const Result& result) { return result.speed.firstStepSeconds; })};
}

Column differenceColumn(const std::string& name, std::optional<double> protocol::Numerics::* figure)
{
    return field(
        name, [figure](const Result& result) { return result.numerics ? (*result.numerics).*figure : std::nullopt; });
}

Column errorBoundColumn(const std::string& name, std::optional<double> experiments::ErrorBound::* figure)
{
    return field(name,
        [figure](const Result& result) { return result.errorBound ? (*result.errorBound).*figure : std::nullopt; });
}

std::vector<Column> comparisonColumns()
{
    return {computed("compared_with_trial_id",
                [](const Row& row) { return row.group.reference ? row.group.reference->id() : std::string(); }),
        computed("saved_peak_bytes", [](const Row& row) { return bytesOrNothing(row.versus.savedBytes); }),
        computed("speed_ratio", [](const Row& row) { return numberOrNothing(row.versus.speedRatio); }),
        differenceColumn("output_max_abs_difference", &protocol::Numerics::outputMaxAbs),
        differenceColumn("output_rel_l2_difference", &protocol::Numerics::outputRelL2),
        differenceColumn("loss", &protocol::Numerics::loss),
        differenceColumn("loss_abs_difference", &protocol::Numerics::lossAbsDiff),
        differenceColumn("grad_norm", &protocol::Numerics::gradNorm),
        differenceColumn("grad_norm_rel_difference", &protocol::Numerics::gradNormRelDiff),
        errorBoundColumn("error_bound_reserved_rel", &experiments::ErrorBound::reserved),
        errorBoundColumn("error_bound_step_rel", &experiments::ErrorBound::stepTime)};
}

// One for each technique there is.
std::vector<Column> techniqueColumns()
{
    std::vector<Column> columns;
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        const std::string key = technique.key;
        columns.push_back(field("technique_" + key, [key](const Result& result) {
            const experiments::TechniqueResult* set = result.technique(key);
            return set == nullptr ? std::string() : set->notation;
        }));
        columns.push_back(field("options_" + key, [key](const Result& result) {
            const experiments::TechniqueResult* set = result.technique(key);
            return set == nullptr ? experiments::Shared<experiments::NamedValues>() : set->options;
        }));
    }
    return columns;
}

// What peak allocated memory consisted of: empty where the record does not say.
std::vector<Column> breakdownColumns()
{
    std::vector<Column> columns{field(
        "peak_phase", [](const Result& result) { return result.breakdown ? result.breakdown->phase : std::string(); })};
    for (const config::MemoryCategory category : config::kMemoryCategories)
        columns.push_back(
            computed("peak_" + std::string(config::toText(category)) + "_bytes", [category](const Row& row) {
                const auto& breakdown = row.trial.result.breakdown;
                return breakdown ? std::to_string(categoriesOf(*breakdown).of(category)) : std::string();
            }));
    return columns;
}

// Of the device, as sentences and tables say it.
std::vector<Column> needColumns()
{
    return {field("needed_bytes", [](const Result& result) { return result.memory.need.needed; }),
        field("missing_bytes", [](const Result& result) { return result.memory.need.missing; })};
}

// Between steps: with the gradients that a step leaves, and as a loop has it that clears them at its end.
std::vector<Column> restingColumns()
{
    using Memory = protocol::RepeatMemory;
    using Figures = protocol::MemoryFigures;
    return {momentColumn("resting_allocated_bytes", &Memory::resting, &Figures::allocated),
        momentColumn("resting_reserved_bytes", &Memory::resting, &Figures::reserved),
        momentColumn("resting_cleared_allocated_bytes", &Memory::restingCleared, &Figures::allocated),
        momentColumn("resting_cleared_reserved_bytes", &Memory::restingCleared, &Figures::reserved)};
}

std::vector<Column> settingColumns()
{
    return {field("allocator", [](const Result& result) { return result.allocator; })};
}

// Those of reserved memory and time stand among the comparisons.
std::vector<Column> otherErrorBoundColumns()
{
    return {errorBoundColumn("error_bound_allocated_rel", &experiments::ErrorBound::allocated),
        field("error_bound_basis",
            [](const Result& result) { return result.errorBound ? result.errorBound->basis : std::string(); })};
}

std::vector<Column> allColumns()
{
    std::vector<Column> columns;
    for (const auto& some :
        {identityColumns(), memoryColumns(), speedColumns(), comparisonColumns(), techniqueColumns(),
            breakdownColumns(), needColumns(), restingColumns(), settingColumns(), otherErrorBoundColumns()})
        columns.insert(columns.end(), some.begin(), some.end());
    return columns;
}

template <typename Cell> std::string line(const std::vector<Column>& columns, const Cell& cell)
{
    std::vector<std::string> cells;
    for (const Column& column : columns)
        cells.push_back(cell(column));
    return csvLine(cells);
}

} // namespace

void csvReport(const ReportContent& content, const Comparison& comparison, const experiments::TextSink& write)
{
    const std::vector<Column> columns = allColumns();
    write(line(columns, [](const Column& column) { return column.name; }));
    for (const ReportTrial& trial : content.trials) {
        const Row row{trial, comparison.groupOf(trial), comparison.versus(trial)};
        write(line(columns, [&](const Column& column) { return column.cell(row); }));
    }
}

std::vector<std::string> csvColumns()
{
    std::vector<std::string> names;
    for (const Column& column : allColumns())
        names.push_back(column.name);
    return names;
}

} // namespace headroom::report
