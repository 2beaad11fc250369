// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/TimelineView.h"

#include "experiments/report/DetailTables.h"
#include "experiments/results/TrialRecordJson.h"
#include "ui/look/WheelGuard.h"
#include "ui/plot/PlotActions.h"
#include "ui/timeline/ZoomTrail.h"

#include <QVBoxLayout>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr double kKeyZoom = 1.5;
constexpr double kPanShare = 0.2; ///< share of the window

// What was read of a trial stays valid while the trial's own results are the same.
std::size_t revisionOf(const report::ReportTrial& trial)
{
    return std::hash<std::string>{}(experiments::toJson(trial.result).dump() + std::to_string(trial.repeats));
}

} // namespace

TimelineActions::TimelineActions(QWidget& view)
{
    ActionMaker maker(view, all);
    zoomIn = maker.make("timelineZoomIn", QStringLiteral("Zoom &in"), {Qt::Key_W, Qt::Key_Plus, Qt::Key_Equal},
        QStringLiteral("Zoom in at the cursor, or in the middle"));
    zoomOut = maker.make(
        "timelineZoomOut", QStringLiteral("Zoom &out"), {Qt::Key_S, Qt::Key_Minus}, QStringLiteral("Zoom out"));
    panLeft =
        maker.make("timelinePanLeft", QStringLiteral("Move &left"), {Qt::Key_A}, QStringLiteral("Show earlier times"));
    panRight =
        maker.make("timelinePanRight", QStringLiteral("Move &right"), {Qt::Key_D}, QStringLiteral("Show later times"));
    fit = maker.make(
        "timelineFit", QStringLiteral("&Show everything"), {Qt::Key_0}, QStringLiteral("Show the whole timeline"));
    back = maker.make("timelineBack", QStringLiteral("&Back"), {Qt::Key_Z, Qt::Key_Backspace},
        QStringLiteral("Back to the previous view"));
    forward = maker.make("timelineForward", QStringLiteral("Fo&rward"), {Qt::SHIFT | Qt::Key_Z},
        QStringLiteral("Forward to the next view"));
    maker.separate();
    peak = maker.make("timelinePeak", QStringLiteral("Jump to &peak"), {Qt::Key_P}, QStringLiteral("Go to the peak"));
    centre = maker.make("timelineCentre", QStringLiteral("&Centre the selection"), {Qt::Key_F},
        QStringLiteral("Centre the range, or the phase at the cursor; again: zoom in on it"));
    previousPhase = maker.make("timelinePreviousPhase", QStringLiteral("Pre&vious phase"), {Qt::Key_Comma},
        QStringLiteral("Go to the previous phase"));
    nextPhase = maker.make(
        "timelineNextPhase", QStringLiteral("&Next phase"), {Qt::Key_Period}, QStringLiteral("Go to the next phase"));
    maker.separate();
    contents = maker.make(
        "timelineContents", QStringLiteral("&At the peak"), {}, QStringLiteral("Show what the peak consists of"));
    contents->setCheckable(true);
    contents->setChecked(true);
    table = maker.make(
        "timelineTable", QStringLiteral("As &tables"), {}, QStringLiteral("Show peaks and phases as tables"));
    table->setCheckable(true);
    maker.separate();
    copy = maker.make("timelineCopy", QStringLiteral("Cop&y timeline"), {},
        QStringLiteral("Copy the timeline as an image or as text"));
    save = maker.make("timelineSave", QStringLiteral("Sa&ve timeline as…"), {},
        QStringLiteral("Save the timeline as PNG, PDF, SVG or CSV"));
}

TimelineView::TimelineView(Theme& theme, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_pages(new QStackedWidget)
    , m_empty(new QLabel)
    , m_bar(new QToolBar)
    , m_repeats(new QComboBox)
    , m_anchors(new QComboBox)
    , m_splitter(new QSplitter(Qt::Horizontal))
    , m_stack(new TimelineStack(theme))
    , m_readout(new TimelineReadout)
    , m_panel(new PeakPanel(theme))
    , m_actions(*this)
{
    setObjectName(QStringLiteral("timelineView"));
    m_empty->setObjectName(QStringLiteral("timelineEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(fontMetrics().height());
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(m_stack, 1);
    m_readout->setParent(m_stack);
    m_splitter->setObjectName(QStringLiteral("timelineSplitter"));
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(left);
    m_splitter->addWidget(m_panel);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_splitter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_pages);
    connectActions();
    connect(&m_selection, &Selection::changed, this, &TimelineView::updateSubjects);
    connect(m_stack, &TimelineStack::shownChanged, this, &TimelineView::updateShown);
    connect(m_stack, &TimelineStack::marksChanged, this, [this] {
        showReadout();
        updateActions();
    });
    connect(&m_stack->navigator(), &TimelineNavigator::windowChanged, this, &TimelineView::updateActions);
    connect(&m_panel->tree(), &PeakTreeView::pointed, this, [this](const Categories& categories) {
        for (TimelineLane* lane : m_stack->lanes())
            lane->highlight().setKept(categories);
    });
    updateSubjects();
}

QWidget* TimelineView::makeBar()
{
    m_bar->setObjectName(QStringLiteral("timelineBar"));
    for (QAction* action : {m_actions.peak, m_actions.previousPhase, m_actions.nextPhase, m_actions.contents})
        m_bar->addAction(action);
    const auto add = [this](QComboBox* combo, const char* name, const QString& words) {
        combo->setFocusPolicy(Qt::StrongFocus);
        new WheelGuard(combo);
        combo->setObjectName(QLatin1String(name));
        combo->setAccessibleName(words);
        combo->setToolTip(words);
        combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        return m_bar->addWidget(combo);
    };
    m_bar->addWidget(new ZoomTrail(m_stack->navigator()));
    m_repeatsShown = add(m_repeats, "timelineRepeat", QStringLiteral("Which repeat's trace is shown"));
    m_anchorsShown = add(m_anchors, "timelineAlign", QStringLiteral("The point at which the trials are aligned"));
    connect(
        m_repeats, &QComboBox::activated, this, [this] { m_stack->showRepeat(m_repeats->currentData().toLongLong()); });
    connect(m_anchors, &QComboBox::activated, this,
        [this] { m_stack->alignAt(m_anchors->currentData().toString().toStdString()); });
    return m_bar;
}

void TimelineView::connectActions()
{
    const auto on = [this](QAction* action, auto&& act) {
        connect(action, &QAction::triggered, this, std::forward<decltype(act)>(act));
    };
    on(m_actions.zoomIn, [this] { zoom(kKeyZoom); });
    on(m_actions.zoomOut, [this] { zoom(1 / kKeyZoom); });
    on(m_actions.panLeft, [this] { pan(-kPanShare); });
    on(m_actions.panRight, [this] { pan(kPanShare); });
    on(m_actions.fit, [this] { m_stack->navigator().fit(); });
    on(m_actions.back, [this] { m_stack->navigator().back(); });
    on(m_actions.forward, [this] { m_stack->navigator().forward(); });
    on(m_actions.peak, [this] { m_stack->jumpToPeak(); });
    on(m_actions.centre, [this] { m_stack->centreSelection(); });
    on(m_actions.previousPhase, [this] { m_stack->stepPhase(TimelineStack::Way::Previous); });
    on(m_actions.nextPhase, [this] { m_stack->stepPhase(TimelineStack::Way::Next); });
    on(m_actions.copy, [this] {
        if (FigurePlot* plot = activePlot())
            plot->actions().copy->trigger();
    });
    on(m_actions.save, [this] {
        if (FigurePlot* plot = activePlot())
            plot->actions().save->trigger();
    });
    connect(m_actions.contents, &QAction::toggled, this, [this](bool isShown) {
        m_panel->setVisible(isShown);
        m_stack->setExplained(explainedByPanel());
    });
    connect(m_actions.table, &QAction::toggled, this, &TimelineView::updateShown);
}

void TimelineView::setResults(Results results)
{
    m_results = std::move(results);
    updateSubjects();
}

std::optional<TimelineSubject> TimelineView::subjectOf(const QString& trial) const
{
    const report::ReportTrial* found = m_results ? m_results->find(trial.toStdString()) : nullptr;
    if (found == nullptr)
        return std::nullopt;
    return TimelineSubject{m_results->workspace(), m_results->experimentOf(*found), ResultSet::storedId(*found),
        report::nameOf(*found, m_results->comparison()), revisionOf(*found)};
}

void TimelineView::updateSubjects()
{
    std::vector<TimelineSubject> subjects;
    const QStringList& selected = m_selection.trials();
    for (auto trial = selected.rbegin(); trial != selected.rend() && subjects.size() < TimelineStack::kMostTrials;
        ++trial)
        if (auto subject = subjectOf(*trial))
            subjects.insert(subjects.begin(), std::move(*subject));
    m_pages->setCurrentIndex(subjects.empty() ? 0 : 1);
    m_empty->setText(!m_results
            ? QStringLiteral("Memory over time is shown here once an experiment is open.")
            : QStringLiteral("Select a trial in the table or in the tradeoff plot to see its memory over "
                             "time. Up to three are shown below each other."));
    m_stack->setSubjects(subjects);
}

// The tree of the peak has the colours: what is in it need not be explained twice.
std::vector<std::string> TimelineView::explainedByPanel() const
{
    std::vector<std::string> names;
    const TimelineSlot* slot = m_stack->current();
    if (!m_actions.contents->isChecked() || slot == nullptr || !slot->summary || !slot->summary->peak.trees)
        return names;
    for (const config::MemoryCategory category : config::kMemoryCategories)
        if (slot->summary->peak.trees->categories.of(category) > 0)
            names.emplace_back(config::titleOf(category));
    return names;
}

void TimelineView::updateShown()
{
    m_panel->show(m_stack->current());
    m_stack->setExplained(explainedByPanel());
    showReadout();
    for (TimelineLane* lane : m_stack->lanes()) {
        lane->plot().actions().table->setChecked(m_actions.table->isChecked());
        connect(&lane->canvas(), &FigureCanvas::laidOut, this, &TimelineView::placeReadout, Qt::UniqueConnection);
        connect(&lane->canvas(), &FigureCanvas::windowChanged, this, &TimelineView::placeReadout, Qt::UniqueConnection);
        connect(&lane->plot(), &FigurePlot::exported, this, &TimelineView::exported, Qt::UniqueConnection);
        connect(&lane->plot(), &FigurePlot::exportFailed, this, &TimelineView::exportFailed, Qt::UniqueConnection);
        connect(&lane->highlight(), &LayerHighlight::pointed, &m_panel->tree(), &PeakTreeView::setPointed,
            Qt::UniqueConnection);
    }
    setFocusProxy(m_stack->lanes().value(0)); // keys begin in the plot
    updateRepeats();
    updateAnchors();
    updateActions();
}

void TimelineView::showReadout()
{
    m_readout->show(*m_stack);
    placeReadout();
}

// It floats beside the cursor, on the side that has more room, and leaves the words at the peak uncovered where it can.
void TimelineView::placeReadout()
{
    const QList<TimelineLane*> lanes = m_stack->lanes();
    if (m_readout->isEmpty() || lanes.isEmpty() || !lanes.front()->hasData())
        return m_readout->hide();
    const figures::FigureLayout& layout = lanes.front()->canvas().scene().layout;
    const figures::Box& plot = layout.plot;
    const int gap = fontMetrics().averageCharWidth();
    const double cursor = m_stack->cursor() ? lanes.front()->pxOf(*m_stack->cursor()) : plot.x;
    const QPoint corner = lanes.front()->canvas().mapTo(m_stack, QPoint(0, 0));
    m_readout->adjustSize();
    const bool isRight = cursor < plot.x + plot.width / 2;
    const double beside = isRight ? cursor + gap : cursor - gap - m_readout->width();
    const double x = std::clamp(beside, 0.0, std::max(0.0, double(m_stack->width() - m_readout->width())));
    const double top = plot.y + gap;
    const double bottom = std::max(top, plot.bottom() - gap - m_readout->height());
    const auto covers = [&](double y) {
        const figures::Box own{x, y, double(m_readout->width()), double(m_readout->height())};
        return std::ranges::any_of(
            layout.labels, [&](const figures::MarkLabel& label) { return overlap(own, label.box); });
    };
    const double y = covers(top) && !covers(bottom) ? bottom : top;
    m_readout->move(corner + QPoint(static_cast<int>(x), static_cast<int>(y)));
    m_readout->raise();
    m_readout->setVisible(true);
}

void TimelineView::updateRepeats()
{
    m_repeats->clear();
    const TimelineSlot* slot = m_stack->current();
    if (slot != nullptr && slot->hasTrace())
        for (const TracedRepeatName& repeat : slot->window->repeats) {
            m_repeats->addItem(
                QStringLiteral("Repeat %1").arg(repeat.index + 1), static_cast<qlonglong>(repeat.repeat));
            if (repeat.repeat == slot->window->repeat)
                m_repeats->setCurrentIndex(m_repeats->count() - 1);
        }
    m_repeatsShown->setVisible(m_repeats->count() > 1);
}

void TimelineView::updateAnchors()
{
    m_anchors->clear();
    m_anchors->addItem(QStringLiteral("Aligned at the start"), QString());
    for (const std::string& phase : m_stack->commonPhases()) {
        const QString name = QString::fromStdString(phase);
        m_anchors->addItem(QStringLiteral("Aligned at the last %1").arg(name), name);
    }
    m_anchors->setCurrentIndex(std::max(m_anchors->findData(QString::fromStdString(m_stack->anchor())), 0));
    m_anchorsShown->setVisible(m_stack->shown().size() > 1);
}

void TimelineView::updateActions()
{
    const TimelineSlot* slot = m_stack->current();
    const bool hasTrace = slot != nullptr && slot->hasTrace();
    const TimelineNavigator& navigator = m_stack->navigator();
    for (QAction* action : {m_actions.zoomIn, m_actions.peak, m_actions.previousPhase, m_actions.nextPhase})
        action->setEnabled(hasTrace);
    for (QAction* action : {m_actions.zoomOut, m_actions.panLeft, m_actions.panRight, m_actions.fit})
        action->setEnabled(hasTrace && !navigator.isWhole());
    m_actions.back->setEnabled(hasTrace && navigator.canGoBack());
    m_actions.forward->setEnabled(hasTrace && navigator.canGoForward());
    m_actions.centre->setEnabled(hasTrace && (m_stack->cursor() || m_stack->range()));
    for (QAction* action : {m_actions.copy, m_actions.save, m_actions.table})
        action->setEnabled(hasTrace);
}

FigurePlot* TimelineView::activePlot()
{
    const QList<TimelineLane*> lanes = m_stack->lanes();
    for (TimelineLane* lane : lanes)
        if (lane->isAncestorOf(focusWidget()))
            return &lane->plot();
    return lanes.isEmpty() ? nullptr : &lanes.front()->plot();
}

// Zooms at the cursor if it is visible.
void TimelineView::zoom(double factor)
{
    TimelineNavigator& navigator = m_stack->navigator();
    const figures::TimeWindow& window = navigator.window();
    const std::int64_t middle = window.beginNs + window.lengthNs() / 2;
    const std::int64_t at = m_stack->cursor().value_or(middle);
    navigator.zoom(at >= window.beginNs && at < window.endNs ? at : middle, factor);
}

void TimelineView::pan(double share)
{
    TimelineNavigator& navigator = m_stack->navigator();
    navigator.pan(static_cast<std::int64_t>(share * static_cast<double>(navigator.window().lengthNs())));
}

QVariantMap TimelineView::state() const
{
    return {{QStringLiteral("contents"), m_actions.contents->isChecked()},
        {QStringLiteral("table"), m_actions.table->isChecked()}, {QStringLiteral("grouping"), m_panel->grouping()},
        {QStringLiteral("splitter"), m_splitter->saveState()}};
}

void TimelineView::restore(const QVariantMap& state)
{
    m_actions.contents->setChecked(state.value(QStringLiteral("contents"), true).toBool());
    m_actions.table->setChecked(state.value(QStringLiteral("table"), false).toBool());
    m_panel->setGrouping(state.value(QStringLiteral("grouping")).toString());
    m_splitter->restoreState(state.value(QStringLiteral("splitter")).toByteArray());
}

} // namespace headroom::ui
