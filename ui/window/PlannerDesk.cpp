// SPDX-License-Identifier: Apache-2.0
#include "ui/window/PlannerDesk.h"

#include "core/base/Error.h"
#include "core/config/imported/ShownModelName.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/plan/PlanSentences.h"
#include "experiments/spec/SettingField.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/SpecWriter.h"
#include "experiments/sweep/SweepLabels.h"
#include "ui/answer/LiveAnswer.h"
#include "ui/compare/CompareView.h"
#include "ui/plan/PlannerView.h"
#include "ui/start/FirstRunPage.h"
#include "ui/start/QuestionForm.h"
#include "ui/window/SpecFiles.h"

#include <QAction>
#include <QUndoStack>

namespace headroom::ui {
namespace {

using experiments::PlannedChoice;
using experiments::PlannedTrial;

std::string specOfChoices(const std::vector<PlannedChoice>& choices, const std::string& name)
{
    std::vector<PlannedTrial> trials;
    for (const PlannedChoice& choice : choices)
        trials.push_back({choice.trial, protocol::trialId(choice.trial), protocol::configId(choice.trial.configuration),
            {}, {}, {}, {}});
    experiments::labelTrials(trials);
    return experiments::writeSpec(experiments::specOfTrials(name, trials));
}

RunRequest requestOf(const std::vector<PlannedChoice>& choices, const std::string& name)
{
    RunRequest request;
    request.spec = experiments::loadSpecText(specOfChoices(choices, name), "the combination of the plan", {});
    request.trials = experiments::expand(request.spec);
    request.workspaceUse = experiments::WorkspaceUse::MustExist;
    request.tracing = experiments::Tracing::On;
    return request;
}

// Notations and texts are strings in a spec, even where they look like numbers.
std::string tomlValue(const experiments::SettingChange& change, const std::string& model)
{
    const config::FieldType type = experiments::settingField(change.path, model, change.path).type;
    const bool isPlain =
        type == config::FieldType::Boolean || type == config::FieldType::Integer || type == config::FieldType::Real;
    return isPlain ? change.after : config::toToml(config::Value(change.after));
}

std::optional<SettingValues> valuesOf(const PlannedChoice& choice)
{
    SettingValues values;
    try {
        for (const experiments::SettingChange& change : choice.changes)
            values.append({QString::fromStdString(change.path),
                QString::fromStdString(tomlValue(change, choice.trial.configuration.model))});
    } catch (const UsageError&) {
        return std::nullopt;
    }
    return values;
}

} // namespace

PlannerDesk::PlannerDesk(
    Services& services, WindowViews& views, SpecFiles& specs, const Preferences& preferences, QObject* parent)
    : QObject(parent)
    , m_services(services)
    , m_views(views)
    , m_specs(specs)
    , m_preferences(preferences)
    , m_comparison(services.runs, services.workspaces, services.selection, views.compare->actions(), this)
    , m_jobs(QStringLiteral("planned run"))
{
    connect(views.firstRun, &FirstRunPage::asked, this, &PlannerDesk::ask);
    connect(views.plan->searchAction(), &QAction::triggered, this, &PlannerDesk::searchShown);
    connect(views.plan, &PlannerView::formWanted, this, &PlannerDesk::putIntoForm);
    connect(views.plan, &PlannerView::runWanted, this, &PlannerDesk::run);
    connect(views.plan, &PlannerView::comparisonWanted, this, &PlannerDesk::compare);
    connect(&m_comparison, &PlannedComparison::said, this, &PlannerDesk::said);
    connect(&services.spec, &SpecSession::planChanged, this, &PlannerDesk::takePlan);
    const auto offerCards = [this] { m_views.firstRun->form().setCards(m_services.predictor.cards()); };
    connect(&services.predictor, &Predictor::cardsLoaded, this, offerCards);
    offerCards();
}

PlannerDesk::~PlannerDesk() = default;

// The spec is read in the background; its plan begins once it has been.
void PlannerDesk::ask(const StartQuestion& question)
{
    m_specs.leave([this, question] {
        m_isWanted = true;
        QVariantMap asPlanned = m_views.answer->state();
        asPlanned[QStringLiteral("card")] = QString(); // the question names the card
        m_views.answer->restore(asPlanned);
        m_services.spec.loadText(specOf(question),
            QStringLiteral("%1 on %2")
                .arg(QString::fromStdString(config::shownModelName(question.model)),
                    QString::fromStdString(question.card)));
    });
}

// A model that was opened is what the first page is asked about.
void PlannerDesk::offerModels()
{
    for (const experiments::PlannedTrial& planned : m_services.spec.plan()->trials)
        m_views.firstRun->form().offerModel(planned.trial.configuration.model);
}

void PlannerDesk::takePlan()
{
    offerModels();
    const SpecSession& spec = m_services.spec;
    if (spec.isPlanning())
        return;
    dimWhatIsOfAnother();
    if (m_isWanted) {
        m_isWanted = false;
        return searchShown();
    }
    // A search that goes on for what the form had before would only be in the way.
    const auto& asked = m_views.answer->asked();
    if (m_views.plan->isSearching() && asked != m_views.plan->asked()) {
        m_views.plan->cancel();
        Q_EMIT said(QStringLiteral("The experiment has changed, so the search for its best combination was ended."));
    }
}

// Edits leave a plan as it is: its first line says what it was asked about.
void PlannerDesk::dimWhatIsOfAnother()
{
    PlannerView& plan = *m_views.plan;
    if (!plan.asked())
        return;
    const int document = m_services.spec.plannedDocument();
    if (m_views.answer->asked() == plan.asked())
        m_document = document;
    plan.setOutdated(m_document != document);
}

void PlannerDesk::searchShown()
{
    const auto& plan = m_services.spec.plan();
    if (!plan->problems.empty())
        return Q_EMIT refused(QStringLiteral("There is no plan for this experiment: %1")
                .arg(QString::fromStdString(plan->problems.front().message)));
    if (const auto& asked = m_views.answer->asked())
        return search(*asked);
    const QString why = plan->skipped.empty() ? QStringLiteral("it has no trial")
                                              : QString::fromStdString(plan->skipped.front().reason);
    Q_EMIT refused(QStringLiteral("There is no plan for this experiment: %1.").arg(why));
}

void PlannerDesk::search(const config::Trial& trial)
{
    m_document = m_services.spec.plannedDocument();
    m_views.plan->search(trial);
    m_views.bringForward(m_views.plan);
    m_views.closeEmptyTables(); // the plan needs the room
}

bool PlannerDesk::isOfTheForm() const
{
    const auto& trials = m_services.spec.plan()->trials;
    return trials.size() == 1 && m_views.plan->asked() && trials.front().trial == *m_views.plan->asked();
}

// Comments and order stay where the form still has what was asked about; otherwise, and for sizes that a spec cannot
// name singly, the text is replaced as a whole. Either way it is one undo step.
void PlannerDesk::putIntoForm(const PlannedChoice& choice)
{
    const auto values = isOfTheForm() ? valuesOf(choice) : std::nullopt;
    if (values)
        setValues(*values);
    else
        m_services.spec.setText(
            QString::fromStdString(specOfChoices({choice}, m_services.spec.plan()->spec.name)), EditKind::Choice);
    Q_EMIT said(QStringLiteral("The form now has %1; undo (Ctrl+Z) brings back what it had.")
            .arg(QString::fromStdString(experiments::changesText(choice.changes))));
}

void PlannerDesk::setValues(const SettingValues& values)
{
    QUndoStack* stack = m_services.spec.undoStack();
    stack->beginMacro(QStringLiteral("the plan's combination"));
    for (const auto& [path, value] : values)
        m_services.spec.set(path, value);
    stack->endMacro();
}

void PlannerDesk::run(const PlannedChoice& choice)
{
    request({choice}, [this](RunRequest request) {
        m_services.workspaces.showNewest();
        m_services.runs.enqueue(std::move(request));
        m_views.raiseQueue(); // the result may take a while
        Q_EMIT said(QStringLiteral("The combination is in the queue, with a trace."));
    });
}

void PlannerDesk::compare(const PlannedChoice& answer, const PlannedChoice& choice)
{
    const std::string first = protocol::trialId(answer.trial);
    const std::string second = protocol::trialId(choice.trial);
    request({answer, choice}, [this, first, second](RunRequest request) {
        m_comparison.begin(std::move(request), first, second);
        m_views.raiseQueue();
        Q_EMIT said(QStringLiteral("Both combinations are in the queue; they are compared when they have run."));
    });
}

void PlannerDesk::request(const std::vector<PlannedChoice>& choices, const std::function<void(RunRequest)>& use)
{
    m_jobs.run(
        this,
        [choices, name = m_services.spec.plan()->spec.name](
            const std::stop_token&) { return requestOf(choices, name); },
        [this, use](RunRequest request) {
            request.workspace = m_services.workspaces.path().toStdString();
            if (m_preferences.timeoutSeconds)
                request.timeout = std::chrono::duration<double>(*m_preferences.timeoutSeconds);
            use(std::move(request));
        },
        [this](
            const QString& message) { Q_EMIT refused(QStringLiteral("The combination cannot run: %1").arg(message)); });
}

} // namespace headroom::ui
