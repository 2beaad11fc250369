// SPDX-License-Identifier: Apache-2.0
#include "ui/spec/Plan.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/WeightBytes.h"
#include "experiments/spec/ModelFiles.h"
#include "experiments/spec/SettingField.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/SweepAxis.h"
#include "experiments/sweep/TrialBuilder.h"

#include <algorithm>
#include <charconv>

namespace headroom::ui {
namespace {

using experiments::PlannedTrial;

// Points of a sweep that is refused at which its conflicts are looked for.
constexpr std::size_t kMostChecked = 512;

// "12:3: model.dim" behind the source's name.
PlanProblem problemOf(const Error& error, const std::string& source)
{
    PlanProblem problem;
    // Where it is known what was meant, all that there is would only be in the way.
    const bool isGuessed = error.problem().find("did you mean") != std::string::npos;
    problem.message = error.problem();
    if (!isGuessed && !error.valid().empty())
        problem.message += " (valid: " + error.valid() + ")";
    std::string where = error.where();
    if (where.starts_with(source + ":")) {
        where = where.substr(source.size() + 1);
        const char* const end = where.data() + where.size();
        const auto line = std::from_chars(where.data(), end, problem.line);
        if (line.ptr != end && *line.ptr == ':')
            std::from_chars(line.ptr + 1, end, problem.column);
    }
    // A setting that is not in the text, as its default holds, has a path and no place.
    const auto blank = where.rfind(": ");
    const bool isPath = blank == std::string::npos && where.find('.') != std::string::npos
        && where.find_first_of(" /") == std::string::npos;
    problem.path = blank != std::string::npos ? where.substr(blank + 2) : isPath ? where : "";
    if (where.find(".pt2: ") != std::string::npos || experiments::isExportedModel(where)) { // a place in the archive
        problem.path = "model.name";
        problem.message = where + ": " + problem.message;
    }
    return problem;
}

// What all parts share would be told once for each.
void addProblem(Plan& plan, const Error& error, const std::string& source)
{
    const PlanProblem problem = problemOf(error, source);
    if (std::find(plan.problems.begin(), plan.problems.end(), problem) == plan.problems.end())
        plan.problems.push_back(problem);
}

class ConflictCounter {
public:
    explicit ConflictCounter(Plan& plan)
        : m_plan(plan)
    {
    }

    void count(const config::Trial& trial)
    {
        for (const config::Problem& problem : config::problemsOf(trial))
            ++m_found[problem.path].try_emplace(problem.text, PlanConflict{problem}).first->second.trials;
    }

    void finish(std::size_t checkedTrials)
    {
        m_plan.checkedTrials = checkedTrials;
        for (const auto& [path, conflicts] : m_found)
            for (const auto& [text, conflict] : conflicts)
                m_plan.conflicts[path].push_back(conflict);
    }

private:
    Plan& m_plan;
    std::map<std::string, std::map<std::string, PlanConflict>> m_found; // by path and sentence
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
            conflicts.count(planned.trial);
    }
    conflicts.finish(plan.trials.size());
    for (const auto& [reason, trials] : reasons)
        plan.skipped.push_back({reason, trials});
    std::stable_sort(plan.skipped.begin(), plan.skipped.end(),
        [](const CountedReason& a, const CountedReason& b) { return a.trials > b.trials; });
}

// Names of a part's models that there are; the expansion says of the others.
std::vector<std::string> modelsOf(const experiments::SpecSettings& settings)
{
    const auto found = settings.find("model.name");
    if (found == settings.end())
        return {};
    const config::Value& value = found->second.value;
    std::vector<std::string> models;
    for (const config::Value& name : value.isList() ? value.list() : config::Value::List{value})
        if (name.isText() && isKnownModel(name.text()))
            models.push_back(name.text());
    return models;
}

// Keys that a model of the part does not have are told and left out, so that the others are looked at all the same.
void dropUnknownKeys(Plan& plan, experiments::SpecSettings& settings, const std::string& source)
{
    const std::vector<std::string> models = modelsOf(settings);
    std::erase_if(settings, [&](const auto& entry) {
        const auto& [path, setting] = entry;
        try {
            for (const std::string& model : models)
                experiments::settingField(path, model, setting.where);
            return false;
        } catch (const UsageError& error) {
            addProblem(plan, error, source);
            return true;
        }
    });
}

// Everything that can be read; what cannot is a problem. Throws where the text is no TOML.
void readSpec(Plan& plan, const std::string& source)
{
    std::vector<UsageError> mistakes;
    plan.document = experiments::readSpecDocument(plan.text, source, mistakes);
    plan.isReadable = true;
    for (const UsageError& mistake : mistakes)
        addProblem(plan, mistake, source);
    plan.spec = experiments::loadSpecDocument(plan.document, source);
    plan.spec.toml = plan.text;
    for (experiments::SpecSettings& settings : plan.spec.parts)
        dropUnknownKeys(plan, settings, source);
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
            conflicts.count(experiments::buildTrial(experiments::pointAt(axes, point)));
    }
    conflicts.finish(checked);
}

void addTrials(Plan& plan, const std::string& source, const std::stop_token& stop)
{
    if (plan.problems.empty())
        try {
            plan.trials = experiments::expand(plan.spec, stop);
            return addSkipped(plan);
        } catch (const UsageError& error) {
            addProblem(plan, error, source);
        }
    try {
        addConflictsOfRefused(plan);
    } catch (const UsageError&) {
        plan.conflicts.clear(); // a value is wrong that is no conflict, and said above
    }
}

} // namespace

bool isKnownModel(const std::string& name)
{
    try {
        config::findModel(name, {});
        return true;
    } catch (const UsageError&) {
        return false;
    }
}

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
        readSpec(*plan, source);
    } catch (const Error& error) { // no TOML, or a model's file that is not there
        addProblem(*plan, error, source);
        return plan;
    }
    addParts(*plan);
    addTrials(*plan, source, stop);
    return plan;
}

} // namespace headroom::ui
