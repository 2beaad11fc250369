// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/SweepAxis.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/spec/SettingField.h"
#include "experiments/sweep/ImpliedStep.h"
#include "experiments/sweep/Sweep.h"

#include <algorithm>
#include <array>

namespace headroom::experiments {
namespace {

using config::Field;
using config::FieldType;
using config::Value;

// Slowest first.
constexpr std::array kTableOrder{"device", "protocol", "model", "workload", "techniques"};

bool isAxis(const Field& field, const Value& value)
{
    if (!value.isList())
        return false;
    const auto isList = [](const Value& item) { return item.isList(); };
    const auto& list = value.list();
    return !config::isListType(field.type) || (!list.empty() && std::all_of(list.begin(), list.end(), isList));
}

SweepAxis axisOf(const SpecSetting& setting, const Field& field)
{
    if (!isAxis(field, setting.value))
        return {setting.path, {{setting.value, setting.where}}};
    if (setting.value.list().empty())
        throw UsageError("found []", setting.where, "at least one value");
    if (setting.path == "protocol.timeout_seconds")
        throw UsageError("found " + config::toToml(setting.value), setting.where, "one number: it is not swept");
    SweepAxis axis{setting.path, {}};
    for (std::size_t i = 0; i < setting.value.list().size(); ++i)
        axis.values.push_back({setting.value.list()[i], setting.whereOf(i)});
    return axis;
}

SweepAxis modelAxis(const SpecSettings& part)
{
    const auto found = part.find("model.name");
    if (found == part.end())
        throw UsageError("no model is given (--model NAME, or --model FILE.pt2 for one of your own)", "model.name",
            joined(config::modelNames()));
    const Field field{.name = "name", .type = FieldType::Text, .defaultValue = {}, .help = {}};
    SweepAxis axis = axisOf(found->second, field);
    for (const PlacedValue& model : axis.values)
        config::findModel(field.check(model.value, model.where).text(), model.where);
    return axis;
}

// Where an axis stands among the others: its table, then its key within the table.
std::size_t axisRank(const std::string& path, const std::string& modelName)
{
    const auto [table, name] = splitPath(path);
    const auto position = std::find(kTableOrder.begin(), kTableOrder.end(), table) - kTableOrder.begin();
    const config::FieldSet fields = tableFields(table, modelName, path);
    const auto key = std::find_if(
        fields.all().begin(), fields.all().end(), [&, &wanted = name](const Field& f) { return f.name == wanted; });
    return static_cast<std::size_t>(position) * 10'000 + static_cast<std::size_t>(key - fields.all().begin());
}

} // namespace

std::vector<SweepAxis> sweepAxes(const SpecSettings& part)
{
    const SweepAxis models = modelAxis(part);
    const std::string& firstModel = models.values.front().value.text();
    std::vector<std::pair<std::size_t, SweepAxis>> ranked;
    for (const auto& [path, setting] : part) {
        for (const PlacedValue& model : models.values)
            settingField(path, model.value.text(), setting.where);
        ranked.emplace_back(axisRank(path, firstModel), axisOf(setting, settingField(path, firstModel, setting.where)));
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<SweepAxis> axes;
    for (auto& [rank, axis] : ranked)
        axes.push_back(std::move(axis));
    if (const auto implied = impliedStep(axes))
        axes.push_back({"workload.step", {{toText(config::StepKind::Train), implied->where, ValueOrigin::Implied}}});
    return axes;
}

std::size_t numberOfPoints(const std::vector<SweepAxis>& axes)
{
    std::size_t points = 1;
    for (const SweepAxis& axis : axes)
        points = std::min(points * std::min(axis.values.size(), kMostTrials + 1), kMostTrials + 1);
    return points;
}

SweepPoint pointAt(const std::vector<SweepAxis>& axes, std::size_t index)
{
    SweepPoint point;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        point.emplace(axis->path, axis->values[index % axis->values.size()]);
        index /= axis->values.size();
    }
    return point;
}

} // namespace headroom::experiments
