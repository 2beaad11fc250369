// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/Planner.h"

#include "core/base/Statistics.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "core/config/techniques/CheckpointNotation.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/plan/BudgetRefinement.h"
#include "experiments/plan/PlanNeighbours.h"
#include "experiments/plan/PlanSentences.h"
#include "experiments/plan/PredictionPool.h"
#include "experiments/plan/TracedPredictions.h"
#include "experiments/verdict/DeviceFit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace headroom::experiments {
namespace {

using Clock = std::chrono::steady_clock;

// Shares of the effort: the search ends where budgets for blocks follow it, and the last of them begin.
constexpr double kShareBeforeBudgets = 0.3;
constexpr double kLastBudgetsBegin = 0.7;
constexpr std::size_t kBudgetsTogether = 2;
constexpr double kEffortOfABudget = 12; ///< in predictions
constexpr std::size_t kLeastForBudgets = 64; ///< predictions of a plan; with fewer there is no room for any
constexpr std::size_t kMostReasons = 7;
constexpr std::size_t kMostOfFront = 12;
constexpr double kHardlyLess = 0.98; ///< of the memory of the next faster one: not worth a place of its own

/// One plan, from the space to the reasons.
class PlanMaking {
public:
    PlanMaking(const config::Trial& trial, const PlanRules& rules, const PlanOptions& options,
        const PlanWatcher& watcher, const std::stop_token& stop)
        : m_space(trial, rules)
        , m_options(options)
        , m_watcher(watcher)
        , m_stop(stop)
        , m_profiles(config::resourceDirectory())
        , m_card(*m_profiles.parseSimulatedDevice(trial.device.notation(), "device.name").device.memory)
        , m_pool(options.workers > 0 ? options.workers : coresOfThisProcess(), options.patience)
    {
        const FitVerdict verdict = judgeFit(trial, m_card, {});
        m_result.usableBytes = verdict.usableBytes;
        m_result.contextBytes = verdict.contextBytes;
        m_marginBytes = verdict.marginBytes;
    }

    PlanResult make()
    {
        search();
        predictAsked();
        const PlanFindings& found = m_result.findings;
        const auto choiceOf = [&](const std::optional<PlanPoint>& point) {
            return point ? std::optional(choice(*point)) : std::nullopt;
        };
        m_result.asked = choice(m_space.axes().start());
        m_result.notOffered = m_space.notOffered();
        m_result.answer = choiceOf(found.answer);
        if (found.answer && m_planned.contains(*found.answer))
            m_result.withoutBudget = choiceOf(fastestWithoutBudget());
        m_result.leastMemory = choiceOf(found.leastMemory);
        m_result.smallest = choiceOf(found.smallest);
        for (const PlanPoint& point : thinnedFront())
            m_result.front.push_back(choice(point));
        for (const auto& [point, figures] : m_known)
            m_result.predicted.push_back(choice(point));
        std::ranges::stable_sort(m_result.predicted, {}, [](const PlannedChoice& one) { return one.figures.seconds; });
        if (m_result.answer && !m_stop.stop_requested()) {
            if (m_watcher)
                tell(m_progress, true);
            explain();
        }
        return std::move(m_result);
    }

private:
    // A search may have cut it off, and what was asked about is compared with the answer all the same.
    void predictAsked()
    {
        const PlanPoint asked = m_space.axes().start();
        if (!m_known.contains(asked) && !m_stop.stop_requested())
            predicted({asked});
    }

    void search()
    {
        const PlanSearch::Predict predict = [&](const std::vector<PlanPoint>& points) { return predicted(points); };
        const PlanQuestion question{capacity(), m_options.maxSlowdown, m_options.mostPredictions};
        const auto used = [&, latest = Clock::now() + m_options.searchTime] {
            return Clock::now() < latest ? m_effort / static_cast<double>(m_options.mostPredictions)
                                         : std::numeric_limits<double>::infinity();
        };
        PlanSearch search(m_space.axes(), predict);
        if (m_watcher)
            search.setProgress([this](const PlanProgress& progress) { tell(progress, false); });
        search.setTimeUsed([&] { return used() / (willRefine() ? kShareBeforeBudgets : 1); });
        m_result.findings = search.run(question, m_stop);
        if (budgetAxis())
            refine(predict, question, [&, most = std::max(kLastBudgetsBegin, used() + kLastBudgetsBegin / 4)] {
                return !m_stop.stop_requested() && used() < most;
            });
    }

    void refine(const PlanSearch::Predict& predict, const PlanQuestion& question, const std::function<bool()>& mayGoOn)
    {
        BudgetRefinement refinement(m_space.axes(),
            {*m_space.budgetAxis(), [&](const PlanPoint& point, Bytes size) { return m_space.withBudget(point, size); },
                [&](const PlanPoint& point) { return config::problemsOf(m_space.trialOf(point)).empty(); }},
            [&](const std::vector<PlanPoint>& points) {
                const auto figures = predict(points);
                if (m_watcher)
                    tell(withBudgets(figures), false);
                return figures;
            });
        m_isRefining = true;
        refinement.run(m_result.findings, question, kBudgetsTogether, mayGoOn);
        m_isRefining = false;
    }

    // How far the search had come, with what was predicted since.
    PlanProgress withBudgets(const std::vector<std::optional<PlanFigures>>& predicted) const
    {
        PlanProgress progress = m_progress;
        progress.predictions += predicted.size();
        for (const auto& figures : predicted)
            if (figures && figures->bytes <= capacity() && progress.best && figures->seconds < progress.best->seconds)
                progress.best = figures;
        return progress;
    }

    // None where the effort leaves no room for budgets, too.
    std::optional<std::size_t> budgetAxis() const
    {
        return m_options.mostPredictions >= kLeastForBudgets ? m_space.budgetAxis() : std::nullopt;
    }

    std::optional<PlanPoint> fastestWithoutBudget() const
    {
        std::optional<PlanPoint> best;
        for (const auto& [point, figures] : m_known)
            if (figures.bytes <= capacity() && !m_planned.contains(point)
                && (!best || figures.seconds < m_known.at(*best).seconds))
                best = point;
        return best;
    }

    // Whether the fastest that fits so far checkpoints blocks.
    bool willRefine() const
    {
        const auto best = fastestWithoutBudget();
        const auto axis = budgetAxis();
        return axis && best && m_space.axes().axes[*axis].settings[(*best)[*axis]].effort > 0;
    }

    void tell(const PlanProgress& progress, bool isExplaining)
    {
        m_progress = progress;
        m_watcher({progress, frontSoFar(), isExplaining});
    }

    static bool isBudgeted(const config::Trial& trial)
    {
        return config::budgetOf(trial.configuration.techniques.at("checkpointing").notation).has_value();
    }

    std::vector<std::optional<PlanFigures>> predicted(const std::vector<PlanPoint>& points)
    {
        std::vector<config::Trial> trials;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < points.size(); ++i)
            if (config::Trial trial = m_space.trialOf(points[i]); config::problemsOf(trial).empty()) {
                m_effort += isBudgeted(trial) ? kEffortOfABudget : 1;
                trials.push_back(std::move(trial));
                places.push_back(i);
            }
        std::vector<std::optional<PlanFigures>> figures(points.size());
        const auto predictions = m_pool.predictAll(trials, PredictionDepth::Unlimited, m_stop);
        for (std::size_t i = 0; i < predictions.size(); ++i)
            figures[places[i]] = taken(points[places[i]], predictions[i]);
        return figures;
    }

    std::optional<PlanFigures> taken(const PlanPoint& point, const TrialPrediction& prediction)
    {
        const protocol::RepeatResult& result = prediction.result;
        const auto seconds = median(result.stepSeconds);
        const FitVerdict verdict = judgeFit(prediction.trial, m_card, result);
        if (result.outcome != Outcome::Completed || !seconds || !verdict.reservedBytes) {
            if (result.outcome != Outcome::Cancelled && !m_stop.stop_requested() && !m_isRefining)
                addFailure(result);
            return std::nullopt;
        }
        m_verdicts[point] = verdict;
        if (const auto planned = result.resolved.find("checkpointing"); planned != result.resolved.end())
            m_planned[point] = planned->second;
        return m_known[point] = PlanFigures{demandOf(verdict), allocatedOf(result.memory), *seconds};
    }

    void addFailure(const protocol::RepeatResult& result)
    {
        const std::string reason = result.reason.empty() ? inWords(toText(result.outcome)) : result.reason;
        if (std::ranges::find(m_result.failures, reason) == m_result.failures.end())
            m_result.failures.push_back(reason);
    }

    // Beside the margin, it has to fit without one where segments lie in the other order (FitVerdict::Kind::Fits).
    Bytes demandOf(const FitVerdict& verdict) const
    {
        return std::max(*verdict.reservedBytes, verdict.reservedOtherBytes.value_or(0) - m_marginBytes);
    }

    static Bytes allocatedOf(const protocol::RepeatMemory& memory)
    {
        return std::max({memory.afterLoad.allocated, memory.firstStepPeak.allocated, memory.peak.allocated})
            .value_or(0);
    }

    // Every progress of a search comes with it, so it is made of little.
    std::vector<PlannedChoice> frontSoFar()
    {
        std::vector<PlanPoint> byTime;
        for (const auto& [point, figures] : m_known)
            if (figures.bytes <= capacity())
                byTime.push_back(point);
        std::ranges::stable_sort(byTime, {}, [&](const PlanPoint& point) {
            return std::tuple(m_known.at(point).seconds, m_known.at(point).bytes, m_space.axes().simplicityOf(point));
        });
        std::vector<PlannedChoice> front;
        double least = std::numeric_limits<double>::infinity();
        for (const PlanPoint& point : byTime)
            if (const auto bytes = static_cast<double>(m_known.at(point).bytes); bytes < kHardlyLess * least) {
                least = bytes;
                front.push_back(
                    {m_space.trialOf(point), m_space.axes().changesOf(point), m_known.at(point), m_verdicts.at(point)});
            }
        return front;
    }

    Bytes capacity() const { return m_result.usableBytes - m_result.contextBytes - m_marginBytes; }

    PlannedChoice choice(const PlanPoint& point)
    {
        PlannedChoice choice{m_space.trialOf(point), m_space.axes().changesOf(point), {}, {}};
        if (const auto known = m_known.find(point); known != m_known.end()) {
            choice.figures = known->second;
            choice.verdict = m_verdicts.at(point);
        }
        return choice;
    }

    // A point that is hardly faster than the next one, or needs hardly more, is left out; ends stay.
    std::vector<PlanPoint> thinnedFront() const
    {
        std::vector<PlanPoint> kept;
        const auto figures = [&](const PlanPoint& point) { return m_result.findings.predicted.at(point); };
        for (const PlanPoint& point : m_result.findings.front) {
            const bool isAlike = !kept.empty()
                && static_cast<double>(figures(point).bytes)
                    > kHardlyLess * static_cast<double>(figures(kept.back()).bytes);
            if (!isAlike)
                kept.push_back(point);
        }
        if (m_result.findings.answer && !kept.empty()) { // what ties with the fastest
            kept.front() = *m_result.findings.answer;
            kept.erase(std::remove(kept.begin() + 1, kept.end(), kept.front()), kept.end());
        }
        while (kept.size() > kMostOfFront)
            kept.erase(narrowest(kept));
        return kept;
    }

    // The point between whose neighbours there is least room.
    std::vector<PlanPoint>::iterator narrowest(std::vector<PlanPoint>& points) const
    {
        const auto bytes = [&](const PlanPoint& point) {
            return std::log(static_cast<double>(m_result.findings.predicted.at(point).bytes) + 1);
        };
        auto least = points.begin() + 1;
        for (auto point = points.begin() + 1; point + 1 != points.end(); ++point)
            if (bytes(*(point - 1)) - bytes(*(point + 1)) < bytes(*(least - 1)) - bytes(*(least + 1)))
                least = point;
        return least;
    }

    void explain()
    {
        std::vector<PlanPoint> points{*m_result.findings.answer};
        for (PlanPoint& point : neighboursOf(m_space.axes(), m_result.findings, kMostReasons))
            if (!m_planned.contains(point) && config::problemsOf(m_space.trialOf(point)).empty())
                points.push_back(std::move(point));
        std::vector<config::Trial> trials;
        for (const PlanPoint& point : points)
            trials.push_back(explained(point));
        const std::vector<protocol::RepeatResult> results =
            tracedPredictions(trials, m_pool.workers(), m_options.patience, m_stop);
        for (std::size_t i = 1; i < points.size(); ++i)
            addReason(points[i], results[i], results.front());
        if (results.front().outcome == Outcome::Completed)
            m_result.answerInDetail = results.front();
    }

    // Others are compared with the policies that the answer's budget became.
    config::Trial explained(const PlanPoint& point) const
    {
        const PlanPoint& answer = *m_result.findings.answer;
        config::Trial trial = m_space.trialOf(point);
        const auto planned = m_planned.find(answer);
        const auto& axis = m_space.budgetAxis();
        if (axis && planned != m_planned.end() && point[*axis] == answer[*axis])
            trial.configuration.techniques.at(m_space.axes().axes[*axis].key).notation = planned->second;
        return trial;
    }

    void addReason(
        const PlanPoint& point, const protocol::RepeatResult& result, const protocol::RepeatResult& answerResult)
    {
        const auto seconds = median(result.stepSeconds);
        const FitVerdict verdict = judgeFit(m_space.trialOf(point), m_card, result);
        if (result.outcome != Outcome::Completed || !seconds || !verdict.reservedBytes)
            return;
        PlannedChoice neighbour{m_space.trialOf(point), m_space.axes().changesOf(point),
            {demandOf(verdict), allocatedOf(result.memory), *seconds}, verdict};
        m_result.reasons.push_back(
            {neighbour, whyNot(neighbour, result, *m_result.answer, answerResult, differencesFrom(point))});
    }

    // The neighbour's settings where they are not the answer's.
    std::vector<SettingChange> differencesFrom(const PlanPoint& point) const
    {
        std::vector<SettingChange> differences;
        const PlanPoint& answer = *m_result.findings.answer;
        for (std::size_t axis = 0; axis < point.size(); ++axis)
            if (point[axis] != answer[axis])
                for (const SettingChange& change : m_space.differences(axis, answer[axis], point[axis]))
                    differences.push_back(change);
        return differences;
    }

    PlanSpace m_space;
    const PlanOptions& m_options;
    const PlanWatcher& m_watcher;
    std::stop_token m_stop;
    simulator::ProfileCatalogue m_profiles;
    simulator::MemoryProfile m_card;
    PredictionPool m_pool;
    Bytes m_marginBytes = 0;
    PlanProgress m_progress; ///< as it was told last
    double m_effort = 0; ///< so far, in predictions
    bool m_isRefining = false; ///< budgets may be too small, which is no failure
    std::map<PlanPoint, std::string> m_planned; ///< what budgets became
    std::map<PlanPoint, FitVerdict> m_verdicts;
    std::map<PlanPoint, PlanFigures> m_known;
    PlanResult m_result;
};

} // namespace

PlanResult planFor(const config::Trial& trial, const PlanRules& rules, const PlanOptions& options,
    const PlanWatcher& watcher, const std::stop_token& stop)
{
    return PlanMaking(trial, rules, options, watcher, stop).make();
}

} // namespace headroom::experiments
