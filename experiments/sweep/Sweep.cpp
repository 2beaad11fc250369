// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/Sweep.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/sweep/ExcludeMatcher.h"
#include "experiments/sweep/SweepLabels.h"
#include "experiments/sweep/TrialBuilder.h"

#include <set>
#include <utility>

namespace headroom::experiments {
namespace {

using NotationPlaces = std::map<std::pair<std::string, std::string>, std::string>;

// Collects the trials of all parts.
class Expansion {
public:
    Expansion(const ExperimentSpec& spec, const std::stop_token& stop)
        : m_excludes(spec.excludes)
        , m_stop(stop)
    {
        for (const SpecSettings& part : spec.parts)
            add(part, spec.source);
        m_excludes.requireKnownSettings(m_trials.front().trial.configuration.model);
    }

    std::vector<PlannedTrial> take() { return std::move(m_trials); }
    const NotationPlaces& places() const { return m_places; }

private:
    void add(const SpecSettings& part, const std::string& source)
    {
        const std::vector<SweepAxis> axes = sweepAxes(part);
        const std::size_t points = numberOfPoints(axes);
        if (m_trials.size() + points > kMostTrials)
            throw UsageError("the sweep has more than " + std::to_string(kMostTrials) + " trials",
                source.empty() ? "sweep" : source, "fewer values, or several experiments");
        for (std::size_t i = 0; i < points; ++i) {
            if (m_stop.stop_requested())
                throw Error("the sweep's expansion was stopped");
            add(pointAt(axes, i));
        }
    }

    void add(const SweepPoint& point)
    {
        PlannedTrial planned;
        planned.trial = buildTrial(point);
        planned.timeout = timeoutAt(point);
        notePlaces(point, planned.trial.configuration);
        protocol::TrialIds ids = protocol::idsOf(planned.trial);
        planned.trialId = std::move(ids.trial);
        if (!m_seen.insert(planned.trialId).second)
            return;
        planned.configId = std::move(ids.configuration);
        planned.conflicts = config::sentencesOf(config::problemsOf(planned.trial));
        planned.excludedBecause = m_excludes.reasonFor(planned.trial);
        m_trials.push_back(std::move(planned));
    }

    void notePlaces(const SweepPoint& point, const config::Configuration& configuration)
    {
        for (const auto& [key, setting] : configuration.techniques)
            if (const auto found = point.find("techniques." + key); found != point.end())
                m_places.emplace(std::pair(key, setting.notation), found->second.where);
    }

    ExcludeMatcher m_excludes;
    const std::stop_token& m_stop;
    std::vector<PlannedTrial> m_trials;
    std::set<std::string> m_seen;
    NotationPlaces m_places;
};

// What the technique itself says against its setting; the first reason, or empty.
std::string objection(const config::TechniqueDescriptor& technique, const config::Configuration& configuration)
{
    const config::ModelDescriptor model = config::findModel(configuration.model, "model.name");
    const auto reasons = technique.problems(configuration.techniques.at(technique.key),
        {*model.family, configuration.modelFields, configuration.workload, configuration.techniques});
    return reasons.empty() ? "" : reasons.front();
}

bool saysWhatIsValid(const std::string& reason)
{
    return reason.find("(valid: ") != std::string::npos;
}

// A technique's value that works in no trial is a mistake, not a point of the sweep.
void refuseHopeless(const std::vector<PlannedTrial>& trials, const NotationPlaces& places)
{
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        std::map<std::string, std::string> objections; // by notation; empty once a trial works
        for (const PlannedTrial& planned : trials) {
            if (!planned.excludedBecause.empty())
                continue;
            const config::Configuration& configuration = planned.trial.configuration;
            const std::string found = planned.conflicts.empty() ? "" : objection(technique, configuration);
            const std::string& notation = configuration.techniques.at(technique.key).notation;
            if (const auto [it, isNew] = objections.emplace(notation, found); !isNew && found.empty())
                it->second.clear();
        }
        for (const auto& [notation, reason] : objections)
            if (!reason.empty()) {
                const auto place = places.find({technique.key, notation}); // an option alone may be what objects
                throw UsageError(reason, place == places.end() ? "techniques." + technique.key : place->second,
                    saysWhatIsValid(reason) ? "" : "a value that works in some trial");
            }
    }
}

// Where the setting stands that a problem is about; else its path, else the spec.
std::string placeOfSetting(const config::Problem& problem, const ExperimentSpec& spec)
{
    for (const SpecSettings& part : spec.parts)
        if (const auto found = part.find(problem.path); found != part.end())
            return found->second.where;
    return problem.path.empty() ? "spec" : problem.path;
}

// The same for what the model says against its fields and shapes.
void refuseNothingToRun(const std::vector<PlannedTrial>& trials, const ExperimentSpec& spec)
{
    const PlannedTrial* hopeless = nullptr;
    for (const PlannedTrial& planned : trials) {
        if (planned.isRunnable())
            return;
        if (hopeless == nullptr && planned.excludedBecause.empty())
            hopeless = &planned;
    }
    if (hopeless == nullptr)
        return;
    const config::Problem problem = config::problemsOf(hopeless->trial).front();
    const bool isSaid = !problem.valid.empty() || saysWhatIsValid(problem.text);
    throw UsageError("no trial can work: " + problem.text, placeOfSetting(problem, spec),
        isSaid ? problem.valid : "model fields and shapes that fit together");
}

} // namespace

std::string PlannedTrial::skipReason() const
{
    std::string reason = excludedBecause;
    for (const std::string& conflict : conflicts)
        reason += (reason.empty() ? "" : "; ") + conflict;
    return reason;
}

std::vector<PlannedTrial> expand(const ExperimentSpec& spec, const std::stop_token& stop)
{
    Expansion expansion(spec, stop);
    std::vector<PlannedTrial> trials = expansion.take();
    refuseHopeless(trials, expansion.places());
    refuseNothingToRun(trials, spec);
    labelTrials(trials);
    return trials;
}

} // namespace headroom::experiments
