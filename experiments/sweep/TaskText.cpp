// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/TaskText.h"

#include "core/base/Wording.h"
#include "core/config/LossChunks.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/models/RecordingFamily.h"

#include <algorithm>
#include <map>
#include <utility>

namespace headroom::experiments {
namespace {

using config::ModelFamily;

using TaskTrials = std::vector<TaskFacts>;

// What `of` says of every trial; nothing where it says nothing, or not the same of all.
template <typename Of> auto shared(const TaskTrials& trials, const Of& of) -> decltype(of(TaskFacts()))
{
    const auto first = of(trials.front());
    const bool isShared = std::ranges::all_of(trials, [&](const TaskFacts& trial) { return of(trial) == first; });
    return isShared ? first : std::nullopt;
}

std::string dtypeText(const config::Workload& workload)
{
    const std::string dtype = toText(workload.dtype);
    return workload.autocast == "off" ? dtype : dtype + " under " + workload.autocast + " autocast";
}

// "loss cross_entropy", "loss cross_entropy in 4 chunks of up to 128 tokens", "fused loss cross_entropy"; nothing where
// none is computed.
std::optional<std::string> lossText(const config::Workload& workload)
{
    if (workload.step == config::StepKind::Inference)
        return std::nullopt;
    const std::string loss = "loss " + toText(workload.loss);
    const std::int64_t chunks = config::lossChunks(workload);
    if (config::isLossFused(workload))
        return "fused " + loss + (chunks == 1 ? "" : " in " + counted(chunks, "chunk"));
    if (chunks == 1)
        return loss;
    const std::int64_t tokens = workload.shapes.at("sequence_length").integer();
    return loss + " in " + counted(config::piecesOf(tokens, chunks), "chunk") + " of up to "
        + counted((tokens + chunks - 1) / chunks, "token");
}

// "{frames} frames of {height} x {width}": the names between the braces.
std::vector<std::string> namesIn(const std::string& words)
{
    std::vector<std::string> names;
    for (auto open = words.find('{'); open != std::string::npos; open = words.find('{', open + 1))
        names.push_back(words.substr(open + 1, words.find('}', open) - open - 1));
    return names;
}

bool isTrained(const TaskFacts& trial)
{
    return trial.workload->step == config::StepKind::Train;
}

std::vector<const config::TechniqueDescriptor*> taskTechniques()
{
    std::vector<const config::TechniqueDescriptor*> techniques;
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        if (technique.role == config::TechniqueRole::Task)
            techniques.push_back(&technique);
    return techniques;
}

TaskFacts factsOf(const config::Trial& trial)
{
    return taskFacts(trial.configuration.model, trial.configuration.workload,
        [&](const std::string& key) -> const config::TechniqueSetting& {
            return trial.configuration.techniques.at(key);
        });
}

TaskTrials factsOf(const std::vector<const config::Trial*>& trials)
{
    TaskTrials facts;
    for (const config::Trial* trial : trials)
        facts.push_back(factsOf(*trial));
    return facts;
}

/// Collects what a sweep's trials share.
class SharedTask {
public:
    explicit SharedTask(TaskTrials trials)
        : m_trials(std::move(trials))
    {
        for (const TaskFacts& trial : m_trials)
            if (const std::string& model = *trial.model; !m_families.contains(model))
                m_families.emplace(model, config::findModel(model, "model.name").family);
    }

    std::string text()
    {
        using Text = std::optional<std::string>;
        add(shared(m_trials, [](const TaskFacts& c) { return Text(toText(c.workload->step)); }));
        add(shared(m_trials, [](const TaskFacts& c) { return Text(dtypeText(*c.workload)); }));
        addShapes();
        add(shared(m_trials, [&](const TaskFacts& c) { return Text(tokensOf(c)); }));
        add(shared(m_trials, [](const TaskFacts& c) {
            return c.workload->accumulate > 1 ? Text(counted(c.workload->accumulate, "micro-step")) : std::nullopt;
        }));
        add(shared(m_trials, [](const TaskFacts& c) { return lossText(*c.workload); }));
        const auto techniques = taskTechniques();
        for (std::size_t i = 0; i < techniques.size(); ++i)
            addSetting(*techniques[i], i);
        return m_text;
    }

private:
    const ModelFamily& familyOf(const TaskFacts& trial) const { return *m_families.at(*trial.model); }

    std::string tokensOf(const TaskFacts& trial) const
    {
        const std::int64_t tokens = familyOf(trial).tokensPerStep(trial.workload->shapes);
        return grouped(tokens) + (tokens == 1 ? " token" : " tokens");
    }

    // Models of several families have no words in common, but names of fields.
    std::vector<std::string> shapeWords() const
    {
        const TaskFacts& first = m_trials.front();
        const bool isOneFamily =
            std::ranges::all_of(m_families, [&](const auto& entry) { return entry.second == &familyOf(first); });
        if (isOneFamily)
            return familyOf(first).shapeWords;
        std::vector<std::string> words;
        for (const auto& [name, value] : first.workload->shapes)
            words.push_back(inWords(name) + " {" + name + "}");
        return words;
    }

    std::optional<std::string> shape(const std::string& name) const
    {
        return shared(m_trials, [&](const TaskFacts& trial) {
            const auto found = trial.workload->shapes.find(name);
            const bool isThere = found != trial.workload->shapes.end();
            return isThere ? std::optional(config::toLabel(found->second)) : std::nullopt;
        });
    }

    void addShapes()
    {
        for (const std::string& words : shapeWords())
            if (const auto whole = filled(words))
                add(whole);
            else
                addEach(namesIn(words));
    }

    // Nothing where a field differs among the trials.
    std::optional<std::string> filled(std::string words) const
    {
        for (const std::string& name : namesIn(words)) {
            const auto value = shape(name);
            if (!value)
                return std::nullopt;
            words.replace(words.find("{" + name + "}"), name.size() + 2, *value);
        }
        return words;
    }

    void addEach(const std::vector<std::string>& names)
    {
        for (const std::string& name : names)
            if (const auto value = shape(name))
                add(inWords(name) + " " + *value);
    }

    // "trainable lora:32 (alpha 64)". Who trains is told what and how, also where that is the default.
    void addSetting(const config::TechniqueDescriptor& technique, std::size_t index)
    {
        const config::TechniqueSetting& first = *m_trials.front().settings.at(index);
        const bool isShared =
            std::ranges::all_of(m_trials, [&](const TaskFacts& trial) { return *trial.settings.at(index) == first; });
        const bool isWorthSaying = config::isChosen(technique, first) || std::ranges::all_of(m_trials, &isTrained);
        if (isShared && isWorthSaying)
            add(config::settingLabel(technique, first));
    }

    void add(const std::optional<std::string>& part)
    {
        if (part)
            m_text += (m_text.empty() ? "" : ", ") + *part;
    }

    TaskTrials m_trials;
    std::map<std::string, const ModelFamily*> m_families;
    std::string m_text;
};

} // namespace

TaskFacts taskFacts(const std::string& model, const config::Workload& workload, const SettingOf& settingOf)
{
    TaskFacts facts{&model, &workload};
    if (model != config::kRecordingModel) // which techniques that had is not known
        for (const config::TechniqueDescriptor* technique : taskTechniques())
            facts.settings.push_back(&settingOf(technique->key));
    return facts;
}

std::string taskText(const std::vector<const config::Trial*>& trials)
{
    return trials.empty() ? std::string() : SharedTask(factsOf(trials)).text();
}

std::string taskLine(const std::vector<TaskFacts>& trials, const std::optional<ImpliedStep>& implied)
{
    if (trials.empty())
        return {};
    if (std::ranges::all_of(trials, [](const TaskFacts& trial) { return *trial.model == config::kRecordingModel; }))
        return "a run of another program; what it computes is not known";
    const std::string text = SharedTask(trials).text();
    return implied && std::ranges::any_of(trials, isTrained) ? text + " (" + implied->text() + ")" : text;
}

std::string taskLine(const std::vector<const config::Trial*>& trials, const std::optional<ImpliedStep>& implied)
{
    return taskLine(factsOf(trials), implied);
}

std::string taskLine(const std::vector<PlannedTrial>& trials, const std::optional<ImpliedStep>& implied)
{
    TaskTrials facts;
    for (const PlannedTrial& planned : trials)
        facts.push_back(factsOf(planned.trial));
    return taskLine(facts, implied);
}

} // namespace headroom::experiments
