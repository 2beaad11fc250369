// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/PlanView.h"

#include "experiments/sweep/TrialBuilder.h"
#include <algorithm>

namespace headroom::ui {
namespace {

const std::string kModelName = "model.name";

} // namespace

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
    if (path == kModelName) // the other way to specify a model
        return value("model.config");
    const auto* read = path.starts_with("model.") ? resolved() : nullptr;
    return read != nullptr && read->contains(path) ? read->at(path).value : config::Value();
}

// The part, including the settings from its model's file. Null for settings that parts share, and if model files split
// parts into several.
const experiments::SpecSettings* PlanView::resolved() const
{
    const auto& parts = m_plan->spec.parts;
    const std::size_t written = m_plan->document.parts.size();
    const bool isWhole = m_part < 0 && written == 0 && parts.size() == 1;
    const bool isPart = m_part >= 0 && parts.size() == written && static_cast<std::size_t>(m_part) < written;
    return isWhole ? &parts.front() : isPart ? &parts[static_cast<std::size_t>(m_part)] : nullptr;
}

// The shared settings imply no step if there are parts: each part may imply a different one.
const PlannedPart* PlanView::impliedPart() const
{
    const bool isShared = m_part < 0 && !m_plan->document.parts.empty();
    const PlannedPart* part = isShared ? nullptr : planned();
    return part != nullptr && part->first && part->impliedStep ? part : nullptr;
}

config::Value PlanView::defaultOf(const std::string& path, const config::Field& field) const
{
    const PlannedPart* part = path.starts_with("workload.") ? impliedPart() : nullptr;
    const auto held = part == nullptr ? std::nullopt : experiments::valueIn(*part->first, path);
    return held ? *held : field.defaultValue;
}

std::string PlanView::reasonOfDefault(const std::string& path, const config::Field& field) const
{
    if (!value(path).isNull() || defaultOf(path, field) == field.defaultValue)
        return {};
    const std::string reason = impliedPart()->impliedStep->text();
    return path == "workload.dtype" ? "The dtype of the model's published weights: " + reason + "."
                                    : "Not set: " + reason + ".";
}

std::string PlanView::model() const
{
    const auto* read = resolved();
    const bool isRead = read != nullptr && read->contains(kModelName);
    const config::Value name = isRead ? read->at(kModelName).value : value(kModelName);
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

const std::vector<PlanConflict>& PlanView::conflicts(const std::string& path) const
{
    static const std::vector<PlanConflict> kNone;
    const auto found = m_plan->conflicts.find(path);
    return found == m_plan->conflicts.end() ? kNone : found->second;
}

const PlannedPart* PlanView::planned() const
{
    const auto index = static_cast<std::size_t>(std::max(m_part, 0));
    return index < m_plan->parts.size() ? &m_plan->parts[index] : nullptr;
}

} // namespace headroom::ui
