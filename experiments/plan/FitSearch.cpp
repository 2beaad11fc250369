// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/FitSearch.h"

#include "core/base/Statistics.h"
#include "experiments/verdict/DeviceFit.h"

#include <algorithm>
#include <bit>

namespace headroom::experiments {
namespace {

using End = FitSearchResult::End;

void addNew(std::vector<std::string>& texts, const std::string& text)
{
    if (std::ranges::find(texts, text) == texts.end())
        texts.push_back(text);
}

// The host has to hold the load and the first step too, as the device does.
Bytes largestOf(const protocol::RepeatMemory& memory, std::optional<Bytes> protocol::MemoryFigures::* figure)
{
    return std::max({memory.afterLoad.*figure, memory.firstStepPeak.*figure, memory.peak.*figure}).value_or(0);
}

std::optional<double> predictedSpeed(const protocol::RepeatResult& result)
{
    const auto seconds = median(result.stepSeconds);
    return seconds && *seconds > 0 ? std::optional(1 / *seconds) : std::nullopt;
}

FittingChange fittingChange(const FitCombination& combination, const protocol::RepeatResult& result)
{
    return {combination.changes, combination.trial, DeviceFit::heldBytes(result.memory).value_or(0),
        predictedSpeed(result), largestOf(result.memory, &protocol::MemoryFigures::hostPinned),
        largestOf(result.memory, &protocol::MemoryFigures::hostPageable), combination.effort};
}

class Search {
public:
    Search(FitSpace space, const FitSearch::Predict& predict, const FitSearch::Fits& fits,
        const FitSearch::Progress& progress, std::size_t mostSimulations, std::stop_token stop)
        : m_space(std::move(space))
        , m_predict(predict)
        , m_fits(fits)
        , m_progress(progress)
        , m_mostSimulations(mostSimulations)
        , m_stop(std::move(stop))
    {
    }

    FitSearchResult run()
    {
        lookAround();
        useFreeRoom();
        m_result.found = ranked(std::move(m_result.found));
        m_result.end = m_ended.value_or(m_result.found.empty() ? End::NothingFits : End::Found);
        m_result.expectedSimulations = std::max(m_result.simulations, expected());
        return std::move(m_result);
    }

private:
    // Tries ever larger changes until something fits.
    void lookAround()
    {
        std::vector<FitCombination> singles = m_space.combinations(1);
        std::vector<FitCombination> pairs = m_space.combinations(2);
        m_ahead = singles.size() + pairs.size();
        report();
        tryAll(singles);
        tryAll(pairs);
        for (const std::int64_t batch : m_space.smallerBatches())
            for (std::size_t techniques = 0; techniques <= 2; ++techniques)
                tryMore(techniques, batch);
        tryMore(3, std::nullopt);
    }

    void tryMore(std::size_t techniques, FitSpace::Batch batch)
    {
        if (isOver())
            return;
        const std::vector<FitCombination> combinations = m_space.combinations(techniques, batch);
        m_ahead += combinations.size();
        tryAll(combinations);
    }

    // Tries all of them, to find every one that fits; tries none if something simpler fits already.
    void tryAll(const std::vector<FitCombination>& combinations)
    {
        if (isOver())
            return;
        std::size_t left = combinations.size();
        for (const FitCombination& combination : combinations) {
            if (!mayGoOn())
                return;
            --left;
            --m_ahead;
            auto fitting = tried(combination);
            if (fitting)
                m_result.found.push_back(std::move(*fitting));
            if (!m_result.found.empty())
                m_ahead = left; // later stages are not tried any more
            report();
        }
    }

    // A change that fits with room to spare may also fit with a milder setting, which is faster. Changes that `ranked`
    // drops are not worth the simulations.
    void useFreeRoom()
    {
        if (m_ended)
            return;
        std::vector<std::vector<FitCombination>> scales;
        for (const FittingChange& change : ranked(m_result.found))
            for (auto& scale : m_space.milder({change.changes, change.trial, change.effort}))
                scales.push_back(std::move(scale));
        m_ahead = 0;
        for (const auto& scale : scales)
            m_ahead += stepsFor(scale.size());
        for (const auto& scale : scales) {
            const std::size_t after = m_ahead - stepsFor(scale.size());
            keepMildest(scale);
            if (!m_ended)
                m_ahead = after;
            report();
        }
    }

    // Keeps the last setting of the scale that fits, found by bisection.
    void keepMildest(const std::vector<FitCombination>& scale)
    {
        std::optional<FittingChange> mildest;
        std::size_t first = 0;
        std::size_t end = scale.size();
        while (first < end && mayGoOn()) {
            const std::size_t middle = first + (end - first) / 2;
            m_ahead -= std::min<std::size_t>(m_ahead, 1);
            auto fitting = tried(scale[middle]);
            (fitting ? first : end) = fitting ? middle + 1 : middle;
            if (fitting)
                mildest = std::move(fitting);
            report();
        }
        if (mildest)
            m_result.found.push_back(std::move(*mildest));
    }

    static std::size_t stepsFor(std::size_t scale) { return static_cast<std::size_t>(std::bit_width(scale)); }

    bool isOver() const { return m_ended || !m_result.found.empty(); }

    bool mayGoOn()
    {
        if (m_stop.stop_requested())
            m_ended = End::Cancelled;
        else if (!m_ended && m_result.simulations == m_mostSimulations)
            m_ended = End::OutOfSimulations;
        return !m_ended;
    }

    std::optional<FittingChange> tried(const FitCombination& combination)
    {
        const protocol::RepeatResult result = m_predict(combination.trial);
        if (wasInterrupted(result)) {
            m_ended = End::Cancelled;
            return std::nullopt;
        }
        ++m_result.simulations;
        for (const SettingChange& change : combination.changes)
            addNew(m_result.tried, shortText(change));
        if (result.outcome == Outcome::Failed || result.outcome == Outcome::TimedOut)
            addNew(m_result.failures, result.reason);
        return result.outcome == Outcome::Completed && m_fits(combination.trial, result)
            ? std::optional(fittingChange(combination, result))
            : std::nullopt;
    }

    // A worker that was ended by an interruption reports a failure.
    bool wasInterrupted(const protocol::RepeatResult& result) const
    {
        const bool isAnswer = result.outcome == Outcome::Completed || result.outcome == Outcome::OutOfMemory;
        return result.outcome == Outcome::Cancelled || (!isAnswer && m_stop.stop_requested());
    }

    std::size_t expected() const { return std::min(m_result.simulations + m_ahead, m_mostSimulations); }

    void report() const
    {
        if (m_progress)
            m_progress({m_result.simulations, expected(), ranked(m_result.found)});
    }

    const FitSpace m_space;
    const FitSearch::Predict& m_predict;
    const FitSearch::Fits& m_fits;
    const FitSearch::Progress& m_progress;
    std::size_t m_mostSimulations;
    std::stop_token m_stop;
    std::size_t m_ahead = 0; ///< simulations still expected
    std::optional<End> m_ended; ///< set if the search ended early
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
    return Search(FitSpace(trial, m_offers), m_predict, m_fits, m_progress, m_mostSimulations, std::move(stop)).run();
}

} // namespace headroom::experiments
