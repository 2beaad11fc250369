// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/EffectsReport.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/protocol/Json.h"
#include "experiments/figures/svg/SvgWriter.h"
#include "experiments/report/effects/EffectFigures.h"
#include "experiments/report/effects/EffectSentences.h"
#include "experiments/report/effects/EffectTables.h"

namespace headroom::cli {

using namespace report;

namespace {

constexpr double kPictureWidth = 900;
constexpr std::size_t kMostPictured = 6;

OrderedJson metricJson(EffectPeak peak)
{
    return {{"peak", name(peak)}, {"step", "median"},
        {"main", "mean over pairs of y(setting) - y(reference), the other techniques being equal"},
        {"interaction",
            "mean over quadruples of y(a, b) - y(a) - y(b) + y(neither), the other techniques being equal"}};
}

OrderedJson categoriesJson(const Change& change)
{
    if (change.categories.empty())
        return nullptr;
    OrderedJson json = OrderedJson::object();
    for (const auto& [category, bytes] : change.categories)
        json[category] = bytes;
    return json;
}

OrderedJson supportJson(std::size_t there, std::size_t expected)
{
    return {{"used", there}, {"expected", expected}};
}

void addSupport(OrderedJson& json, const Support& support)
{
    json["peak_support"] = supportJson(support.peaks, support.expected);
    json["step_support"] = supportJson(support.steps, support.expected);
}

OrderedJson mainJson(const MainEffect& effect, const std::string& group)
{
    OrderedJson json{{"kind", "main"}, {"group", group}, {"technique", effect.level.technique},
        {"notation", effect.level.notation}, {"reference", effect.reference}};
    json["peak_bytes"] = protocol::orNull(effect.mean.peakBytes);
    json["peak_rel"] = protocol::orNull(relative(effect.mean.peakBytes, effect.referencePeakBytes));
    json["step_seconds"] = protocol::orNull(effect.mean.stepSeconds);
    json["step_rel"] = protocol::orNull(relative(effect.mean.stepSeconds, effect.referenceStepSeconds));
    json["alone_peak_bytes"] = protocol::orNull(effect.alone.peakBytes);
    json["alone_step_seconds"] = protocol::orNull(effect.alone.stepSeconds);
    json["categories"] = categoriesJson(effect.mean);
    addSupport(json, effect.support);
    return json;
}

OrderedJson interactionJson(const Interaction& of, const std::string& group)
{
    OrderedJson json{{"kind", "interaction"}, {"group", group}, {"a", of.a.text()}, {"b", of.b.text()}};
    json["peak_bytes"] = protocol::orNull(of.together.peakBytes);
    json["peak_rel"] = protocol::orNull(relative(of.together.peakBytes, of.neitherPeakBytes));
    json["step_seconds"] = protocol::orNull(of.together.stepSeconds);
    json["step_rel"] = protocol::orNull(relative(of.together.stepSeconds, of.neitherStepSeconds));
    json["a_without_b_peak_bytes"] = protocol::orNull(of.aWithoutB.peakBytes);
    json["a_with_b_peak_bytes"] = protocol::orNull(of.aWithB.peakBytes);
    json["b_without_a_peak_bytes"] = protocol::orNull(of.bWithoutA.peakBytes);
    json["b_with_a_peak_bytes"] = protocol::orNull(of.bWithA.peakBytes);
    json["a_without_b_step_seconds"] = protocol::orNull(of.aWithoutB.stepSeconds);
    json["a_with_b_step_seconds"] = protocol::orNull(of.aWithB.stepSeconds);
    json["categories"] = categoriesJson(of.together);
    addSupport(json, of.support);
    const std::string text = sentenceFor(of);
    json["text"] = text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
    return json;
}

OrderedJson gridJson(const Effects& effects)
{
    const ReportTrial& first = *effects.grid->group().trials.front();
    OrderedJson factors = OrderedJson::array();
    for (const EffectFactor& factor : effects.grid->factors())
        factors.push_back({{"technique", factor.technique}, {"levels", factor.levels}});
    return {{"group", effects.grid->group().title}, {"device", first.device()}, {"model", first.result.model.name},
        {"predicted", first.result.isPredicted}, {"factors", factors}, {"combinations", effects.grid->size()},
        {"missing", effects.missing}};
}

// The marks of predictions are the note's business here.
Table plainTable(const ReportTable& from)
{
    std::vector<Column> columns;
    for (const ReportColumn& column : from.columns)
        columns.push_back({column.title, column.kind == CellKind::Number ? Alignment::Right : Alignment::Left});
    Table table(columns);
    for (const ReportRow& row : from.rows) {
        std::vector<std::string> cells;
        for (const ReportCell& cell : row.cells)
            cells.push_back(cell.text);
        table.addRow(std::move(cells));
    }
    return table;
}

std::string provenanceOfGrid(const Effects& effects)
{
    const ReportTrial& first = *effects.grid->group().trials.front();
    return config::statementOf(first.provenance());
}

std::string sentencesOf(const Effects& effects)
{
    std::string text;
    for (const Interaction& of : effects.interactions)
        if (const std::string sentence = sentenceFor(of); !sentence.empty())
            text += (text.empty() ? "- " : "\n- ") + sentence;
    for (const std::string& caution : cautionsOf(effects))
        text += (text.empty() ? "- " : "\n- ") + caution;
    return text;
}

std::string gridTitle(const std::string& experiment, const Effects& effects)
{
    const std::string& title = effects.grid->group().title;
    return title.empty() ? experiment : experiment + ", " + title;
}

void addSections(Report& report, const std::string& experiment, const Effects& effects)
{
    report.sections.push_back({gridTitle(experiment, effects),
        counted(static_cast<std::int64_t>(effects.grid->trials().size()), "trial") + ", " + provenanceOfGrid(effects)
            + ". " + effectNote(effects.peak),
        plainTable(mainEffectTable(effects)), {}});
    if (!effects.interactions.empty())
        report.sections.push_back({{}, {}, plainTable(interactionTable(effects)), sentencesOf(effects)});
}

} // namespace

Report effectsReport(const std::string& experiment, const std::vector<Effects>& effects, EffectPeak peak)
{
    Report report;
    report.document = {{"schema", "headroom.effects/1"}, {"experiment", experiment}, {"metric", metricJson(peak)},
        {"groups", OrderedJson::array()}, {"main", OrderedJson::array()}, {"interactions", OrderedJson::array()}};
    for (const Effects& of : effects) {
        const std::string& group = of.grid->group().title;
        report.document["groups"].push_back(gridJson(of));
        for (const MainEffect& effect : of.main)
            report.document["main"].push_back(mainJson(effect, group));
        for (const Interaction& pair : of.interactions)
            report.document["interactions"].push_back(interactionJson(pair, group));
        addSections(report, experiment, of);
    }
    for (const char* list : {"main", "interactions"})
        for (const OrderedJson& record : report.document[list])
            report.records.push_back(record);
    return report;
}

std::string effectsPicture(const std::string& experiment, const std::vector<Effects>& effects)
{
    figures::Sheet sheet;
    for (const Effects& of : effects) {
        figures::Figure bars = effectBarsOf(of);
        bars.title = gridTitle(experiment, of) + ": " + midSentence(bars.title);
        sheet.parts.emplace_back(std::move(bars));
        for (figures::Figure& plot : interactionPlotsOf(of, kMostPictured)) {
            const std::string sentence = plot.description;
            sheet.parts.emplace_back(std::move(plot));
            sheet.parts.emplace_back(sentence);
        }
        if (auto steps = stepBarsOf(of))
            sheet.parts.emplace_back(std::move(*steps));
    }
    sheet.caption = experiment + ": effects of techniques on the peak; "
        + (effects.empty() ? std::string() : provenanceOfGrid(effects.front()));
    return figures::toSvg(sheet, kPictureWidth);
}

} // namespace headroom::cli
