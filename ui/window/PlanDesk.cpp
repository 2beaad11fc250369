// SPDX-License-Identifier: Apache-2.0
#include "ui/window/PlanDesk.h"

#include "core/config/imported/ShownModelName.h"
#include "experiments/sweep/TaskText.h"
#include "ui/answer/LiveAnswer.h"
#include "ui/experiment/ExperimentDock.h"
#include "ui/look/ElidedLabel.h"
#include "ui/window/ResultsHeading.h"

#include <QUndoStack>

#include <set>
#include <string>
#include <vector>

namespace headroom::ui {
namespace {

// "ltx-video-2b", "3 models"
QString oneOrCount(const std::set<std::string>& names, const char* several)
{
    return names.size() == 1 ? QString::fromStdString(*names.begin())
                             : QStringLiteral("%1 %2").arg(names.size()).arg(QLatin1String(several));
}

// "ltx-video-2b on sim:rtx4090: train, bfloat16, batch 1, 81 frames of 512 x 768, ..."
QString sentenceOf(const Plan& plan)
{
    std::set<std::string> models;
    std::set<std::string> devices;
    std::vector<const config::Trial*> trials;
    for (const experiments::PlannedTrial& planned : plan.trials) {
        models.insert(config::shownModelName(planned.trial.configuration.model));
        devices.insert(planned.trial.device.name());
        trials.push_back(&planned.trial);
    }
    return trials.empty() ? QString()
                          : QStringLiteral("%1 on %2: %3")
                                .arg(oneOrCount(models, "models"), oneOrCount(devices, "devices"),
                                    QString::fromStdString(experiments::taskText(trials)));
}

} // namespace

PlanDesk::PlanDesk(Services& services, WindowViews& views, QObject* parent)
    : QObject(parent)
    , m_services(services)
    , m_views(views)
{
    connect(&services.spec, &SpecSession::planChanged, this, &PlanDesk::applyPlan);
    connect(&services.spec, &SpecSession::draftsChanged, this, &PlanDesk::showDrafts);
    connect(views.answer, &LiveAnswer::changeChosen, this, &PlanDesk::applyChanges);
}

void PlanDesk::applyPlan()
{
    const SpecSession& spec = m_services.spec;
    const auto& plan = spec.plan();
    m_views.answer->setTrials({plan, &plan->trials}, obstacleOf(*plan), spec.plannedDocument());
    m_views.heading->setPlan(plan, spec.plannedDocument());
    m_views.task->setLine(sentenceOf(*plan));
}

// The reason itself is shown at the field or above the form, so it is not repeated here.
QString PlanDesk::obstacleOf(const Plan& plan) const
{
    if (plan.problems.empty())
        return {};
    const QString field = m_views.experiment->fieldName(plan.problems.front().path);
    return field.isEmpty() ? QStringLiteral("The experiment on the left says what is wrong.")
                           : QStringLiteral("The reason stands at \"%1\", on the left.").arg(field);
}

// The answer is for what is in the spec, whatever is being typed.
void PlanDesk::showDrafts()
{
    QStringList held;
    for (const Draft& draft : m_services.spec.drafts())
        held.append(draft.path == QLatin1String("model.name")
                ? draft.held
                : QStringLiteral("%1 %2").arg(draft.label.toLower(), draft.held));
    m_views.answer->setDraft(
        held.isEmpty() ? QString() : QStringLiteral("For %1, not what is typed.").arg(held.join(QStringLiteral(", "))));
}

// One undo step, however many settings there are.
void PlanDesk::applyChanges(const SettingValues& values)
{
    QUndoStack* stack = m_services.spec.undoStack();
    stack->beginMacro(QStringLiteral("make it fit"));
    for (const auto& [path, value] : values)
        m_services.spec.set(path, value);
    stack->endMacro();
}

} // namespace headroom::ui
