// SPDX-License-Identifier: Apache-2.0
#include "experiments/archive/StoredExperiment.h"

#include "core/base/Error.h"
#include "core/protocol/Json.h"
#include "core/protocol/TrialCodec.h"
#include "profiling/store/StoreErrors.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace headroom::experiments {
namespace {

StoredRepeat damagedRepeat(const store::RepeatRow& row, const std::string& problem)
{
    StoredRepeat repeat{.id = row.id, .index = row.repeatIndex, .result = {}};
    repeat.damage = "the stored result of repeat " + std::to_string(row.id) + " is damaged: " + problem;
    repeat.result.outcome = Outcome::Failed;
    repeat.result.reason = repeat.damage;
    return repeat;
}

constexpr const char* kValidWorkspace = "a workspace that headroom run has written";

// Runs `read`; whatever it cannot understand is said of the file and the row.
template <typename Read> auto understood(const store::Workspace& workspace, const std::string& what, const Read& read)
{
    const auto refuse = [&](const std::string& why) {
        return FileError(what + " cannot be read: " + why, workspace.path().string(), kValidWorkspace);
    };
    try {
        return read();
    } catch (const protocol::Json::exception& error) {
        throw refuse(protocol::problemOf(error));
    } catch (const UsageError& error) {
        throw refuse(error.what());
    } catch (const TrialError& error) {
        throw refuse(error.what());
    }
}

PlannedTrial plannedOf(store::Workspace& workspace, const store::TrialRow& row)
{
    PlannedTrial planned;
    planned.trialId = row.trialId;
    planned.configId = row.configId;
    planned.label = row.label;
    planned.trial = understood(workspace, "trial " + row.trialId,
        [&] { return protocol::trialFromJson(protocol::Json::parse(row.requestJson)); });
    planned.conflicts = config::sentencesOf(config::problemsOf(planned.trial));
    return planned;
}

// Reads the trials of an experiment, hands over each, and collects the environments on the way.
class ExperimentReader {
public:
    ExperimentReader(store::Workspace& workspace, StoredExperiment& experiment, const TakeTrial& take)
        : m_workspace(workspace)
        , m_experiment(experiment)
        , m_take(take)
    {
    }

    void read()
    {
        m_experiment.diagnostics = m_workspace.experimentDiagnostics(m_experiment.row.id);
        m_workspace.eachTrial(m_experiment.row.id, [&](const store::TrialRow& row) { readTrial(row); });
        if (const auto& text = m_experiment.row.summaryJson)
            m_experiment.summary = objectOf(*text, "the stored summary");
        const auto last = m_experiment.row.environment ? m_experiment.row.environment : m_latest;
        if (last)
            m_experiment.environment = environment(*last);
        for (const std::int64_t id : m_environments)
            if (const OrderedJson found = withoutWorker(environment(id)); found.is_object() && isNew(found))
                m_experiment.environments.push_back(found);
    }

private:
    // One row that cannot be read costs its trial, never the others.
    void readTrial(const store::TrialRow& row)
    {
        std::optional<StoredTrial> read;
        try {
            read = trial(row);
        } catch (const FileError& error) {
            reportDamage(std::string(error.what()) + "; it is left out", row.id, {});
        }
        if (read)
            m_take(std::move(*read));
    }

    StoredTrial trial(const store::TrialRow& row)
    {
        StoredTrial trial;
        trial.planned = plannedOf(m_workspace, row);
        trial.expectedRepeats = row.expectedRepeats;
        for (const store::RepeatRow& repeat : m_workspace.repeats(row.id)) {
            trial.repeats.push_back(readRepeat(repeat));
            if (const StoredRepeat& read = trial.repeats.back(); read.isDamaged())
                reportDamage(read.damage, row.id, repeat.id);
            note(repeat);
        }
        return trial;
    }

    // Null for a text that is none; that is said once.
    OrderedJson objectOf(const std::string& text, const std::string& what)
    {
        OrderedJson json = OrderedJson::parse(text, nullptr, false);
        if (json.is_object())
            return json;
        if (m_damaged.insert(what).second)
            reportDamage(what + " is damaged and is left out", {}, {});
        return nullptr;
    }

    OrderedJson environment(std::int64_t id)
    {
        const auto text = m_workspace.environment(id);
        return text ? objectOf(*text, "the stored environment " + std::to_string(id)) : OrderedJson(nullptr);
    }

    void reportDamage(const std::string& message, std::optional<std::int64_t> trial, std::optional<std::int64_t> repeat)
    {
        m_experiment.diagnostics.push_back({.experiment = m_experiment.row.id,
            .trial = trial,
            .repeat = repeat,
            .severity = store::Severity::Error,
            .kind = "damaged_row",
            .message = message});
    }

    void note(const store::RepeatRow& repeat)
    {
        if (!repeat.environment)
            return;
        if (std::find(m_environments.begin(), m_environments.end(), *repeat.environment) == m_environments.end())
            m_environments.push_back(*repeat.environment);
        if (!m_latest || repeat.finishedAt >= m_latestAt) {
            m_latest = repeat.environment;
            m_latestAt = repeat.finishedAt;
        }
    }

    // A repeat that was skipped before any worker started knows less of the same environment.
    static OrderedJson withoutWorker(OrderedJson environment)
    {
        if (environment.is_object())
            for (const char* key : {"worker_version", "libtorch_version", "cuda_usable", "cuda_reason"})
                environment.erase(key);
        return environment;
    }

    bool isNew(const OrderedJson& environment) const
    {
        const auto& known = m_experiment.environments;
        return std::find(known.begin(), known.end(), environment) == known.end();
    }

    store::Workspace& m_workspace;
    StoredExperiment& m_experiment;
    const TakeTrial& m_take;
    std::vector<std::int64_t> m_environments;
    std::set<std::string> m_damaged;
    std::optional<std::int64_t> m_latest;
    std::optional<store::Timestamp> m_latestAt;
};

std::string listed(const std::vector<store::ExperimentRow>& experiments)
{
    constexpr std::size_t kMost = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(kMost, experiments.size()); ++i)
        text += (i == 0 ? "" : ", ") + experiments[i].name + " (" + std::to_string(experiments[i].id) + ")";
    return experiments.size() > kMost ? text + ", ..." : text;
}

} // namespace

StoredRepeat readRepeat(const store::RepeatRow& row)
{
    if (!row.resultJson)
        return damagedRepeat(row, "there is none");
    try {
        return {row.id, row.repeatIndex, protocol::repeatResultFromJson(protocol::Json::parse(*row.resultJson)), {}};
    } catch (const protocol::Json::exception& error) {
        return damagedRepeat(row, protocol::problemOf(error));
    } catch (const Error& error) {
        return damagedRepeat(row, error.what());
    }
}

std::vector<protocol::RepeatResult> StoredTrial::results() const
{
    const bool anyWhole =
        std::any_of(repeats.begin(), repeats.end(), [](const StoredRepeat& repeat) { return !repeat.isDamaged(); });
    std::vector<protocol::RepeatResult> results;
    for (const StoredRepeat& repeat : repeats)
        if (!anyWhole || !repeat.isDamaged())
            results.push_back(repeat.result);
    return results;
}

store::Workspace openForReading(const std::filesystem::path& workspace)
{
    try {
        return store::Workspace::open(workspace, store::Access::ReadOnly);
    } catch (const store::OlderVersionError&) {
        return store::Workspace::open(workspace, store::Access::ReadWrite);
    }
}

store::ExperimentRow chooseExperiment(
    store::Workspace& workspace, const std::string& nameOrId, const std::string& where)
{
    const std::vector<store::ExperimentRow> experiments = workspace.experiments();
    if (experiments.empty())
        throw FileError("the workspace has no experiments", workspace.path().string(), kValidWorkspace);
    if (nameOrId.empty())
        return experiments.front();
    for (const store::ExperimentRow& row : experiments)
        if (row.name == nameOrId)
            return row;
    for (const store::ExperimentRow& row : experiments)
        if (std::to_string(row.id) == nameOrId)
            return row;
    throw UsageError("found \"" + nameOrId + "\"", where, listed(experiments));
}

StoredExperiment readExperiment(store::Workspace& workspace, const store::ExperimentRow& row)
{
    std::vector<StoredTrial> trials;
    StoredExperiment experiment =
        readExperiment(workspace, row, [&](StoredTrial&& trial) { trials.push_back(std::move(trial)); });
    experiment.trials = std::move(trials);
    return experiment;
}

StoredExperiment readExperiment(store::Workspace& workspace, const store::ExperimentRow& row, const TakeTrial& take)
{
    StoredExperiment experiment;
    experiment.row = row;
    ExperimentReader(workspace, experiment, take).read();
    return experiment;
}

} // namespace headroom::experiments
