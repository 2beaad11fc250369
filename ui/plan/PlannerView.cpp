// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/PlannerView.h"

#include "ui/figures/SheetExport.h"
#include "ui/look/Veil.h"
#include "ui/plan/ChoicePanel.h"
#include "ui/plan/PlanFigure.h"
#include "ui/plan/PlanHead.h"
#include "ui/plan/PlanWords.h"
#include "ui/plot/FigurePlot.h"
#include "ui/plot/PlotAndTable.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>
#include <QResizeEvent>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::ui {

using experiments::PlannedChoice;

namespace {

constexpr int kMoreEffort = 4; ///< times what the search before had
constexpr int kDetailedFrom = 820; ///< px of height that has room for the line that runs the choice
constexpr int kCertainFrom = 700; ///< px of height that has room for how certain the answer is

const QString kNoPlan = QStringLiteral("No plan yet. Find the best combination looks at every combination of "
                                       "techniques that the model allows, and answers "
                                       "with the one that fits the card and loses the least speed.");

} // namespace

PlannerView::PlannerView(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_model(new PlanTableModel(this))
    , m_head(new PlanHead(theme, this))
    , m_searchAction(new QAction(QStringLiteral("Find the &best combination"), this))
    , m_plot(new FigurePlot(theme, this))
    , m_table(new QTableView(this))
    , m_both(new PlotAndTable(m_plot, m_table, *this))
    , m_details(new QAction(QStringLiteral("&Details"), this))
    , m_panel(new ChoicePanel(this))
    , m_veils{new Veil(theme, *m_plot), new Veil(theme, *m_table)}
{
    setObjectName(QStringLiteral("plannerView"));
    m_searchAction->setObjectName(QStringLiteral("findBestCombination"));
    m_searchAction->setIconText(QStringLiteral("Plan"));
    m_searchAction->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_B));
    m_searchAction->setToolTip(QStringLiteral("Find the combination that fits and loses the least speed (Ctrl+B)"));
    buildTable();
    buildLayout();
    connectParts();
    setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(m_head->searchButton());
    showIdle();
}

void PlannerView::buildTable()
{
    m_table->setObjectName(QStringLiteral("planTable"));
    m_table->setAccessibleName(QStringLiteral("Combinations of the plan, the fastest that fits first"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setTextElideMode(Qt::ElideMiddle); // combinations often begin alike
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(PlanTableModel::Change, QHeaderView::Stretch);
}

void PlannerView::buildLayout()
{
    m_plot->setObjectName(QStringLiteral("planPlot"));
    m_plot->setTitleLines(figures::TitleLines::Hidden);
    m_both->setObjectName(QStringLiteral("planBoth"));
    m_both->tableAction()->setObjectName(QStringLiteral("planTableShown"));
    m_details->setObjectName(QStringLiteral("planDetails"));
    m_details->setCheckable(true);
    m_details->setChecked(true);
    m_details->setVisible(false);
    m_details->setToolTip(QStringLiteral("How certain the answer is, and the line that runs the chosen combination"));
    m_head->addSwitch(m_details);
    m_head->addSwitch(m_both->tableAction());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_both, 1);
    layout->addWidget(m_panel);
}

void PlannerView::connectParts()
{
    connect(m_head->searchButton(), &QPushButton::clicked, m_searchAction, &QAction::trigger);
    connect(m_head->cancelButton(), &QPushButton::clicked, this, &PlannerView::cancel);
    connect(m_details, &QAction::toggled, this, &PlannerView::setDetailed);
    connect(m_head->longerButton(), &QPushButton::clicked, this, [this] {
        m_effort *= kMoreEffort;
        begin(*m_asked);
    });
    connect(&m_finder, &PlanFinder::progressed, this, &PlannerView::showProgress);
    connect(&m_finder, &PlanFinder::finished, this, &PlannerView::showPlan);
    connect(&m_finder, &PlanFinder::failed, this, &PlannerView::showFailure);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& current) { chooseRow(current.row()); });
    connect(m_table, &QTableView::activated, m_panel, &ChoicePanel::formWanted);
    connect(m_plot, &FigurePlot::clicked, this, [this](const QString& id) { chooseMark(id); });
    connect(m_plot, &FigurePlot::activated, this, [this](const QString& id) {
        chooseMark(id);
        Q_EMIT m_panel->formWanted(); // as in the table
    });
    connect(m_panel, &ChoicePanel::formWanted, this, [this] {
        if (m_panel->choice() && !m_isOutdated)
            Q_EMIT formWanted(*m_panel->choice());
    });
    connect(m_panel, &ChoicePanel::runWanted, this, [this] { Q_EMIT runWanted(*m_panel->choice()); });
    connect(m_panel, &ChoicePanel::comparisonWanted, this,
        [this] { Q_EMIT comparisonWanted(*m_plan->answer, *m_panel->choice()); });
    connect(m_panel, &ChoicePanel::largestWanted, this, &PlannerView::findLargest);
    connect(&m_inquiry, &PlanInquiry::explained, m_panel, &ChoicePanel::setSentence);
    connect(&m_inquiry, &PlanInquiry::raised, m_panel, &ChoicePanel::setSentence);
    connect(&m_inquiry, &PlanInquiry::failed, m_panel, &ChoicePanel::setSentence);
    connect(&m_inquiry, &PlanInquiry::largestFound, this, &PlannerView::showLargest);
}

QString PlannerView::sentence() const
{
    return m_head->sentence();
}

void PlannerView::showIdle()
{
    m_head->showIdle(kNoPlan);
    m_both->setTableThere(false);
    m_details->setVisible(false);
    m_panel->hide();
    m_plot->setFigure(figureWithoutPlan("Memory against speed of every combination that was simulated."));
}

void PlannerView::search(const config::Trial& trial)
{
    m_effort = 1;
    begin(trial);
}

void PlannerView::setOutdated(bool isOutdated)
{
    m_isOutdated = isOutdated;
    m_head->setOutdated(isOutdated);
    for (Veil* veil : m_veils)
        veil->setDrawn(isOutdated);
    m_panel->setEnabled(!isOutdated);
}

void PlannerView::begin(const config::Trial& trial)
{
    setOutdated(false);
    const bool hadFocus = m_head->searchButton()->hasFocus() || m_head->longerButton()->hasFocus();
    m_inquiry.cancel();
    m_asked = trial;
    m_plan = nullptr;
    m_raised.reset();
    m_head->setQuestion(questionText(trial));
    setPictureCaption(*this, QStringLiteral("Plan for %1; predicted").arg(questionText(trial)));
    m_head->showSearching({}, QStringLiteral("Looking at what can be combined."));
    m_head->showProgress(0, 0);
    setFocusProxy(m_head->cancelButton());
    if (hadFocus)
        m_head->cancelButton()->setFocus();
    showRows({}, {});
    m_panel->setSentence({});
    experiments::PlanOptions options = m_options;
    options.searchTime *= m_effort;
    options.mostPredictions *= static_cast<std::size_t>(m_effort);
    m_finder.search(trial, options);
}

void PlannerView::showProgress(const experiments::PlanStatus& status)
{
    m_head->showProgress(status.considered, std::max<std::size_t>(status.combinations, 1));
    m_head->showSearching(bestSoFarSentence(status), progressSentence(status));
    showRows(rowsOf(status), status.front);
    if (status.isExplaining)
        m_head->showProgress(0, 0); // how long that takes is not known
    m_panel->setSentence(
        status.front.empty() ? QString() : QStringLiteral("Why others lose is said when the search has ended."));
}

void PlannerView::showPlan(const FoundPlan& plan)
{
    m_plan = plan;
    m_head->showEnd(verdictOf(*plan), answerSentence(*plan), certaintySentence(*plan),
        plan->findings.end != experiments::PlanFindings::End::Exhausted);
    endSearch();
    std::vector<PlannedChoice> choices = plan->predicted;
    showRows(rowsOf(*plan), std::move(choices));
    if (m_model->rowCount() > 0)
        choose(m_model->row(qMax(0, m_table->currentIndex().row())).choice);
    Q_EMIT finished();
}

void PlannerView::showFailure(const QString& message)
{
    m_head->showEnd({}, {}, QStringLiteral("The search failed: %1").arg(message), false);
    endSearch();
    Q_EMIT finished();
}

// The keyboard goes on where it was: from the button that cancels to the answer.
void PlannerView::endSearch()
{
    QPushButton* cancel = m_head->cancelButton();
    setFocusProxy(!m_plan ? m_head->searchButton() : firstOfAnswer());
    if (cancel->hasFocus())
        focusProxy()->setFocus();
    cancel->hide();
}

void PlannerView::showRows(std::vector<PlanRow> rows, std::vector<PlannedChoice> choices)
{
    const bool isTop = m_table->currentIndex().row() <= 0;
    const auto before = m_panel->choice();
    const std::optional<double> fastest =
        rows.empty() ? std::nullopt : std::optional(rows.front().choice.figures.seconds);
    m_choices = std::move(choices);
    const bool isEmpty = rows.empty();
    const FigurePtr figure = isEmpty ? figureWithoutPlan("Combinations that fit appear here as they are found.")
                                     : planFigure(m_choices, rows, m_asked->device.profile);
    m_model->setRows(std::move(rows), fastest);
    m_both->setTableThere(!isEmpty);
    m_details->setVisible(!isEmpty);
    m_panel->setVisible(!isEmpty);
    if (isEmpty) {
        m_panel->setChoice(std::nullopt);
        return m_plot->setFigure(figure);
    }
    m_both->setTableHeight(heightOfRows());
    m_plot->setFigure(
        figure, m_plot->figure()->marks.empty() ? FigureCanvas::Keep::Nothing : FigureCanvas::Keep::Window);
    const int kept = isTop || !before ? 0 : m_model->rowOf(before->trial);
    m_table->selectRow(std::max(kept, 0));
}

void PlannerView::chooseRow(int row)
{
    if (row >= 0 && row < m_model->rowCount())
        choose(m_model->row(row).choice);
}

void PlannerView::chooseMark(const QString& id)
{
    bool isNumber = false;
    const auto place = static_cast<std::size_t>(id.toUInt(&isNumber));
    if (!isNumber || place >= m_choices.size())
        return;
    const PlannedChoice choice = m_choices[place];
    const int row = m_model->rowOf(choice.trial);
    if (row < 0)
        m_table->clearSelection();
    else if (row != m_table->currentIndex().row())
        return m_table->selectRow(row);
    else
        m_table->selectRow(row); // it is the current one still, but may not be selected
    choose(choice);
}

void PlannerView::choose(const PlannedChoice& choice)
{
    m_panel->setChoice(choice);
    m_panel->setComparable(m_plan && m_plan->answer && choice.trial != m_plan->answer->trial);
    markChosen();
    if (!m_plan)
        return;
    m_raised.reset();
    m_panel->setSentence(QStringLiteral("%1: looking at what it spends memory and time on…").arg(changeOf(choice)));
    m_inquiry.cancel();
    m_inquiry.explain(m_plan, choice);
}

void PlannerView::markChosen()
{
    const auto found = std::ranges::find(m_choices, m_panel->choice()->trial, &PlannedChoice::trial);
    m_plot->setSelected(
        found == m_choices.end() ? QStringList() : QStringList{QString::number(found - m_choices.begin())});
}

void PlannerView::findLargest(const QString& axis)
{
    m_raised = m_panel->choice();
    m_inquiry.cancel();
    m_panel->setSentence(QStringLiteral("Looking for the largest %1 that fits…").arg(axisTitle(axis.toStdString())));
    m_inquiry.findLargest(m_raised->trial, axis.toStdString());
}

// What was found takes the place of the combination, so that it can be run and put into the form.
void PlannerView::showLargest(const LargestFit& fit)
{
    if (!m_raised)
        return;
    if (fit.filled.value && fit.prediction.stepSeconds()) {
        PlannedChoice raised = *m_raised;
        const std::string path = "workload." + fit.axis;
        const auto before = experiments::WorkloadAxis(fit.axis, raised.trial, path).valueIn(raised.trial);
        std::erase_if(raised.changes, [&](const auto& change) { return change.path == path; });
        raised.changes.push_back({path, std::to_string(before), std::to_string(*fit.filled.value)});
        raised.trial = fit.filled.trial;
        raised.verdict = fit.prediction.verdict;
        raised.figures.seconds = *fit.prediction.stepSeconds();
        m_panel->setChoice(raised);
    }
    m_panel->setSentence(largestSentence(fit));
}

// Where Enter puts the answer into the form: its row, or the button if the table is folded.
QWidget* PlannerView::firstOfAnswer() const
{
    return m_table->isHidden() ? static_cast<QWidget*>(m_panel->formButton()) : m_table;
}

void PlannerView::setDetailed(bool isDetailed)
{
    m_head->setDetailed(isDetailed || height() >= kCertainFrom);
    m_panel->setDetailed(isDetailed);
}

int PlannerView::heightOfRows() const
{
    m_table->resizeRowsToContents(); // rows that are new have not been laid out
    int rows = m_table->horizontalHeader()->sizeHint().height() + 2 * m_table->frameWidth() + fontMetrics().height();
    for (int row = 0; row < m_model->rowCount(); ++row)
        rows += m_table->rowHeight(row);
    return rows;
}

// The plot has most of a view; what is said of it in full gives way first, then the table.
void PlannerView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool isHigh = height() >= kDetailedFrom;
    if (isHigh != m_isHigh)
        m_details->setChecked(isHigh);
    m_isHigh = isHigh;
    setDetailed(m_details->isChecked());
}

void PlannerView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && isSearching())
        cancel();
    else
        QWidget::keyPressEvent(event);
}

} // namespace headroom::ui
