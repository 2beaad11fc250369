// SPDX-License-Identifier: Apache-2.0
#include "experiments/FitSearch.h"

#include "core/config/Catalogue.h"
#include "experiments/DeviceFit.h"
#include "experiments/Statistics.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

using End = FitSearchResult::End;
using Changes = std::vector<SettingChange>;

constexpr const char* kBatch = "batch";
constexpr const char* kTechniques = "techniques.";

/// The values that are worth a try for one technique.
using Candidates = std::vector<SettingChange>;

// What is tried of a technique other than what it is set to, the mildest first.
Candidates candidatesOf(const config::TechniqueDescriptor& technique, const config::Configuration& configuration)
{
    if (!technique.candidates)
        return {};
    const config::ModelDescriptor model = config::findModel(configuration.model, "model.name");
    const std::string& before = configuration.techniques.at(technique.key).notation;
    Candidates candidates;
    for (const std::string& notation : technique.candidates(
             {*model.family, configuration.modelFields, configuration.workload, configuration.techniques}))
        if (notation != before)
            candidates.push_back({kTechniques + technique.key, before, notation});
    return candidates;
}

std::optional<std::int64_t> batchOf(const config::Configuration& configuration)
{
    const auto batch = configuration.workload.shapes.find(kBatch);
    return batch != configuration.workload.shapes.end() && batch->second.isInteger()
        ? std::optional(batch->second.integer())
        : std::nullopt;
}

config::Trial applied(config::Trial trial, const Changes& changes)
{
    for (const SettingChange& change : changes)
        if (change.path.starts_with(kTechniques))
            trial.configuration.techniques.at(change.path.substr(std::string(kTechniques).size())).notation =
                change.after;
        else
            trial.configuration.workload.shapes[kBatch] = config::Value(std::int64_t{std::stoll(change.after)});
    return trial;
}

std::string shortText(const SettingChange& change)
{
    return change.path.substr(change.path.find('.') + 1) + " " + change.after;
}

void addOnce(std::vector<std::string>& texts, const std::string& text)
{
    if (std::find(texts.begin(), texts.end(), text) == texts.end())
        texts.push_back(text);
}

// No worse in anything.
bool matches(const FittingChange& one, const FittingChange& other)
{
    return one.changes.size() <= other.changes.size() && one.peakBytes <= other.peakBytes
        && one.stepsPerSecond.value_or(0) >= other.stepsPerSecond.value_or(0);
}

// Of equals the first stays: it is the mildest.
std::vector<FittingChange> ranked(const std::vector<FittingChange>& found)
{
    std::vector<FittingChange> kept;
    for (auto it = found.begin(); it != found.end(); ++it) {
        const bool isBeaten = std::any_of(found.begin(), found.end(),
            [&](const FittingChange& other) { return matches(other, *it) && !matches(*it, other); });
        const bool isRepeated = std::any_of(found.begin(), it,
            [&](const FittingChange& earlier) { return matches(earlier, *it) && matches(*it, earlier); });
        if (!isBeaten && !isRepeated)
            kept.push_back(*it);
    }
    std::stable_sort(kept.begin(), kept.end(), [](const FittingChange& one, const FittingChange& other) {
        return std::pair(one.changes.size(), -one.stepsPerSecond.value_or(0))
            < std::pair(other.changes.size(), -other.stepsPerSecond.value_or(0));
    });
    return kept;
}

/// One search: what it has done and found so far.
class Search {
public:
    Search(const config::Trial& trial, const FitSearch::Predict& predict, const FitSearch::Fits& fits,
        const FitSearch::Progress& progress, std::size_t mostSimulations, std::stop_token stop)
        : m_trial(trial)
        , m_predict(predict)
        , m_fits(fits)
        , m_progress(progress)
        , m_mostSimulations(mostSimulations)
        , m_stop(std::move(stop))
    {
        for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
            if (Candidates candidates = candidatesOf(technique, trial.configuration); !candidates.empty())
                m_techniques.push_back(std::move(candidates));
    }

    FitSearchResult run()
    {
        if (!tryTechniques({}))
            tryBatches();
        m_result.found = ranked(m_result.found);
        m_result.end = !m_result.found.empty() && !m_ended ? End::Found : m_ended.value_or(End::NothingFits);
        return std::move(m_result);
    }

private:
    // True where the search is over.
    bool tryTechniques(const Changes& with)
    {
        trySingles(with);
        if (!isOver())
            tryPairs(with);
        return isOver();
    }

    void trySingles(const Changes& with)
    {
        for (const Candidates& technique : m_techniques)
            for (const SettingChange& change : technique)
                tryChanges({change}, with);
    }

    void tryPairs(const Changes& with)
    {
        for (std::size_t one = 0; one < m_techniques.size(); ++one)
            for (std::size_t other = one + 1; other < m_techniques.size(); ++other)
                for (const SettingChange& first : m_techniques[one])
                    for (const SettingChange& second : m_techniques[other])
                        tryChanges({first, second}, with);
    }

    void tryBatches()
    {
        const std::int64_t before = batchOf(m_trial.configuration).value_or(1);
        for (std::int64_t batch = before / 2; batch >= 1 && !isOver(); batch /= 2) {
            const SettingChange smaller{
                std::string("workload.") + kBatch, std::to_string(before), std::to_string(batch)};
            tryChanges({smaller}, {});
            if (!isOver())
                tryTechniques({smaller});
        }
    }

    bool isOver() const { return m_ended || !m_result.found.empty(); }

    void tryChanges(Changes changes, const Changes& with)
    {
        if (!mayGoOn())
            return;
        changes.insert(changes.end(), with.begin(), with.end());
        const config::Trial trial = applied(m_trial, changes);
        if (!config::conflicts(trial.configuration).empty())
            return;
        if (m_result.simulations == m_mostSimulations) {
            m_ended = End::OutOfSimulations;
            return;
        }
        simulate(trial, std::move(changes));
    }

    bool mayGoOn()
    {
        if (m_stop.stop_requested())
            m_ended = End::Cancelled;
        return !m_ended;
    }

    void simulate(const config::Trial& trial, Changes changes)
    {
        if (m_progress)
            m_progress(m_result.simulations);
        ++m_result.simulations;
        for (const SettingChange& change : changes)
            addOnce(m_result.tried, shortText(change));
        const protocol::RepeatResult result = m_predict(trial);
        if (result.outcome == protocol::Outcome::Completed && m_fits(trial, result))
            m_result.found.push_back(
                {std::move(changes), trial, DeviceFit::heldBytes(result.memory).value_or(0), speedOf(result)});
        else if (result.outcome == protocol::Outcome::Failed || result.outcome == protocol::Outcome::TimedOut)
            addOnce(m_result.failures, result.reason);
    }

    static std::optional<double> speedOf(const protocol::RepeatResult& result)
    {
        const auto seconds = median(result.stepSeconds);
        return seconds && *seconds > 0 ? std::optional(1 / *seconds) : std::nullopt;
    }

    const config::Trial& m_trial;
    const FitSearch::Predict& m_predict;
    const FitSearch::Fits& m_fits;
    const FitSearch::Progress& m_progress;
    std::size_t m_mostSimulations;
    std::stop_token m_stop;
    std::vector<Candidates> m_techniques;
    std::optional<End> m_ended; ///< before its time
    FitSearchResult m_result;
};

} // namespace

FitSearch::FitSearch(Predict predict, Fits fits, std::size_t mostSimulations)
    : m_predict(std::move(predict))
    , m_fits(std::move(fits))
    , m_mostSimulations(mostSimulations)
{
}

FitSearchResult FitSearch::run(const config::Trial& trial, std::stop_token stop)
{
    return Search(trial, m_predict, m_fits, m_progress, m_mostSimulations, std::move(stop)).run();
}

} // namespace headroom::experiments
