// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/TraceSubject.h"

#include "app/cli/output/OptionChecks.h"
#include "core/base/Error.h"
#include "core/config/models/RecordingFamily.h"
#include "core/protocol/Json.h"
#include "experiments/archive/StoredExperiment.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

namespace headroom::cli {
namespace {

constexpr std::size_t kMostNamed = 12;
constexpr std::size_t kShortId = 8;

using Candidate = TrialChoice;
using Candidates = std::vector<Candidate>; ///< newest experiment first

constexpr const char* kHowToRecord = "a trial that was run with --trace (headroom run ... --trace)";
using Match = std::function<bool(const store::TrialRow&)>;

Candidates candidatesOf(store::Workspace& workspace, const std::string& experiment)
{
    const store::ExperimentRow chosen = experiments::chooseExperiment(workspace, experiment, "--experiment");
    const std::vector<store::ExperimentRow> rows =
        experiment.empty() ? workspace.experiments() : std::vector<store::ExperimentRow>{chosen};
    Candidates candidates;
    for (const store::ExperimentRow& row : rows)
        for (const store::TrialRow& trial : workspace.trials(row.id))
            candidates.push_back({row, trial});
    return candidates;
}

// "baseline" of "cpu | baseline".
std::string lastPartOf(const std::string& label)
{
    const std::size_t bar = label.rfind(" | ");
    return bar == std::string::npos ? label : label.substr(bar + 3);
}

// The parts of a label, however they are separated: fit, plan and effects write "checkpointing all, split_ffn 4".
std::vector<std::string> partsOf(const std::string& label)
{
    std::vector<std::string> parts(1);
    for (const char c : label)
        if (c == ',' || c == '|')
            parts.emplace_back();
        else if (c != ' ' || !parts.back().empty())
            parts.back() += c;
    for (std::string& part : parts)
        part.resize(part.find_last_not_of(' ') + 1);
    std::ranges::sort(parts);
    return parts;
}

// The device's part may be left out.
bool hasParts(const store::TrialRow& trial, const std::string& name)
{
    const std::vector<std::string> wanted = partsOf(name);
    std::vector<std::string> parts = partsOf(trial.label);
    if (parts == wanted)
        return true;
    std::erase_if(parts, [&](const std::string& part) { return part.starts_with(trial.device); });
    return parts == wanted;
}

Candidates matching(const Candidates& candidates, const Match& match)
{
    Candidates found;
    std::ranges::copy_if(
        candidates, std::back_inserter(found), [&](const Candidate& candidate) { return match(candidate.trial); });
    return found;
}

// A label is unique only within one sweep, so the newest experiment that has it counts.
Candidates ofNewestExperiment(Candidates found)
{
    std::erase_if(found, [newest = found.empty() ? 0 : found.front().experiment.id](const Candidate& candidate) {
        return candidate.experiment.id != newest;
    });
    return found;
}

Candidates meant(const Candidates& candidates, const std::string& trial)
{
    const std::vector<std::pair<Match, bool>> ways{
        {[&](const store::TrialRow& row) { return row.trialId == trial; }, false},
        {[&](const store::TrialRow& row) { return row.label == trial; }, true},
        {[&](const store::TrialRow& row) { return lastPartOf(row.label) == trial; }, true},
        {[&](const store::TrialRow& row) { return hasParts(row, trial); }, true},
        {[&](const store::TrialRow& row) { return row.trialId.starts_with(trial); }, false}};
    for (const auto& [match, isLabel] : ways)
        if (Candidates found = matching(candidates, match); !found.empty())
            return isLabel ? ofNewestExperiment(std::move(found)) : found;
    return {};
}

std::string trialNameOf(const store::TrialRow& trial)
{
    return fmt::format("{} ({})", trial.trialId.substr(0, kShortId), trial.label);
}

std::string listed(const Candidates& candidates)
{
    std::vector<std::string> names;
    for (const Candidate& candidate : candidates)
        if (const std::string name = trialNameOf(candidate.trial); std::ranges::find(names, name) == names.end())
            names.push_back(name);
    const std::size_t left = names.size() - std::min(names.size(), kMostNamed);
    names.resize(names.size() - left);
    return fmt::format("{}{}", fmt::join(names, ", "), left > 0 ? fmt::format(" and {} more", left) : "");
}

bool hasTrace(store::Workspace& workspace, const Candidate& candidate)
{
    return std::ranges::any_of(workspace.repeats(candidate.trial.id),
        [&](const store::RepeatRow& repeat) { return !workspace.trace().tracks(repeat.id).empty(); });
}

// The trials with a trace, which can be asked for instead.
std::string traced(store::Workspace& workspace, Candidates candidates)
{
    std::erase_if(candidates, [&](const Candidate& candidate) { return !hasTrace(workspace, candidate); });
    return candidates.empty() ? kHowToRecord : listed(candidates);
}

// Of a recording, its import was killed.
std::string howToGetOne(const store::TrialRow& trial)
{
    const auto asked = protocol::Json::parse(trial.requestJson, nullptr, false);
    const protocol::Json::json_pointer model("/model/name");
    return asked.contains(model) && asked.at(model) == config::kRecordingModel
        ? "import its file again (headroom trace import FILE)"
        : "run it again with --trace (headroom run ... --trace)";
}

void requireOne(const Candidates& found, const TrialName& name)
{
    std::set<std::string> ids;
    for (const Candidate& candidate : found)
        ids.insert(candidate.trial.trialId);
    if (ids.size() > 1)
        throw UsageError(
            fmt::format("\"{}\" may be any of {} trials", name.trial, ids.size()), name.where, listed(found));
}

} // namespace

std::vector<TrialChoice> chooseTrial(store::Workspace& workspace, const TrialName& name)
{
    const Candidates all = candidatesOf(workspace, name.experiment);
    Candidates found = meant(all, name.trial);
    if (found.empty())
        throw UsageError("found \"" + name.trial + "\", which is not the id or label of a trial", name.where,
            traced(workspace, all));
    requireOne(found, name);
    return found;
}

std::optional<TraceSubject> tracedOf(store::Workspace& workspace, const std::vector<TrialChoice>& choices)
{
    for (const TrialChoice& choice : choices)
        for (const store::RepeatRow& repeat : workspace.repeats(choice.trial.id))
            if (auto found = report::readTracedRepeat(workspace, repeat.id))
                return TraceSubject{choice.experiment, choice.trial, repeat, std::move(*found)};
    return std::nullopt;
}

TraceSubject chooseTrace(store::Workspace& workspace, const TrialName& name)
{
    const std::vector<TrialChoice> choices = chooseTrial(workspace, name);
    if (auto subject = tracedOf(workspace, choices))
        return std::move(*subject);
    const store::TrialRow& first = choices.front().trial;
    throw UsageError(trialNameOf(first) + " has no trace: " + howToGetOne(first), name.where,
        traced(workspace, candidatesOf(workspace, name.experiment)));
}

void addExperimentOption(CLI::App& command, std::string& experiment)
{
    command.add_option("--experiment", experiment, "name (the newest of it) or number; else all of them")
        ->type_name("E")
        ->check(notEmpty);
}

void addTrialOption(CLI::App& command, std::string& trial)
{
    command.add_option("trial", trial, "its id, the beginning of it, or its label")
        ->type_name("TRIAL")
        ->required()
        ->check(notEmpty);
}

} // namespace headroom::cli
