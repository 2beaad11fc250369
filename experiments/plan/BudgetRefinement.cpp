// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/BudgetRefinement.h"

#include "experiments/plan/FitRanking.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace headroom::experiments {
namespace {

constexpr int kMostRounds = 3;
constexpr int kMostClimbs = 2;

constexpr std::size_t kCompared = 6; // combinations of other settings
constexpr double kNearlyAsFast = 0.05;

PlanPoint withSetting(PlanPoint point, std::size_t axis, std::size_t setting)
{
    point[axis] = setting;
    return point;
}

Bytes sizeStepsWithin(Bytes bytes)
{
    return bytes - bytes % BudgetRefinement::kSizeStep;
}

} // namespace

BudgetRefinement::BudgetRefinement(const PlanAxes& axes, Space space, PlanSearch::Predict predict)
    : m_axes(axes)
    , m_space(std::move(space))
    , m_predict(std::move(predict))
{
    const std::vector<PlanSetting>& settings = axes.axes[m_space.axis].settings;
    for (std::size_t i = 1; i < settings.size(); ++i) {
        if (settings[i].effort < settings[m_plainest].effort)
            m_plainest = i;
        const bool hasSimplest = settings[m_simplest].effort > 0;
        if (settings[i].effort > 0 && (!hasSimplest || settings[i].effort < settings[m_simplest].effort))
            m_simplest = i;
    }
}

void BudgetRefinement::run(
    PlanFindings& findings, const PlanQuestion& question, std::size_t most, const std::function<bool()>& hasTime)
{
    const auto mayGoOn = [&] { return findings.predictions < question.mostPredictions && hasTime(); };
    if (!findings.answer || (*findings.answer)[m_space.axis] == m_plainest
        || findings.predictions >= question.mostPredictions)
        return;
    std::vector<Attempt> open = attempts(findings, question, most, mayGoOn);
    predictPolicies(open, findings, question.capacityBytes);
    for (int round = 0; round < kMostRounds && !open.empty() && (round == 0 || mayGoOn()); ++round) {
        predictRound(open, findings, question);
        std::erase_if(open, &Attempt::isDone);
    }
    conclude(findings, question);
}

// Of combinations that differ in the policy alone the fastest that fits, the fastest first.
std::vector<PlanPoint> BudgetRefinement::fastestByOtherSettings(const PlanFindings& findings, Bytes capacityBytes) const
{
    std::vector<std::pair<double, PlanPoint>> bySeconds;
    for (const auto& [point, figures] : findings.predicted)
        if (figures.bytes <= capacityBytes && point[m_space.axis] != m_plainest)
            bySeconds.emplace_back(figures.seconds, point);
    std::ranges::sort(bySeconds);
    std::vector<PlanPoint> found;
    for (const auto& [seconds, point] : bySeconds)
        if (std::ranges::none_of(found, [&](const PlanPoint& other) {
                return withSetting(other, m_space.axis, 0) == withSetting(point, m_space.axis, 0);
            }))
            found.push_back(point);
    return found;
}

// Those that were predicted so far are the best with policies; with budgets some of their neighbours may be better.
std::vector<BudgetRefinement::Attempt> BudgetRefinement::attempts(
    PlanFindings& findings, const PlanQuestion& question, std::size_t most, const std::function<bool()>& mayGoOn)
{
    std::vector<PlanPoint> compared = fastestByOtherSettings(findings, question.capacityBytes);
    compared.resize(std::min(compared.size(), kCompared));
    predictWith(m_plainest, compared, findings);
    predictWith(m_simplest, compared, findings);
    std::vector<Attempt> found = ranked(findings, question.capacityBytes);
    for (int step = 0; step < kMostClimbs && mayGoOn(); ++step) {
        const Attempt best = found.front();
        compared = neighbours(found);
        predictWith(m_plainest, compared, findings);
        std::erase_if(compared, [&](const PlanPoint& point) { // with all kept, and whatever is recomputed beside it
            const auto known = findings.predicted.find(withSetting(point, m_space.axis, m_plainest));
            return known == findings.predicted.end() || known->second.seconds >= best.expectedSeconds;
        });
        predictWith(m_simplest, compared, findings);
        found = ranked(findings, question.capacityBytes);
        if (found.front().expectedSeconds >= best.expectedSeconds * (1 - kSameSpeed))
            break;
    }
    found.resize(std::min(found.size(), most));
    return found;
}

void BudgetRefinement::predictWith(std::size_t policy, const std::vector<PlanPoint>& points, PlanFindings& findings)
{
    std::vector<PlanPoint> asked;
    for (const PlanPoint& point : points)
        if (PlanPoint one = withSetting(point, m_space.axis, policy); !findings.predicted.contains(one))
            asked.push_back(std::move(one));
    predict(asked, findings);
}

// One setting of every kind of every other axis, but for those that were settled by themselves, each with the first of
// those that are expected to be nearly as fast as the best that it works with.
std::vector<PlanPoint> BudgetRefinement::neighbours(const std::vector<Attempt>& ranked) const
{
    const double slowest = ranked.front().expectedSeconds * (1 + kNearlyAsFast);
    std::vector<PlanPoint> found;
    for (std::size_t axis = 0; axis < m_axes.axes.size(); ++axis) {
        if (axis == m_space.axis || m_axes.axes[axis].isIndependent)
            continue;
        for (const std::vector<std::size_t>& kind : m_axes.axes[axis].kinds())
            for (const Attempt& attempt : ranked) {
                const PlanPoint point =
                    withSetting(withSetting(attempt.base, m_space.axis, m_plainest), axis, kind.front());
                const bool isOfKind = std::ranges::find(kind, attempt.base[axis]) != kind.end();
                if (attempt.expectedSeconds > slowest || isOfKind || isAmong(ranked, point))
                    break;
                if (!m_space.canWork(point))
                    continue;
                found.push_back(point);
                break;
            }
    }
    return found;
}

// Whether another policy of it is.
bool BudgetRefinement::isAmong(const std::vector<Attempt>& ranked, const PlanPoint& point) const
{
    return std::ranges::any_of(ranked, [&](const Attempt& attempt) {
        return withSetting(attempt.base, m_space.axis, m_plainest) == withSetting(point, m_space.axis, m_plainest);
    });
}

std::vector<BudgetRefinement::Attempt> BudgetRefinement::ranked(const PlanFindings& findings, Bytes capacityBytes) const
{
    std::vector<Attempt> found;
    for (const PlanPoint& base : fastestByOtherSettings(findings, capacityBytes)) {
        const PlanFigures& figures = findings.predicted.at(base);
        found.push_back({base, expectedSeconds(findings, base, capacityBytes),
            sizeStepsWithin(capacityBytes - capacityBytes / 100 - (figures.bytes - figures.allocatedBytes))});
    }
    std::ranges::stable_sort(found, {}, &Attempt::expectedSeconds);
    return found;
}

// Beside a budget one asks for the best policy that a trainer can be told: of those that come in steps the ones that
// are expected to need just less than there is, and the next ones.
void BudgetRefinement::predictPolicies(
    const std::vector<Attempt>& attempts, PlanFindings& findings, Bytes capacityBytes)
{
    std::vector<PlanPoint> points;
    for (const Attempt& attempt : attempts) {
        const double share = shareOfKept(findings, attempt.base, capacityBytes).value_or(0);
        for (const std::vector<std::size_t>& kind : m_axes.axes[m_space.axis].kinds())
            for (const std::size_t setting : lastBelow(kind, share))
                if (PlanPoint point = withSetting(attempt.base, m_space.axis, setting);
                    !findings.predicted.contains(point))
                    points.push_back(std::move(point));
    }
    predict(points, findings);
}

// Two settings of a kind that has many, by their extent.
std::vector<std::size_t> BudgetRefinement::lastBelow(const std::vector<std::size_t>& kind, double share) const
{
    constexpr std::size_t kManySteps = 8;
    std::vector<std::size_t> found;
    if (kind.size() < kManySteps)
        return found;
    for (const std::size_t setting : kind | std::views::reverse) // kinds are sorted by extent
        if (m_axes.axes[m_space.axis].settings[setting].extent <= share && found.size() < 2)
            found.push_back(setting);
    return found;
}

// How much of what blocks save may be kept: nothing if it is not known.
std::optional<double> BudgetRefinement::shareOfKept(
    const PlanFindings& findings, const PlanPoint& base, Bytes capacityBytes) const
{
    const auto most = findings.predicted.find(withSetting(base, m_space.axis, m_plainest));
    const auto least = findings.predicted.find(withSetting(base, m_space.axis, m_simplest));
    if (most == findings.predicted.end() || least == findings.predicted.end()
        || least->second.bytes >= most->second.bytes)
        return std::nullopt;
    const double share = static_cast<double>(capacityBytes - least->second.bytes)
        / static_cast<double>(most->second.bytes - least->second.bytes);
    return std::clamp(share, 0.0, 1.0);
}

double BudgetRefinement::expectedSeconds(const PlanFindings& findings, const PlanPoint& base, Bytes capacityBytes) const
{
    const double seconds = findings.predicted.at(base).seconds;
    const auto share = shareOfKept(findings, base, capacityBytes);
    if (!share)
        return seconds;
    const double most = findings.predicted.at(withSetting(base, m_space.axis, m_plainest)).seconds;
    const double least = findings.predicted.at(withSetting(base, m_space.axis, m_simplest)).seconds;
    return std::min(seconds, least + *share * (most - least));
}

void BudgetRefinement::predict(const std::vector<PlanPoint>& points, PlanFindings& findings)
{
    const std::vector<std::optional<PlanFigures>> found = m_predict(points);
    findings.predictions += points.size();
    for (std::size_t i = 0; i < points.size(); ++i)
        if (found[i])
            findings.predicted[points[i]] = *found[i];
}

void BudgetRefinement::predictRound(
    std::vector<Attempt>& attempts, PlanFindings& findings, const PlanQuestion& question)
{
    std::vector<PlanPoint> points;
    for (const Attempt& attempt : attempts)
        points.push_back(m_space.withBudget(attempt.base, attempt.size));
    predict(points, findings);
    double best = findings.predicted.at(*findings.answer).seconds;
    std::vector<std::optional<PlanFigures>> found;
    for (const PlanPoint& point : points) {
        const auto known = findings.predicted.find(point);
        found.push_back(known == findings.predicted.end() ? std::nullopt : std::optional(known->second));
        if (found.back() && found.back()->bytes <= question.capacityBytes)
            best = std::min(best, found.back()->seconds);
    }
    for (std::size_t i = 0; i < attempts.size(); ++i) {
        if (found[i])
            mend(attempts[i], *found[i], question.capacityBytes);
        // Without figures the least that is possible is more, or it was interrupted. What is slower than the best with
        // more memory than there is, is slower still with less.
        if (!found[i] || found[i]->seconds > best * (1 + kSameSpeed))
            attempts[i].isDone = true;
    }
}

// What a budget's plan needs beyond what it allocates is known now.
void BudgetRefinement::mend(Attempt& attempt, const PlanFigures& figures, Bytes capacityBytes)
{
    const Bytes room = capacityBytes - figures.bytes;
    const Bytes worthIt = capacityBytes / 40; // less makes a step hardly faster
    const Bytes before = attempt.size;
    if (room >= 0)
        attempt.size = sizeStepsWithin(attempt.size + room - room / 8);
    else
        attempt.size = sizeStepsWithin(attempt.size + room - capacityBytes / 500);
    attempt.isDone = attempt.size <= 0 || attempt.size == before || (room >= 0 && room < worthIt);
}

void BudgetRefinement::conclude(PlanFindings& findings, const PlanQuestion& question) const
{
    const PlanFigures before = findings.predicted.at(*findings.answer);
    findings.front = frontOf(findings.predicted, m_axes, question.capacityBytes);
    const PlanPoint& fastest = findings.front.front();
    const PlanFigures& best = findings.predicted.at(fastest);
    if (best.seconds >= before.seconds * (1 - kSameSpeed))
        return;
    findings.answer = fastest;
    if (findings.provenGap) // of the combinations that were searched, none is faster than this
        findings.provenGap = std::max(0.0, 1 - before.seconds * (1 - *findings.provenGap) / best.seconds);
    for (const PlanPoint& point : findings.front) // the last one that is nearly as fast needs least
        if (findings.predicted.at(point).seconds <= best.seconds * (1 + question.maxSlowdown))
            findings.leastMemory = point;
}

} // namespace headroom::experiments
