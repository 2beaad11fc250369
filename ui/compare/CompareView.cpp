// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/CompareView.h"

#include "experiments/results/TrialRecordJson.h"
#include "ui/look/ElidedLabel.h"
#include "ui/look/LowWindow.h"
#include "ui/look/LowWindowWatch.h"
#include "ui/look/WheelGuard.h"
#include "ui/plot/PlotShare.h"
#include "ui/timeline/ZoomTrail.h"

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolBar>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::ui {
namespace {

const QString kStretched = QStringLiteral("stretched");
const QString kStart = QStringLiteral("start");
const QString kSteps = QStringLiteral("steps");
const QString kShare = QStringLiteral("share");
constexpr double kKeyZoom = 1.5;
constexpr double kPanShare = 0.2; ///< of the window
constexpr int kTableLetters = 48; ///< width of the tables beside the curves, for two trials
constexpr int kColumnLetters = 8; ///< more for each further trial
constexpr int kWidestSetting = 18; ///< letters of a column, so that each trial has one; tooltips have the rest
constexpr int kBesideLetters = 150; ///< width of the view from which the tables are beside the curves

QTreeWidget* makeTable(const char* name, const QString& words)
{
    auto* table = new QTreeWidget;
    table->setObjectName(QLatin1String(name));
    table->setAccessibleName(words);
    table->setFrameShape(QFrame::NoFrame);
    table->setAllColumnsShowFocus(true);
    table->setIndentation(table->fontMetrics().averageCharWidth() * 3 / 2);
    table->header()->setStretchLastSection(false);
    table->header()->setMinimumSectionSize(table->fontMetrics().averageCharWidth() * 4);
    return table;
}

QTreeWidgetItem* makeRow(const CompareRow& row, Qt::Alignment numbers)
{
    auto* item = new QTreeWidgetItem(row.cells);
    for (int column = 0; column < row.cells.size(); ++column) {
        item->setToolTip(column, row.cells[column]);
        if (column > 0)
            item->setTextAlignment(column, numbers | Qt::AlignVCenter);
    }
    item->setData(0, Qt::AccessibleTextRole, row.cells.join(QStringLiteral(", ")));
    for (const CompareRow& below : row.rows)
        item->addChild(makeRow(below, numbers));
    return item;
}

// Of two words if it is long: beside four trials it has little room.
QString inTwoLines(QString name)
{
    constexpr int kLong = 20;
    return name.size() < kLong ? name : name.replace(name.lastIndexOf(QLatin1Char(' ')), 1, QLatin1Char('\n'));
}

// Which trial's the column is: that of the letter which its head begins with.
std::size_t trialOfHead(const QString& head)
{
    return static_cast<std::size_t>(head.front().unicode() - u'A');
}

} // namespace

CompareView::CompareView(Theme& theme, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_selection(selection)
    , m_actions(new CompareActions(selection, this))
    , m_pages(new QStackedWidget)
    , m_empty(new QLabel)
    , m_sentences(new QLabel)
    , m_alignments(new QComboBox)
    , m_stack(new CompareStack(theme))
    , m_readout(new ElidedLabel)
    , m_peaks(makeTable("comparePeaks", QStringLiteral("What the trials hold at their peaks")))
    , m_settings(makeTable("compareSettings", QStringLiteral("Settings that differ")))
{
    setObjectName(QStringLiteral("compareView"));
    m_empty->setObjectName(QStringLiteral("compareEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_sentences->setObjectName(QStringLiteral("compareSentences"));
    m_sentences->setWordWrap(true);
    m_sentences->setProperty("inPicture", true);
    m_sentences->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentences->setMargin(fontMetrics().averageCharWidth());
    m_readout->setObjectName(QStringLiteral("compareReadout"));
    m_readout->setMargin(fontMetrics().averageCharWidth() / 2);
    m_readout->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred); // takes what the bar has left
    m_readout->setMinimumWidth(1);
    m_readout->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    QToolBar* bar = makeBar();
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(m_stack, 1);
    auto* right = new QSplitter(Qt::Vertical);
    right->setContentsMargins(0, 0, fontMetrics().averageCharWidth(), 0); // numbers do not touch the window's edge
    right->addWidget(m_peaks);
    right->addWidget(m_settings);
    right->setStretchFactor(0, 2);
    right->setStretchFactor(1, 1);
    auto* beside = new QSplitter(Qt::Horizontal);
    beside->setChildrenCollapsible(false);
    beside->addWidget(left);
    beside->addWidget(right);
    beside->setStretchFactor(0, 1);
    connect(beside, &QSplitter::splitterMoved, this, [this] { m_hasOwnSizes = true; });
    m_beside = beside;
    auto* shown = new QWidget;
    auto* below = new QVBoxLayout(shown);
    below->setContentsMargins({});
    below->setSpacing(0);
    below->addWidget(m_sentences);
    below->addWidget(bar);
    below->addWidget(beside, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(shown);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_pages);
    setFocusProxy(&m_stack->curves()); // keys begin in the plot
    connect(&theme, &Theme::changed, this, &CompareView::colourHeads);
    connect(&selection, &Selection::changed, this, &CompareView::follow);
    connect(m_stack, &CompareStack::shownChanged, this, &CompareView::showAlignments);
    connect(m_stack, &CompareStack::peaksChanged, this, &CompareView::explain);
    connect(m_stack, &CompareStack::cursorChanged, this, [this] {
        const QString words = m_stack->readout();
        m_readout->setLine(words.isEmpty() ? QStringLiteral("Point at the curves to read them.") : words);
        if (words.isEmpty())
            m_readout->setShortLine(QStringLiteral(" ")); // advice is better left out than cut
    });
    for (TimelineLane* lane : {&m_stack->curves(), &m_stack->difference()}) {
        connect(&lane->plot(), &FigurePlot::exported, this, &CompareView::exported);
        connect(&lane->plot(), &FigurePlot::exportFailed, this, &CompareView::exportFailed);
    }
    m_peaks->setTextElideMode(Qt::ElideMiddle); // the end of a path tells most, the beginning of a category
    m_settings->header()->setMaximumSectionSize(kWidestSetting * fontMetrics().averageCharWidth());
    addKeys();
    new LowWindowWatch(*this, [this] { showSentences(); });
    follow();
}

QToolBar* CompareView::makeBar()
{
    auto* bar = new QToolBar;
    bar->setObjectName(QStringLiteral("compareBar"));
    m_alignments->setObjectName(QStringLiteral("compareAlign"));
    m_alignments->setAccessibleName(QStringLiteral("How the trials' times are aligned"));
    m_alignments->setToolTip(QStringLiteral("How the trials' times are aligned"));
    m_alignments->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    new WheelGuard(m_alignments);
    connect(m_alignments, &QComboBox::activated, this, &CompareView::alignAsChosen);
    bar->addWidget(m_alignments);
    const auto addSwitch = [&](const char* name, const QString& text, const QString& words) {
        QAction* action = bar->addAction(text);
        action->setObjectName(QLatin1String(name));
        action->setCheckable(true);
        action->setToolTip(words);
        return action;
    };
    m_showTables = addSwitch("compareTables", QStringLiteral("Peaks and settings"),
        QStringLiteral("Show what the trials hold at their peaks, and the settings that differ"));
    m_showTables->setChecked(true);
    connect(m_showTables, &QAction::toggled, this, &CompareView::shareOut);
    m_allReasons = addSwitch("compareReasons", {}, QStringLiteral("Show why every other trial peaks where it does"));
    m_allReasons->setVisible(false);
    connect(m_allReasons, &QAction::toggled, this, &CompareView::showSentences);
    QAction* twin = addSwitch("compareAsTable", QStringLiteral("As table"),
        QStringLiteral("Show the curves' peaks and differences as tables"));
    connect(twin, &QAction::toggled, this, [this](bool isOn) {
        for (TimelineLane* lane : {&m_stack->curves(), &m_stack->difference()})
            lane->plot().actions().table->setChecked(isOn);
    });
    bar->addAction(m_actions->counterpart());
    bar->addWidget(new ZoomTrail(m_stack->navigator()));
    bar->addWidget(m_readout);
    return bar;
}

void CompareView::alignAsChosen()
{
    const QString chosen = m_alignments->currentData().toString();
    if (chosen == kStretched)
        m_stack->align(Alignment::Stretched);
    else if (chosen == kSteps)
        m_stack->align(Alignment::Steps);
    else if (chosen == kShare)
        m_stack->align(Alignment::Share);
    else if (chosen == kStart)
        m_stack->align(Alignment::Start);
    else
        m_stack->align(Alignment::Phase, chosen.toStdString());
}

// The same as in the timeline.
void CompareView::addKeys()
{
    TimelineNavigator& navigator = m_stack->navigator();
    const auto on = [this](const QList<QKeySequence>& keys, auto&& act) {
        auto* action = new QAction(this);
        action->setShortcuts(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, act);
        addAction(action);
    };
    const auto zoom = [this, &navigator](double factor) {
        const figures::TimeWindow& window = navigator.window();
        navigator.zoom(m_stack->cursor().value_or(window.beginNs + window.lengthNs() / 2), factor);
    };
    const auto pan = [&navigator](double share) {
        navigator.pan(static_cast<std::int64_t>(share * static_cast<double>(navigator.window().lengthNs())));
    };
    on({Qt::Key_W, Qt::Key_Plus}, [zoom] { zoom(kKeyZoom); });
    on({Qt::Key_S, Qt::Key_Minus}, [zoom] { zoom(1 / kKeyZoom); });
    on({Qt::Key_A}, [pan] { pan(-kPanShare); });
    on({Qt::Key_D}, [pan] { pan(kPanShare); });
    on({Qt::Key_0}, [&navigator] { navigator.fit(); });
    on({Qt::Key_Z, Qt::Key_Backspace}, [&navigator] { navigator.back(); });
}

void CompareView::setResults(Results results)
{
    m_results = std::move(results);
    m_actions->setResults(m_results);
    follow();
}

TimelineSubject CompareView::subjectOf(const report::ReportTrial& trial, const QString& name) const
{
    return {m_results->workspace(), m_results->experimentOf(trial), ResultSet::storedId(trial), name.toStdString(),
        std::hash<std::string>{}(experiments::toJson(trial.result).dump())};
}

void CompareView::follow()
{
    std::vector<const report::ReportTrial*> trials;
    for (const QString& id : m_selection.trials())
        if (const report::ReportTrial* trial = m_results ? m_results->find(id.toStdString()) : nullptr;
            trial != nullptr && trials.size() < CompareStack::kMostTrials)
            trials.push_back(trial);
    m_pages->setCurrentIndex(trials.size() < 2 ? 0 : 1);
    m_empty->setText(!m_results
            ? QStringLiteral("Trials are compared here once an experiment is open.")
            : QStringLiteral("Select two to six trials to compare them: Ctrl-click rows of the table or marks of the "
                             "tradeoff. The first one is what the others are compared with."));
    if (trials.size() < 2)
        return m_stack->setSubjects({});
    const ComparedTrials compared = namedTrials(std::move(trials));
    std::vector<TimelineSubject> subjects;
    for (std::size_t i = 0; i < compared.trials.size(); ++i)
        subjects.push_back(subjectOf(*compared.trials[i], compared.names.at(static_cast<int>(i))));
    m_stack->setSubjects(std::move(subjects));
    m_compared = compared;
    explain();
    shareOut();
}

// Once more when peaks have been read from traces: recordings have no others.
void CompareView::explain()
{
    if (m_pages->currentIndex() == 0)
        return;
    m_compared.traced = m_stack->peaks();
    m_reasons = peakSentences(m_compared);
    showSentences();
    showTables(m_compared);
}

// In a low window the curves have the lines of all reasons but the first one.
void CompareView::showSentences()
{
    const bool isShort = isInLowWindow(*this) && m_reasons.size() > 1;
    m_allReasons->setVisible(isShort);
    m_allReasons->setText(QStringLiteral("All %1 reasons").arg(m_reasons.size()));
    const bool isFirstOnly = isShort && !m_allReasons->isChecked();
    m_sentences->setText(isFirstOnly ? m_reasons.first() : m_reasons.join(QLatin1Char('\n')));
    m_sentences->setVisible(!m_reasons.isEmpty());
}

void CompareView::showAlignments()
{
    m_alignments->clear();
    if (m_stack->canAlign(Alignment::Stretched))
        m_alignments->addItem(QStringLiteral("Phase by phase"), kStretched);
    if (m_stack->canAlign(Alignment::Steps))
        m_alignments->addItem(QStringLiteral("Step by step"), kSteps);
    m_alignments->addItem(QStringLiteral("Aligned at the start"), kStart);
    m_alignments->addItem(QStringLiteral("By share of the whole"), kShare);
    for (const std::string& phase : m_stack->commonPhases()) {
        const QString name = QString::fromStdString(phase);
        m_alignments->addItem(QStringLiteral("Aligned at the last %1").arg(name), name);
    }
    const Alignment used = m_stack->alignment();
    const QString chosen = used == Alignment::Phase ? QString::fromStdString(m_stack->alignedPhase())
        : used == Alignment::Stretched              ? kStretched
        : used == Alignment::Steps                  ? kSteps
        : used == Alignment::Share                  ? kShare
                                                    : kStart;
    m_alignments->setCurrentIndex(std::max(0, m_alignments->findData(chosen)));
    m_alignments->setMinimumWidth(m_alignments->sizeHint().width()); // a toolbar would keep that of the words before
    m_alignments->setEnabled(m_stack->trialsWithTimeline() > 1);
}

void CompareView::showTables(const ComparedTrials& compared)
{
    QStringList names;
    for (int i = 0; i < compared.names.size(); ++i)
        names.append(QStringLiteral("%1: %2").arg(
            QString::fromStdString(letterOf(static_cast<std::size_t>(i))), compared.names[i]));
    showTable(*m_peaks, peakTable(compared), names);
    showTable(*m_settings, settingsTable(compared), names);
    colourHeads();
}

void CompareView::showTable(QTreeWidget& widget, const CompareTable& table, const QStringList& names)
{
    widget.clear();
    widget.setColumnCount(static_cast<int>(table.header.size()));
    widget.setHeaderLabels(table.header);
    widget.setVisible(!table.rows.isEmpty());
    if (table.rows.isEmpty())
        return;
    const Qt::Alignment numbers = &widget == m_peaks ? Qt::AlignRight : Qt::AlignLeft;
    for (int column = 1; column < table.header.size(); ++column) {
        const QString name = names.value(static_cast<int>(trialOfHead(table.header[column])));
        widget.headerItem()->setToolTip(column, name);
        widget.headerItem()->setData(column, Qt::AccessibleTextRole, name);
    }
    for (const CompareRow& row : table.rows) {
        widget.addTopLevelItem(makeRow(row, numbers));
        QTreeWidgetItem& item = *widget.topLevelItem(widget.topLevelItemCount() - 1);
        item.setExpanded(row.isOpen);
        if (&widget == m_peaks && names.size() > 3)
            item.setText(0, inTwoLines(row.cells.front()));
    }
    widget.setRootIsDecorated(std::ranges::any_of(table.rows, [](const auto& row) { return !row.rows.isEmpty(); }));
    widget.header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    widget.header()->setSectionResizeMode(0, QHeaderView::Stretch);
}

// The colours of the curves.
void CompareView::colourHeads()
{
    const int side = fontMetrics().height() * 2 / 3;
    for (QTreeWidget* table : {m_peaks, m_settings})
        for (int column = 1; column < table->columnCount(); ++column) {
            const QString head = table->headerItem()->text(column);
            QPixmap colour(QSize(side, side) * devicePixelRatioF());
            colour.setDevicePixelRatio(devicePixelRatioF());
            colour.fill(head.isEmpty() ? QColor(Qt::transparent) : m_theme.series(trialOfHead(head)));
            table->headerItem()->setIcon(column, QIcon(colour));
        }
}

void CompareView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    shareOut();
}

// The curves keep most of the width. Where there is not enough for both, the tables take their place when asked for.
void CompareView::shareOut()
{
    const int letter = fontMetrics().averageCharWidth();
    const bool isWide = width() >= kBesideLetters * letter;
    if (isWide != m_isWide) {
        m_isWide = isWide;
        m_showTables->setChecked(isWide);
    }
    m_beside->widget(0)->setVisible(m_isWide || !m_showTables->isChecked());
    m_beside->widget(1)->setVisible(m_showTables->isChecked());
    if (m_hasOwnSizes)
        return;
    const auto trials = static_cast<int>(m_selection.trials().size());
    const int wanted = (kTableLetters + kColumnLetters * std::max(0, trials - 2)) * letter;
    const int tables = std::clamp(mostBeside(size(), m_beside->size(), Qt::Horizontal), 0, wanted);
    m_beside->setSizes({width() - tables, tables});
}

} // namespace headroom::ui
