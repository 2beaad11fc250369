// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/PlanRows.h"

#include "experiments/plan/PlanSentences.h"

#include <algorithm>

namespace headroom::ui {

using experiments::PlannedChoice;
using experiments::PlanResult;
using experiments::PlanStatus;

namespace {

QString roleIn(const PlanResult& plan, const PlannedChoice& choice)
{
    QStringList roles;
    if (plan.answer && choice.trial == plan.answer->trial)
        roles.append(QStringLiteral("answer"));
    if (plan.leastMemory && choice.trial == plan.leastMemory->trial)
        roles.append(QStringLiteral("least memory"));
    if (choice.trial == plan.asked.trial)
        roles.append(QStringLiteral("as asked"));
    return roles.join(QStringLiteral(", "));
}

class PlanRowCollector {
public:
    explicit PlanRowCollector(const PlanResult& plan)
        : m_plan(plan)
    {
    }

    void add(const PlannedChoice& choice)
    {
        const auto isSame = [&](const PlanRow& row) { return row.choice.trial == choice.trial; };
        if (choice.verdict.reservedBytes && std::ranges::none_of(rows, isSame))
            rows.push_back({choice, roleIn(m_plan, choice)});
    }

    std::vector<PlanRow> rows;

private:
    const PlanResult& m_plan;
};

} // namespace

std::vector<PlanRow> rowsOf(const PlanResult& plan)
{
    PlanRowCollector collector(plan);
    for (const PlannedChoice& choice : plan.front)
        collector.add(choice);
    for (const auto& choice : {plan.answer, plan.leastMemory})
        if (choice)
            collector.add(*choice);
    std::ranges::stable_sort(collector.rows, {}, [](const PlanRow& row) { return row.choice.figures.seconds; });
    const auto isAnswer = [](const PlanRow& row) { return row.role.contains(QStringLiteral("answer")); };
    if (const auto answer = std::ranges::find_if(collector.rows, isAnswer); answer != collector.rows.end())
        std::rotate(collector.rows.begin(), answer, answer + 1); // what ties with it comes after it
    if (!plan.answer && plan.smallest)
        collector.add(*plan.smallest);
    collector.add(plan.asked);
    return collector.rows;
}

std::vector<PlanRow> rowsOf(const PlanStatus& status)
{
    std::vector<PlanRow> rows;
    for (const PlannedChoice& choice : status.front)
        rows.push_back({choice, rows.empty() ? QStringLiteral("best so far") : QString()});
    return rows;
}

QString changeOf(const PlannedChoice& choice)
{
    return QString::fromStdString(experiments::changesText(choice.changes));
}

} // namespace headroom::ui
