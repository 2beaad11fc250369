// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanSearch.h"

#include "experiments/plan/FitRanking.h"
#include "experiments/plan/PlanChoice.h"
#include "experiments/plan/PlanNeighbours.h"
#include "experiments/plan/PlanSeeds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::experiments {
namespace {

using PlanEnd = PlanFindings::End;

// Spaces of fewer combinations are searched as they are; independent axes of larger ones are settled first.
constexpr std::size_t kSmallSpace = 400;
// Shares of the predictions after which the next stage begins, whatever is still open.
constexpr double kForTheAnswer = 0.75;
constexpr double kForTheLeastMemory = 0.9;
constexpr int kFrontLevels = 5;

/// Whether a search goes on without finding anything better and without deciding much, so that its effort is of more
/// use elsewhere.
class Standstill {
public:
    /// To be asked before each round, with the combinations that are left.
    bool isReachedAt(std::size_t possible)
    {
        constexpr int kRounds = 4;
        constexpr double kHardlyFewer = 0.9;
        if (m_rounds == 0)
            m_possible = possible;
        return m_rounds++ >= kRounds && static_cast<double>(possible) > kHardlyFewer * static_cast<double>(m_possible);
    }

    /// Something better is expected.
    void end() { m_rounds = 0; }

private:
    int m_rounds = 0;
    std::size_t m_possible = 0; ///< when it began
};

/// One search, from the seeds to the front.
class PlanRun {
public:
    PlanRun(const PlanAxes& axes, const PlanSearch::Predict& predict, const PlanSearch::Progress& progress,
        const PlanSearch::TimeUsed& timeUsed, const PlanQuestion& question, std::stop_token stop)
        : m_axes(axes)
        , m_predict(predict)
        , m_progress(progress)
        , m_timeUsed(timeUsed)
        , m_question(question)
        , m_stop(std::move(stop))
        , m_bounds(axes)
        , m_seeds(axes, m_bounds)
    {
        m_fastest.capacityBytes = question.capacityBytes;
    }

    PlanFindings run()
    {
        report();
        predict({m_bounds.indexOf(m_axes.start())});
        if (m_bounds.combinations() > kSmallSpace)
            settleIndependentAxes();
        predictSeeds();
        pursue(m_fastest, kForTheAnswer);
        chooseAnswer();
        improveBySmallSteps();
        if (m_findings.answer) {
            lookForLeastMemory();
            lookForFront();
            pursue(m_fastest, 1.0, true); // what is left goes into the proof
            chooseAnswer();
        }
        return finished();
    }

private:
    // Settings that are neither faster nor smaller than another one in one place are never either.
    void settleIndependentAxes()
    {
        for (std::size_t axis = 0; axis < m_axes.axes.size(); ++axis)
            if (m_axes.axes[axis].isIndependent && m_axes.axes[axis].settings.size() > 1)
                settle(axis, m_seeds.base());
    }

    void settle(std::size_t axis, const PlanPoint& base)
    {
        std::vector<std::size_t> indices;
        for (std::size_t setting = 0; setting < m_axes.axes[axis].settings.size(); ++setting) {
            PlanPoint point = base;
            point[axis] = setting;
            indices.push_back(m_bounds.indexOf(point));
        }
        predict(indices);
        const auto isReplaced = [&](std::size_t index) {
            return std::ranges::any_of(indices, [&](std::size_t other) { return replaces(other, index); });
        };
        for (std::size_t setting = 0; setting < indices.size(); ++setting)
            if (isReplaced(indices[setting]))
                m_bounds.dismiss(axis, setting);
        if (isReplaced(indices[base[axis]]))
            m_seeds.settle(axis, fastestOf(indices));
    }

    // Its place among them.
    std::size_t fastestOf(const std::vector<std::size_t>& indices) const
    {
        const auto seconds = [&](std::size_t index) {
            const auto known = m_bounds.known().find(index);
            return known == m_bounds.known().end() ? std::numeric_limits<double>::infinity() : known->second.seconds;
        };
        return static_cast<std::size_t>(std::ranges::min_element(indices, {}, seconds) - indices.begin());
    }

    // Of settings that are alike the simpler one stays, then the one of the trial, then the first.
    bool replaces(std::size_t one, std::size_t other) const
    {
        const auto figures = m_bounds.known().find(one);
        const auto replaced = m_bounds.known().find(other);
        if (one == other || figures == m_bounds.known().end() || replaced == m_bounds.known().end())
            return false;
        const PlanFigures& a = figures->second;
        const PlanFigures& b = replaced->second;
        const auto place = [&](std::size_t index) {
            return std::pair(m_axes.simplicityOf(m_bounds.pointOf(index)), index);
        };
        const bool isAsGood = a.seconds <= b.seconds * (1 + kSameSpeed) && a.bytes <= b.bytes + b.bytes / 200;
        const bool isAlike =
            isAsGood && b.seconds <= a.seconds * (1 + kSameSpeed) && b.bytes <= a.bytes + a.bytes / 200;
        return isAlike ? place(one) < place(other) : isAsGood;
    }

    void predictSeeds()
    {
        predict(m_seeds.ends());
        predict({m_bounds.indexOf(m_seeds.base())});
        const std::vector<std::size_t> singles = m_seeds.singles();
        for (std::size_t i = 0; i < singles.size() && mayGoOn(kForTheAnswer); i += PlanSearch::kBatch)
            predict({singles.begin() + static_cast<std::ptrdiff_t>(i),
                singles.begin() + static_cast<std::ptrdiff_t>(std::min(i + PlanSearch::kBatch, singles.size()))});
    }

    // Until nothing better is possible, or so much of the predictions is used.
    void pursue(PlanGoal& goal, double share, bool untilDecided = false)
    {
        for (const auto& [index, figures] : m_bounds.known())
            goal.offer(figures);
        Standstill standstill;
        while (mayGoOn(share)) {
            const std::vector<std::size_t> possible = possibleFor(goal);
            if (possible.empty() || (!untilDecided && standstill.isReachedAt(possible.size())))
                return;
            if (!m_estimate)
                m_estimate.emplace(m_axes, m_bounds, m_seeds.base());
            m_estimate->learn();
            PlanChoice choice(m_axes, m_bounds, goal, possible);
            predict(choice.take(PlanSearch::kBatch, *m_estimate));
            if (choice.isPromising())
                standstill.end();
            for (const auto& [index, figures] : m_bounds.known())
                goal.offer(figures);
        }
    }

    // An answer that one of its own neighbours beats is none, however late it is.
    bool mayImprove() const
    {
        constexpr double kPatience = 4;
        return !m_stop.stop_requested() && m_predictions < m_question.mostPredictions
            && (!m_timeUsed || m_timeUsed() < kPatience);
    }

    // What a person would ask about next: none of it may turn out to be faster than the answer.
    void improveBySmallSteps()
    {
        constexpr int kMostSteps = 6;
        constexpr std::size_t kNeighbours = 12;
        for (int step = 0; step < kMostSteps && m_findings.answer && mayImprove(); ++step) {
            const PlanPoint before = *m_findings.answer;
            std::vector<std::size_t> neighbours;
            for (const PlanPoint& point : neighboursOf(m_axes, m_findings, kNeighbours))
                if (m_fastest.isPossible(m_bounds, m_bounds.indexOf(point)))
                    neighbours.push_back(m_bounds.indexOf(point));
            predict(neighbours);
            chooseAnswer();
            if (*m_findings.answer == before)
                return;
        }
    }

    std::vector<std::size_t> possibleFor(const PlanGoal& goal) const
    {
        std::vector<std::size_t> possible;
        for (std::size_t index = 0; index < m_bounds.size(); ++index)
            if (m_bounds.isOpen(index) && goal.isPossible(m_bounds, index))
                possible.push_back(index);
        return possible;
    }

    void lookForLeastMemory()
    {
        PlanGoal goal;
        goal.least = PlanGoal::Least::Memory;
        goal.capacityBytes = m_question.capacityBytes;
        goal.mostSeconds = figuresOf(*m_findings.answer).seconds * (1 + m_question.maxSlowdown);
        pursue(goal, kForTheLeastMemory);
        m_findings.leastMemory = bestWithin(goal);
    }

    // The fastest for some sizes between the smallest known and the answer's.
    void lookForFront()
    {
        const auto smallest = static_cast<double>(leastKnownBytes());
        const auto largest = static_cast<double>(figuresOf(*m_findings.answer).bytes);
        for (int level = 1; level <= kFrontLevels; ++level) {
            PlanGoal goal;
            goal.capacityBytes = static_cast<Bytes>(
                smallest * std::pow(largest / smallest, static_cast<double>(kFrontLevels - level) / kFrontLevels));
            pursue(goal, kForTheLeastMemory + (1 - kForTheLeastMemory) * 0.8 * level / kFrontLevels);
        }
    }

    Bytes leastKnownBytes() const
    {
        Bytes least = m_question.capacityBytes;
        for (const auto& [index, figures] : m_bounds.known())
            least = std::min(least, figures.bytes);
        return std::max<Bytes>(least, 1);
    }

    void chooseAnswer()
    {
        PlanGoal goal;
        goal.capacityBytes = m_question.capacityBytes;
        m_findings.answer = bestWithin(goal);
    }

    // Of those that are as good as the best, the simplest; then the better one.
    std::optional<PlanPoint> bestWithin(const PlanGoal& asked) const
    {
        PlanGoal goal = asked;
        for (const auto& [index, figures] : m_bounds.known())
            goal.offer(figures);
        if (!goal.best())
            return std::nullopt;
        const double tolerated = goal.valueOf(*goal.best()) * (1 + kSameSpeed);
        std::optional<std::size_t> chosen;
        const auto order = [&](std::size_t index) {
            const PlanFigures& figures = m_bounds.known().at(index);
            return std::tuple(m_axes.simplicityOf(m_bounds.pointOf(index)), goal.valueOf(figures), figures.bytes);
        };
        for (const auto& [index, figures] : m_bounds.known())
            if (goal.allows(figures) && goal.valueOf(figures) <= tolerated
                && (!chosen || order(index) < order(*chosen)))
                chosen = index;
        return m_bounds.pointOf(*chosen);
    }

    const PlanFigures& figuresOf(const PlanPoint& point) const { return m_bounds.known().at(m_bounds.indexOf(point)); }

    // Time ends a search that has no answer yet, or hardly begun, only when it has taken several times as much: on a
    // busy machine, too, a good answer is worth more than a punctual end.
    bool mayGoOn(double share) const
    {
        constexpr double kPatienceWithoutAnswer = 4;
        constexpr double kPatienceWithFew = 3;
        constexpr std::size_t kFew = 45; // finds answers that are hardly bettered: PlanEffortTest
        const double predicted = static_cast<double>(m_predictions) / static_cast<double>(m_question.mostPredictions);
        const double allowed = !m_fastest.best() ? kPatienceWithoutAnswer
            : m_predictions < kFew               ? std::max(share, kPatienceWithFew * kForTheAnswer)
                                                 : share;
        return !m_stop.stop_requested() && predicted < share && (!m_timeUsed || m_timeUsed() < allowed);
    }

    void predict(const std::vector<std::size_t>& indices)
    {
        std::vector<std::size_t> asked;
        for (const std::size_t index : indices)
            if (m_bounds.isOpen(index) && std::ranges::find(asked, index) == asked.end())
                asked.push_back(index);
        if (asked.empty() || m_stop.stop_requested())
            return;
        std::vector<PlanPoint> points;
        for (const std::size_t index : asked)
            points.push_back(m_bounds.pointOf(index));
        const std::vector<std::optional<PlanFigures>> found = m_predict(points);
        if (m_stop.stop_requested())
            return; // what was interrupted says nothing
        for (std::size_t i = 0; i < asked.size(); ++i) {
            if (found[i]) {
                m_bounds.add(asked[i], *found[i]);
                m_fastest.offer(*found[i]);
            } else
                m_bounds.exclude(asked[i]);
        }
        m_predictions += asked.size();
        report();
    }

    void report()
    {
        if (!m_progress)
            return;
        for (const auto& [index, figures] : m_bounds.known())
            m_fastest.offer(figures);
        const std::vector<std::size_t> possible = possibleFor(m_fastest);
        PlanProgress progress{
            m_predictions, m_bounds.combinations() - possible.size(), m_bounds.combinations(), m_fastest.best()};
        if (progress.best)
            progress.provenGap = gap(progress.best->seconds, possible);
        m_progress(progress);
    }

    PlanFindings finished()
    {
        for (const auto& [index, figures] : m_bounds.known())
            m_fastest.offer(figures);
        const std::vector<std::size_t> possible = possibleFor(m_fastest);
        m_findings.end = possible.empty() ? PlanEnd::Exhausted : PlanEnd::OutOfEffort;
        if (m_stop.stop_requested())
            m_findings.end = PlanEnd::Cancelled;
        m_findings.combinations = m_bounds.combinations();
        m_findings.considered = m_bounds.combinations() - possible.size();
        m_findings.predictions = m_predictions;
        m_findings.memoryDisorder = m_bounds.memoryDisorder();
        m_findings.timeDisorder = m_bounds.timeDisorder();
        if (m_findings.answer)
            m_findings.provenGap = gap(figuresOf(*m_findings.answer).seconds, possible);
        addKnown();
        return std::move(m_findings);
    }

    // By how much the fastest of those that are possible can be faster than `seconds`.
    double gap(double seconds, const std::vector<std::size_t>& possible) const
    {
        double least = m_fastest.best()->seconds;
        for (const std::size_t index : possible)
            least = std::min(least, m_bounds.leastSeconds(index));
        return std::max(0.0, (seconds - least * (1 - m_bounds.timeDisorder())) / seconds);
    }

    void addKnown()
    {
        for (const auto& [index, figures] : m_bounds.known()) {
            m_findings.predicted[m_bounds.pointOf(index)] = figures;
            if (!m_findings.smallest || figures.bytes < m_findings.predicted.at(*m_findings.smallest).bytes)
                m_findings.smallest = m_bounds.pointOf(index);
        }
        m_findings.front = frontOf(m_findings.predicted, m_axes, m_question.capacityBytes);
    }

    const PlanAxes& m_axes;
    const PlanSearch::Predict& m_predict;
    const PlanSearch::Progress& m_progress;
    const PlanSearch::TimeUsed& m_timeUsed;
    const PlanQuestion& m_question;
    std::stop_token m_stop;
    PlanBounds m_bounds;
    PlanSeeds m_seeds;
    std::optional<PlanEstimate> m_estimate; ///< from the first pursuit on
    PlanGoal m_fastest;
    PlanFindings m_findings;
    std::size_t m_predictions = 0;
};

} // namespace

PlanSearch::PlanSearch(const PlanAxes& axes, Predict predict)
    : m_axes(axes)
    , m_predict(std::move(predict))
{
}

PlanFindings PlanSearch::run(const PlanQuestion& question, std::stop_token stop)
{
    return PlanRun(m_axes, m_predict, m_progress, m_timeUsed, question, std::move(stop)).run();
}

} // namespace headroom::experiments
