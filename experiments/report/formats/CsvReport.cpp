// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/formats/CsvReport.h"

#include "core/base/Csv.h"
#include "core/base/Numbers.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/report/Breakdown.h"

#include <functional>

namespace headroom::report {
namespace {

struct Row {
    const ReportTrial& trial;
    const ComparisonGroup& group;
    Versus versus;
};

struct Column {
    std::string name;
    std::function<std::string(const Row&)> cell;
};

std::string scalar(const OrderedJson& value)
{
    if (value.is_null())
        return {};
    return value.is_string() ? value.get<std::string>() : value.dump();
}

// A value of the record.
Column field(const std::string& name, const char* pointer)
{
    return {name, [pointer](const Row& row) { return scalar(row.trial.at(pointer)); }};
}

Column computed(const std::string& name, std::function<std::string(const Row&)> cell)
{
    return {name, std::move(cell)};
}

// "dim=64 num_layers=4"
std::string assignments(const OrderedJson& object)
{
    std::vector<std::string> words;
    for (const auto& [key, value] : object.items())
        words.push_back(key + "=" + scalar(value));
    return joined(words, " ");
}

std::string shapes(const Row& row)
{
    const config::Configuration& configuration = row.trial.planned.configuration;
    std::vector<std::string> words;
    for (const auto& [key, value] : configuration.workload.shapes)
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
    return {field("experiment", "/experiment"), field("trial_id", "/trial_id"), field("config_id", "/config_id"),
        field("label", "/label"), field("device", "/device"), field("runtime", "/runtime"),
        computed("provenance", [](const Row& row) { return row.trial.provenance(); }), field("outcome", "/outcome"),
        field("reason", "/reason"), computed("flags", [](const Row& row) { return joined(row.trial.flags(), " "); }),
        computed("repeats", [](const Row& row) { return std::to_string(row.trial.repeats); }),
        computed("expected_repeats", [](const Row& row) { return std::to_string(row.trial.expectedRepeats); }),
        field("model", "/model/name"),
        computed("model_overrides", [](const Row& row) { return assignments(row.trial.at("/model/overrides")); }),
        field("parameters", "/model/parameters"), field("step", "/workload/step"), field("dtype", "/workload/dtype"),
        computed("shapes", shapes)};
}

std::vector<Column> memoryColumns()
{
    return {field("weight_bytes", "/model/weight_bytes"),
        field("after_load_allocated_bytes", "/memory/after_load/allocated_bytes"),
        field("after_load_reserved_bytes", "/memory/after_load/reserved_bytes"),
        field("first_step_peak_allocated_bytes", "/memory/first_step_peak/allocated_bytes"),
        field("first_step_peak_reserved_bytes", "/memory/first_step_peak/reserved_bytes"),
        field("peak_allocated_bytes", "/memory/peak/allocated_bytes"),
        field("peak_reserved_bytes", "/memory/peak/reserved_bytes"),
        field("peak_device_bytes", "/memory/peak/device_bytes"),
        field("peak_host_rss_bytes", "/memory/peak/host_rss_bytes"),
        field("saved_for_backward_bytes", "/memory/saved_for_backward_bytes"),
        field("harness_bytes", "/memory/harness_bytes"), field("memory_limit_bytes", "/memory/limit_bytes"),
        field("fits", "/memory/fits"), field("oom_phase", "/oom/phase"),
        field("oom_requested_bytes", "/oom/requested_bytes"), field("oom_missing_bytes", "/oom/missing_bytes")};
}

std::vector<Column> speedColumns()
{
    const auto bound = [](double Interval::* end) {
        return [end](const Row& row) {
            const auto interval = row.trial.stepsPerSecond95();
            return interval ? exact((*interval).*end) : std::string();
        };
    };
    return {field("steps_per_second", "/speed/steps_per_second"),
        computed("steps_per_second_ci95_low", bound(&Interval::low)),
        computed("steps_per_second_ci95_high", bound(&Interval::high)),
        field("samples_per_second", "/speed/samples_per_second"),
        field("tokens_per_second", "/speed/tokens_per_second"),
        field("step_seconds_median", "/speed/step_seconds_median"),
        field("step_seconds_mad", "/speed/step_seconds_mad"), field("first_step_seconds", "/speed/first_step_seconds")};
}

std::vector<Column> comparisonColumns()
{
    return {computed("compared_with_trial_id",
                [](const Row& row) { return row.group.reference ? row.group.reference->id() : std::string(); }),
        computed("saved_peak_bytes", [](const Row& row) { return bytesOrNothing(row.versus.savedBytes); }),
        computed("speed_ratio", [](const Row& row) { return numberOrNothing(row.versus.speedRatio); }),
        field("output_max_abs_difference", "/numerics/output_max_abs"),
        field("output_rel_l2_difference", "/numerics/output_rel_l2"), field("loss", "/numerics/loss"),
        field("loss_abs_difference", "/numerics/loss_abs_diff"), field("grad_norm", "/numerics/grad_norm"),
        field("grad_norm_rel_difference", "/numerics/grad_norm_rel_diff"),
        field("error_bound_reserved_rel", "/error_bound/reserved_rel"),
        field("error_bound_step_rel", "/error_bound/step_rel")};
}

// One for each technique there is.
std::vector<Column> techniqueColumns()
{
    std::vector<Column> columns;
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        const std::string key = technique.key;
        columns.push_back(computed("technique_" + key, [key](const Row& row) {
            return scalar(row.trial.record.at("techniques").value(key, OrderedJson(nullptr)));
        }));
        columns.push_back(computed("options_" + key, [key](const Row& row) {
            return assignments(row.trial.record.at("options").value(key, OrderedJson::object()));
        }));
    }
    return columns;
}

// What peak allocated memory consisted of: empty where the record does not say.
std::vector<Column> breakdownColumns()
{
    std::vector<Column> columns{field("peak_phase", "/breakdown/phase")};
    for (const config::MemoryCategory category : config::kMemoryCategories)
        columns.push_back(
            computed("peak_" + std::string(config::toText(category)) + "_bytes", [category](const Row& row) {
                const auto breakdown = breakdownOf(row.trial);
                return breakdown ? std::to_string(categoriesOf(*breakdown).of(category)) : std::string();
            }));
    return columns;
}

// Of the device, as sentences and tables say it.
std::vector<Column> needColumns()
{
    return {field("needed_bytes", "/memory/needed_bytes"), field("missing_bytes", "/memory/missing_bytes")};
}

// Between steps: with the gradients that a step leaves, and as a loop has it that clears them at its end.
std::vector<Column> restingColumns()
{
    return {field("resting_allocated_bytes", "/memory/resting/allocated_bytes"),
        field("resting_reserved_bytes", "/memory/resting/reserved_bytes"),
        field("resting_cleared_allocated_bytes", "/memory/resting_cleared/allocated_bytes"),
        field("resting_cleared_reserved_bytes", "/memory/resting_cleared/reserved_bytes")};
}

std::vector<Column> allColumns()
{
    std::vector<Column> columns;
    for (const auto& some : {identityColumns(), memoryColumns(), speedColumns(), comparisonColumns(),
             techniqueColumns(), breakdownColumns(), needColumns(), restingColumns()})
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

std::string csvReport(const ReportContent& content, const Comparison& comparison)
{
    const std::vector<Column> columns = allColumns();
    std::string text = line(columns, [](const Column& column) { return column.name; });
    for (const ReportTrial& trial : content.trials) {
        const Row row{trial, comparison.groupOf(trial), comparison.versus(trial)};
        text += line(columns, [&](const Column& column) { return column.cell(row); });
    }
    return text;
}

std::vector<std::string> csvColumns()
{
    std::vector<std::string> names;
    for (const Column& column : allColumns())
        names.push_back(column.name);
    return names;
}

} // namespace headroom::report
