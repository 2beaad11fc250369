// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/Report.h"
#include "app/cli/output/WorkspaceOption.h"
#include "app/cli/trace/TraceCommand.h"
#include "app/cli/trace/TraceSubject.h"
#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "experiments/archive/StoredExperiment.h"
#include "experiments/comparison/ComparedSide.h"
#include "experiments/comparison/TrialPairs.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>

namespace headroom::cli {

using experiments::OrderedJson;
using experiments::PairVerdict;
using experiments::ResultComparison;
using experiments::TrialPair;
using experiments::TrialResult;

namespace {

constexpr const char* kCompareExamples =
    R"(Lays results side by side: what became worse comes first.

Examples:
  headroom compare before.db after.db
      two workspaces, trial by trial
  headroom compare main.json headroom.db
      what a run printed (--format json or jsonl), and a workspace
  headroom compare "cpu | baseline" "cpu | checkpointing all"
      two trials of headroom.db
  headroom compare monday.pickle friday.pickle
      two recordings; headroom trace show A --against B explains a difference, once they are imported

Exit codes: 0 nothing is worse, 1 something is, 2 bad usage, 4 something cannot be told, 5 a file cannot be read.)";

constexpr int kSomethingWorse = 1;
constexpr int kCannotTell = 4;

struct CompareArguments {
    std::string a;
    std::string b;
    std::string workspace;
    std::string experiment;
    std::string format = "table";
};

std::vector<TrialResult> sideOf(
    const std::string& name, const char* where, const CompareArguments& arguments, experiments::DeviceFit& deviceFit)
{
    if (std::filesystem::is_regular_file(name))
        return experiments::resultsInFile(name, deviceFit);
    store::Workspace workspace = experiments::openForReading(workspacePath(arguments.workspace));
    for (const TrialChoice& choice : chooseTrial(workspace, {name, arguments.experiment, where}))
        if (auto found = experiments::resultsOfTrial(workspace, choice.experiment, choice.trial.trialId, deviceFit);
            !found.empty())
            return found;
    throw UsageError("the trial " + name + " has no result", where, "a trial that was run");
}

OrderedJson numberOrNull(const std::optional<Bytes>& bytes)
{
    return bytes ? OrderedJson(*bytes) : OrderedJson(nullptr);
}

OrderedJson sideJson(const TrialResult& result)
{
    return {{"trial_id", result.trialId}, {"label", result.label}, {"outcome", toText(result.outcome)},
        {"predicted", result.isPredicted}};
}

OrderedJson pairJson(const TrialPair& pair)
{
    OrderedJson json{{"a", sideJson(pair.a)}, {"b", sideJson(pair.b)}, {"verdict", toText(pair.verdict)}};
    json["peak"] = {{"kind", pair.isReserved ? "reserved" : "allocated"}, {"a_bytes", numberOrNull(pair.peakA)},
        {"b_bytes", numberOrNull(pair.peakB)}, {"difference_bytes", numberOrNull(pair.difference())}};
    json["speed"] = {{"ratio", pair.speedRatio ? OrderedJson(*pair.speedRatio) : OrderedJson(nullptr)},
        {"ci95",
            pair.speedRatio95 ? OrderedJson{pair.speedRatio95->low, pair.speedRatio95->high} : OrderedJson(nullptr)}};
    json["text"] = pair.text;
    return json;
}

OrderedJson sidesJson(const std::vector<TrialResult>& results)
{
    OrderedJson json = OrderedJson::array();
    for (const TrialResult& result : results)
        json.push_back(sideJson(result));
    return json;
}

std::string nameOf(const TrialPair& pair)
{
    return pair.a.label == pair.b.label ? pair.a.label : pair.a.label + " / " + pair.b.label;
}

std::string onlyText(const std::vector<TrialResult>& results, const std::string& side)
{
    std::string text;
    for (const TrialResult& result : results)
        text += "only in " + side + ": " + result.shortId() + " " + result.label + "\n";
    return text;
}

Report compareReport(const ResultComparison& comparison, const CompareArguments& arguments)
{
    Report report;
    Table table({{"verdict"}, {"trial"}, {"a", Alignment::Right}, {"b", Alignment::Right}, {"what changed"}});
    report.document = {{"schema", "headroom.compare/1"}, {"pairs", OrderedJson::array()},
        {"only_in_a", sidesJson(comparison.onlyInA)}, {"only_in_b", sidesJson(comparison.onlyInB)}};
    for (const TrialPair& pair : comparison.pairs) {
        report.document["pairs"].push_back(pairJson(pair));
        report.records.push_back(pairJson(pair));
        table.addRow({inWords(toText(pair.verdict)), nameOf(pair), pair.peakA ? sizeText(*pair.peakA) : "",
            pair.peakB ? sizeText(*pair.peakB) : "", pair.text});
    }
    std::string rest = onlyText(comparison.onlyInA, arguments.a) + onlyText(comparison.onlyInB, arguments.b);
    if (comparison.pairs.empty())
        rest += "Nothing can be told: no trial of one is in the other. Trials are the same where model, workload, "
                "techniques "
                "and device are.\n";
    if (!rest.empty())
        rest.pop_back();
    report.sections.push_back({arguments.a + " and " + arguments.b, "", std::move(table), rest});
    return report;
}

int compare(const CompareArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    experiments::DeviceFit deviceFit(config::resourceDirectory());
    const ResultComparison comparison = experiments::compareResults(
        sideOf(arguments.a, "A", arguments, deviceFit), sideOf(arguments.b, "B", arguments, deviceFit));
    print(compareReport(comparison, arguments), format, std::cout);
    if (comparison.hasVerdict(PairVerdict::Worse))
        return kSomethingWorse;
    return comparison.pairs.empty() || comparison.hasVerdict(PairVerdict::CannotTell) ? kCannotTell : 0;
}

} // namespace

void addCompareCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command = app.add_subcommand("compare", "Lay the results of two runs side by side");
    const auto arguments = std::make_shared<CompareArguments>();
    constexpr const char* kSide = "a workspace, a result file, a recording, or a trial of the workspace";
    command->add_option("a", arguments->a, kSide)->type_name("A")->required()->check(notEmpty);
    command->add_option("b", arguments->b, "the same, to be judged")->type_name("B")->required()->check(notEmpty);
    command->add_option("--workspace", arguments->workspace, "of trials (default headroom.db)")
        ->type_name("FILE")
        ->check(notEmpty);
    addExperimentOption(*command, arguments->experiment);
    addFormatOption(*command, arguments->format);
    command->footer(kCompareExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return compare(*arguments); }; });
}

} // namespace headroom::cli
