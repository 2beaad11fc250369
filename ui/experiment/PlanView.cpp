// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/PlanView.h"

namespace headroom::ui {

PlanView::PlanView(std::shared_ptr<const Plan> plan, int part)
    : m_plan(std::move(plan))
    , m_part(part)
{
}

const experiments::SpecSettings* PlanView::own() const
{
    if (m_part < 0)
        return &m_plan->document.settings;
    const auto index = static_cast<std::size_t>(m_part);
    return index < m_plan->document.parts.size() ? &m_plan->document.parts[index] : nullptr;
}

bool PlanView::isOwn(const std::string& path) const
{
    const auto* settings = own();
    return settings != nullptr && settings->contains(path);
}

config::Value PlanView::value(const std::string& path) const
{
    for (const auto* settings : {own(), &m_plan->document.settings})
        if (settings != nullptr)
            if (const auto found = settings->find(path); found != settings->end())
                return found->second.value;
    return {};
}

std::string PlanView::model() const
{
    const config::Value name = value("model.name");
    const bool isAxis = name.isList() && !name.list().empty();
    const config::Value& first = isAxis ? name.list().front() : name;
    return first.isText() ? first.text() : std::string();
}

std::string PlanView::problem(const std::string& path) const
{
    for (const PlanProblem& problem : m_plan->problems)
        if (problem.path == path)
            return problem.message;
    return {};
}

const PlannedPart* PlanView::planned() const
{
    const auto index = static_cast<std::size_t>(std::max(m_part, 0));
    return index < m_plan->parts.size() ? &m_plan->parts[index] : nullptr;
}

} // namespace headroom::ui
