// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/Plan.h"

#include "core/config/Catalogue.h"
#include "core/config/Error.h"
#include "core/config/WeightBytes.h"
#include "experiments/SpecLoader.h"
#include "experiments/SweepAxis.h"
#include "experiments/TrialBuilder.h"

#include <algorithm>
#include <charconv>

namespace headroom::ui {
namespace {

using experiments::PlannedTrial;

// Points of a sweep that is refused at which its conflicts are looked for.
constexpr std::size_t kMostChecked = 512;

// "12:3: model.dim" behind the source's name.
PlanProblem problemOf(const UsageError& error, const std::string& source)
{
    PlanProblem problem;
    problem.message = error.problem() + (error.valid().empty() ? "" : " (valid: " + error.valid() + ")");
    std::string where = error.where();
    if (where.starts_with(source + ":")) {
        where = where.substr(source.size() + 1);
        std::from_chars(where.data(), where.data() + where.size(), problem.line);
    }
    const auto blank = where.rfind(": ");
    problem.path = blank == std::string::npos ? "" : where.substr(blank + 2);
    return problem;
}

class ConflictCounter {
public:
    explicit ConflictCounter(Plan& plan)
        : m_plan(plan)
    {
    }

    void count(const config::Configuration& configuration)
    {
        const config::ModelDescriptor model = config::findModel(configuration.model, "model.name");
        const config::ModelContext context{
            *model.family, configuration.modelFields, configuration.workload, configuration.techniques};
        for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
            for (const std::string& reason : technique.problems(configuration.techniques.at(technique.key), context))
                ++m_found[technique.key][reason];
    }

    void finish(std::size_t checkedTrials)
    {
        m_plan.checkedTrials = checkedTrials;
        for (const auto& [key, reasons] : m_found)
            for (const auto& [reason, trials] : reasons)
                m_plan.conflicts[key].push_back({reason, trials});
    }

private:
    Plan& m_plan;
    std::map<std::string, std::map<std::string, std::size_t>> m_found;
};

void addSkipped(Plan& plan)
{
    std::map<std::string, std::size_t> reasons;
    ConflictCounter conflicts(plan);
    for (const PlannedTrial& planned : plan.trials) {
        if (planned.isRunnable())
            continue;
        ++plan.skippedTrials;
        ++reasons[planned.skipReason()];
        if (!planned.conflicts.empty())
            conflicts.count(planned.trial.configuration);
    }
    conflicts.finish(plan.trials.size());
    for (const auto& [reason, trials] : reasons)
        plan.skipped.push_back({reason, trials});
    std::stable_sort(plan.skipped.begin(), plan.skipped.end(),
        [](const CountedReason& a, const CountedReason& b) { return a.trials > b.trials; });
}

PlannedPart firstOf(const experiments::SpecSettings& settings)
{
    PlannedPart part;
    const auto axes = experiments::sweepAxes(settings);
    part.first = experiments::buildTrial(experiments::pointAt(axes, 0));
    part.facts = factsOf(part.first->configuration);
    part.impliedStep = experiments::impliedStep(axes);
    return part;
}

// A sweep is refused at its first mistake; the parts that are right are shown all the same.
void addParts(Plan& plan)
{
    for (const experiments::SpecSettings& settings : plan.spec.parts) {
        try {
            plan.parts.push_back(firstOf(settings));
        } catch (const UsageError&) {
            plan.parts.emplace_back(); // the expansion says why
        }
    }
}

void addConflictsOfRefused(Plan& plan)
{
    ConflictCounter conflicts(plan);
    std::size_t checked = 0;
    for (std::size_t i = 0; i < plan.parts.size(); ++i) {
        if (!plan.parts[i].first)
            continue;
        const auto axes = experiments::sweepAxes(plan.spec.parts[i]);
        const std::size_t points = std::min(experiments::numberOfPoints(axes), kMostChecked);
        for (std::size_t point = 0; point < points; ++point, ++checked)
            conflicts.count(experiments::buildTrial(experiments::pointAt(axes, point)).configuration);
    }
    conflicts.finish(checked);
}

void addTrials(Plan& plan, const std::string& source, const std::stop_token& stop)
{
    try {
        plan.trials = experiments::expand(plan.spec, stop);
        addSkipped(plan);
    } catch (const UsageError& error) {
        plan.problems.push_back(problemOf(error, source));
    }
    if (plan.problems.empty())
        return;
    try {
        addConflictsOfRefused(plan);
    } catch (const UsageError&) {
        plan.conflicts.clear(); // a value is wrong that is no conflict, and said above
    }
}

} // namespace

std::optional<ModelFacts> factsOf(const config::Configuration& configuration)
{
    const config::ModelDescriptor model = config::findModel(configuration.model, "model.name");
    const config::ModelFamily& family = *model.family;
    const config::Workload& workload = configuration.workload;
    if (!family.problems(configuration.modelFields, workload.shapes).empty())
        return std::nullopt;
    ModelFacts facts;
    facts.parameters = family.parameters(configuration.modelFields);
    facts.dtype = config::toText(workload.dtype);
    facts.weightBytes = config::weightBytes(family, configuration.modelFields, workload.dtype);
    facts.flopsPerStep = family.flopsPerStep(configuration.modelFields, workload.shapes, workload.step);
    facts.tokensPerStep = family.tokensPerStep(workload.shapes);
    return facts;
}

std::shared_ptr<const Plan> makePlan(const std::string& text, const std::string& source, const std::stop_token& stop)
{
    auto plan = std::make_shared<Plan>();
    plan->text = text;
    try {
        plan->document = experiments::readSpecDocument(text, source);
        plan->spec = experiments::loadSpecText(text, source, {});
        plan->isReadable = true;
    } catch (const UsageError& error) {
        plan->problems.push_back(problemOf(error, source));
        return plan;
    }
    addParts(*plan);
    addTrials(*plan, source, stop);
    return plan;
}

} // namespace headroom::ui
