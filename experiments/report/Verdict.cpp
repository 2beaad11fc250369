// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/Verdict.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/Field.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/models/RecordingFamily.h"
#include "experiments/report/GroupSentences.h"

#include <algorithm>
#include <set>

namespace headroom::report {
namespace {

// A setting in several groups, against references of the same name.
struct Effect {
    std::string setting;
    std::string reference;
    config::Provenance provenance = config::Provenance::Measured;
    std::vector<double> savedShares; ///< of the reference's peak
    std::vector<double> speedRatios;
    std::size_t cases = 0;
};

Effect& effectOf(std::vector<Effect>& effects, const ReportTrial& trial, const ReportTrial& reference)
{
    const std::string setting = quotedName(trial);
    const std::string against = quotedName(reference);
    for (Effect& effect : effects)
        if (effect.setting == setting && effect.reference == against && effect.provenance == trial.provenance())
            return effect;
    effects.push_back({setting, against, trial.provenance(), {}, {}, 0});
    return effects.back();
}

void add(std::vector<Effect>& effects, const ReportTrial& trial, const ComparisonGroup& group, const Versus& versus)
{
    if (!versus.savedBytes && !versus.speedRatio)
        return;
    Effect& effect = effectOf(effects, trial, *group.reference);
    ++effect.cases;
    const auto before = peakOf(*group.reference, group.figure);
    if (versus.savedBytes && before && *before > 0)
        effect.savedShares.push_back(double(*versus.savedBytes) / double(*before));
    if (versus.speedRatio)
        effect.speedRatios.push_back(*versus.speedRatio);
}

// "30.0 to 37.0 %"
std::string range(const std::vector<double>& values)
{
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const std::string low = percentText(*least);
    const std::string high = percentText(*most);
    return low == high ? low : low.substr(0, low.size() - 2) + " to " + high;
}

std::vector<double> negated(std::vector<double> values)
{
    for (double& value : values)
        value = -value;
    return values;
}

// Of those that save here and cost there no range says anything.
std::string effectMemoryClause(const Effect& effect)
{
    const auto isSaving = [](double share) { return share >= 0; };
    const auto saving = std::count_if(effect.savedShares.begin(), effect.savedShares.end(), isSaving);
    if (saving == std::ssize(effect.savedShares))
        return "saves " + range(effect.savedShares) + " of the peak memory";
    if (saving == 0)
        return "needs " + range(negated(effect.savedShares)) + " more peak memory";
    return "saves peak memory in " + std::to_string(saving) + " and needs more in "
        + std::to_string(std::ssize(effect.savedShares) - saving);
}

std::string effectSentence(const Effect& effect, const Comparison& comparison)
{
    std::string text =
        effect.setting + " against " + effect.reference + " over " + std::to_string(effect.cases) + " cases: ";
    if (!effect.savedShares.empty())
        text += effectMemoryClause(effect);
    if (!effect.speedRatios.empty())
        text += (effect.savedShares.empty() ? "keeps " : " and keeps ") + range(effect.speedRatios) + " of the speed";
    const bool isMarked = effect.provenance != config::Provenance::Measured && comparison.isMixed();
    return text + (isMarked ? std::string(" (") + config::toText(effect.provenance) + ")." : ".");
}

/// What each setting saves and costs over all groups in which it was compared, measured and predicted ones apart.
/// Nothing where there is one group only.
std::vector<std::string> acrossSentences(const Comparison& comparison)
{
    std::vector<Effect> effects;
    for (const ComparisonGroup& group : comparison.groups())
        if (group.reference != nullptr)
            for (const ReportTrial* trial : group.trials)
                add(effects, *trial, group, comparison.versus(*trial));
    std::vector<std::string> sentences;
    for (const Effect& effect : effects)
        if (effect.cases > 1)
            sentences.push_back(effectSentence(effect, comparison));
    return sentences;
}

std::string listed(const std::set<std::string>& words)
{
    return enumerated({words.begin(), words.end()});
}

template <typename Word> std::set<std::string> wordsOf(const std::vector<ReportTrial>& trials, const Word& word)
{
    std::set<std::string> words;
    for (const ReportTrial& trial : trials)
        words.insert(word(trial));
    return words;
}

bool recordedAlone(const ReportContent& content)
{
    return std::ranges::all_of(content.trials,
        [](const ReportTrial& trial) { return trial.planned.configuration.model == config::kRecordingModel; });
}

std::string comparedSentence(const ReportContent& content)
{
    const auto settings = wordsOf(content.trials, [](const ReportTrial& trial) { return trial.techniques; });
    const auto models = wordsOf(content.trials, [](const ReportTrial& trial) { return trial.model(); });
    const auto steps = wordsOf(content.trials, [](const ReportTrial& trial) {
        const std::string step = trial.result.workloadText("step");
        return (step == "forward_backward" ? "forward and backward" : step) + " in "
            + trial.result.workloadText("dtype");
    });
    const auto devices = wordsOf(content.trials, [](const ReportTrial& trial) { return trial.device(); });
    if (recordedAlone(content)) {
        const bool isRehearsed = content.trials.front().result.provenance() == config::Provenance::Rehearsed;
        return counted(std::ssize(content.trials), isRehearsed ? "rehearsal" : "recording") + " of another program, on "
            + listed(devices) + ".";
    }
    return counted(settings.size(), "setting") + " of memory techniques on " + listed(models) + " (" + listed(steps)
        + "), on " + listed(devices) + ".";
}

std::string outcomeSentence(const ReportContent& content)
{
    std::vector<std::pair<std::int64_t, std::string>> counts;
    for (const Outcome outcome : kOutcomes)
        counts.emplace_back(std::ranges::count_if(content.trials,
                                [&](const ReportTrial& trial) { return trial.result.outcome == outcome; }),
            inWords(toText(outcome)));
    return counted(content.trials.size(), "trial") + ": " + tallied(counts) + ".";
}

std::string provenanceSentence(const ReportContent& content)
{
    const auto countOf = [&](config::Provenance provenance) {
        return std::ranges::count(content.trials, provenance, &ReportTrial::provenance);
    };
    const auto all = std::ssize(content.trials);
    const auto predicted = countOf(config::Provenance::Predicted);
    const auto rehearsed = countOf(config::Provenance::Rehearsed);
    if (predicted + rehearsed == 0)
        return "All figures were measured.";
    const std::string how = "memory by a simulated allocator, speed by a cost model";
    const std::string howRehearsed = "memory by PyTorch's own allocator on a card that is not there, speed by a model";
    if (predicted == all)
        return "All figures are predictions, none was measured: " + how + ".";
    if (rehearsed == all)
        return "All figures are rehearsed, none was measured: " + howRehearsed + ".";
    std::string text;
    if (predicted > 0)
        text = "Figures of " + grouped(predicted) + " of the " + grouped(all) + " trials are predictions (" + how + ")";
    if (rehearsed > 0)
        text += (text.empty() ? "Figures of " : ", those of ") + grouped(rehearsed)
            + (text.empty() ? " of the " + grouped(all) + " trials are rehearsed (" : " are rehearsed (") + howRehearsed
            + ")";
    return text + (predicted + rehearsed == all ? "; none was measured." : "; the others were measured.");
}

// Behind another sentence.
std::string notRunSentence(std::size_t trials)
{
    if (trials == 0)
        return {};
    return " " + counted(std::int64_t(trials), "trial") + " of the sweep " + (trials == 1 ? "has" : "have")
        + " not been run.";
}

std::vector<std::string> stateSentences(const ReportContent& content)
{
    const auto missing = content.notRun();
    const std::string rest = notRunSentence(missing);
    if (content.state == RunState::Interrupted)
        return {"The run was interrupted." + rest};
    if (content.state == RunState::Open && missing > 0)
        return {"The run has not come to its end: it is still going on, or its process was ended from outside." + rest};
    return missing == 0 ? std::vector<std::string>() : std::vector<std::string>{"The run stopped early." + rest};
}

std::string fullName(const ReportTrial& trial, const Comparison& comparison)
{
    const std::string& title = comparison.groupOf(trial).title;
    return quotedName(trial) + (title.empty() ? "" : " (" + title + ")");
}

std::string namesOf(const std::vector<const ReportTrial*>& trials, const Comparison& comparison)
{
    constexpr std::size_t kMost = 4;
    std::set<std::string> names;
    for (const ReportTrial* trial : trials)
        names.insert(fullName(*trial, comparison));
    std::string text;
    std::size_t shown = 0;
    for (const std::string& name : names)
        if (shown++ < kMost)
            text += (text.empty() ? "" : ", ") + name;
    return names.size() > kMost ? text + ", ..." : text;
}

std::vector<std::string> flagSentences(const ReportContent& content, const Comparison& comparison)
{
    std::vector<std::string> sentences;
    for (const char* flag : {"implausible", "not_steady", "pressured", "no_effect"}) {
        std::vector<const ReportTrial*> flagged;
        for (const ReportTrial& trial : content.trials)
            if (trial.hasFlag(flag))
                flagged.push_back(&trial);
        if (!flagged.empty())
            sentences.push_back(counted(flagged.size(), "trial") + " flagged " + inWords(flag) + ": "
                + namesOf(flagged, comparison) + ". " + meaningOf(flag));
    }
    return sentences;
}

// As the summary says it, where budgets were given.
std::vector<std::string> budgetSentences(const ReportContent& content)
{
    std::vector<std::string> sentences;
    const OrderedJson& summary = content.summary;
    const OrderedJson budgets = summary.contains("budgets") ? summary.at("budgets") : OrderedJson(nullptr);
    for (const OrderedJson& budget : budgets) {
        const std::string name = budget.value("name", std::string("?"));
        const std::string result = inWords(budget.value("result", std::string("unknown")));
        sentences.push_back("Budget `" + name + "`: " + result + ".");
    }
    return sentences;
}

std::vector<std::string> endingSentences(const ReportContent& content, const Comparison& comparison)
{
    std::vector<std::string> sentences;
    for (const Outcome outcome : {Outcome::Failed, Outcome::TimedOut}) {
        std::vector<const ReportTrial*> found;
        for (const ReportTrial& trial : content.trials)
            if (trial.result.outcome == outcome)
                found.push_back(&trial);
        if (!found.empty())
            sentences.push_back(counted(found.size(), "trial") + " " + inWords(toText(outcome)) + ": "
                + namesOf(found, comparison) + ".");
    }
    return sentences;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from)
{
    to.insert(to.end(), from.begin(), from.end());
}

} // namespace

std::string meaningOf(const std::string& flag)
{
    if (flag == "implausible")
        return "Such a figure contradicts another one of the sweep: measure again before relying on either.";
    if (flag == "not_steady")
        return "The step time had not settled: read the speed with care.";
    if (flag == "pressured")
        return "Memory was short, or nearly so: speeds near the limit do not compare.";
    if (flag == "no_effect")
        return "Peak, speed and output are those of the trial without it, as far as can be told.";
    return "";
}

Verdict verdictOf(const ReportContent& content, const Comparison& comparison)
{
    Verdict verdict;
    verdict.lead = {comparedSentence(content), outcomeSentence(content), provenanceSentence(content)};
    verdict.across = acrossSentences(comparison);
    for (const ComparisonGroup& group : comparison.groups())
        verdict.groups.push_back({group.title, groupSentences(group, comparison)});
    for (const auto& sentences : {stateSentences(content), budgetSentences(content),
             endingSentences(content, comparison), flagSentences(content, comparison)})
        append(verdict.cautions, sentences);
    if (verdict.cautions.empty())
        verdict.cautions.push_back("No trial is flagged.");
    return verdict;
}

} // namespace headroom::report
