// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/fill/FillSearch.h"

#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/config/techniques/BudgetSize.h"
#include "experiments/verdict/DeviceFit.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

using Answer = EdgeProbe::Answer;
using FillEnd = FilledTrial::End;

FillEnd fillEndOf(Edge::End end)
{
    switch (end) {
    case Edge::End::Found:
        return FillEnd::Found;
    case Edge::End::NothingFits:
        return FillEnd::NothingFits;
    case Edge::End::LargestFits:
        return FillEnd::LargestFits;
    case Edge::End::Unaffected:
        return FillEnd::Unaffected;
    case Edge::End::Interrupted:
        break;
    }
    return FillEnd::Failed;
}

// A trial with a budget that its steps cannot keep to does not fit either.
bool isOverBudget(const protocol::RepeatResult& result)
{
    return result.reason.find(config::kBudgetTooSmall) != std::string::npos;
}

EdgeValues edgeValues(const AxisValues& values)
{
    return {[&values](std::int64_t value) { return values.atOrBelow(value); },
        [&values](std::int64_t value) { return values.above(value); }};
}

FilledTrial unworkable(const FillTask& task, const AxisValues& values)
{
    const std::int64_t asked = task.axis.valueIn(task.trial);
    return {.end = FillEnd::CannotWork,
        .trial = task.trial,
        .value = {},
        .next = {},
        .simulations = 0,
        .reason = values.problemWith(asked)};
}

} // namespace

FillSearch::FillSearch(Predict predict, Fits fits, Budget budget)
    : m_predict(std::move(predict))
    , m_fits(std::move(fits))
    , m_budget(std::move(budget))
{
}

std::vector<FilledTrial> FillSearch::run(std::span<const FillTask> tasks, const std::stop_token& stop)
{
    std::vector<FilledTrial> filled;
    for (std::size_t i = 0; i < tasks.size(); ++i)
        filled.push_back(fill(tasks[i], i, stop));
    return filled;
}

FilledTrial FillSearch::fill(const FillTask& task, std::size_t index, const std::stop_token& stop)
{
    const AxisValues values(task.axis, task.trial);
    const std::int64_t start = task.axis.valueIn(task.trial);
    if (!values.atOrBelow(start) && !values.above(start))
        return unworkable(task, values);
    FilledTrial filled{.trial = task.trial};
    const auto ask = [&](std::int64_t value) -> EdgeProbe {
        if (stop.stop_requested())
            return {};
        const config::Trial tried = task.axis.with(task.trial, value);
        const protocol::RepeatResult result = m_predict(tried);
        ++m_simulations;
        ++filled.simulations;
        if (result.outcome != Outcome::Completed && result.outcome != Outcome::OutOfMemory && !isOverBudget(result)) {
            filled.reason = task.axis.field() + " " + std::to_string(value) + ": " + result.reason;
            return {};
        }
        const bool fits = result.outcome == Outcome::Completed && m_fits(tried, result);
        if (m_progress)
            m_progress({index, value, fits, m_simulations});
        return {fits ? Answer::Fits : Answer::Fails,
            result.outcome == Outcome::Completed ? DeviceFit::heldBytes(result.memory) : std::nullopt};
    };
    const Edge edge = EdgeSearch(edgeValues(values), ask, {m_budget(task.trial), task.axis.isCount()}).run(start);
    filled.end = stop.stop_requested() && edge.end == Edge::End::Interrupted ? FillEnd::Cancelled : fillEndOf(edge.end);
    filled.value = edge.value;
    filled.next = edge.next;
    if (filled.end == FillEnd::Cancelled)
        filled.reason.clear();
    if (const auto shown = filled.value ? filled.value : filled.next)
        filled.trial = task.axis.with(task.trial, *shown);
    return filled;
}

config::Trial withMemory(
    config::Trial trial, Bytes memoryBytes, const simulator::MemoryProfile& card, const std::string& where)
{
    const Bytes context = card.contextBytes.value;
    if (memoryBytes <= context)
        throw UsageError("found " + sizeText(memoryBytes) + ", and the driver's context on " + trial.device.notation()
                + " takes " + sizeText(context) + " of it",
            where, "more than " + sizeText(context));
    if (memoryBytes < card.usableBytes.value)
        trial.memoryLimitBytes = memoryBytes - context;
    return trial;
}

} // namespace headroom::experiments
