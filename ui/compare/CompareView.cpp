// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/CompareView.h"

#include "experiments/results/TrialRecordJson.h"
#include "ui/look/WheelGuard.h"

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>
#include <QToolBar>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

const QString kStretched = QStringLiteral("stretched");
const QString kStart = QStringLiteral("start");
constexpr int kNameLetters = 24; ///< width of the first column of a table

QTableWidget* makeTable(const char* name, const QString& words)
{
    auto* table = new QTableWidget;
    table->setObjectName(QLatin1String(name));
    table->setAccessibleName(words);
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setWordWrap(true);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setHighlightSections(false);
    return table;
}

} // namespace

CompareView::CompareView(Theme& theme, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_pages(new QStackedWidget)
    , m_empty(new QLabel)
    , m_sentences(new QLabel)
    , m_alignments(new QComboBox)
    , m_stack(new CompareStack(theme))
    , m_readout(new QLabel)
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
    m_readout->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(m_stack, 1);
    column->addWidget(m_readout);
    auto* right = new QSplitter(Qt::Vertical);
    right->addWidget(m_peaks);
    right->addWidget(m_settings);
    right->setStretchFactor(0, 2);
    right->setStretchFactor(1, 1);
    auto* beside = new QSplitter(Qt::Horizontal);
    beside->addWidget(left);
    beside->addWidget(right);
    beside->setStretchFactor(0, 1);
    beside->setSizes({700, 56 * fontMetrics().averageCharWidth()});
    auto* shown = new QWidget;
    auto* below = new QVBoxLayout(shown);
    below->setContentsMargins({});
    below->setSpacing(0);
    below->addWidget(m_sentences);
    below->addWidget(beside, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(shown);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_pages);
    connect(&selection, &Selection::changed, this, &CompareView::follow);
    connect(m_stack, &CompareStack::shownChanged, this, &CompareView::showAlignments);
    connect(m_stack, &CompareStack::cursorChanged, this, [this] {
        const QString words = m_stack->readout();
        m_readout->setText(words.isEmpty() ? QStringLiteral("Point at the curves to read them.") : words);
        m_readout->setToolTip(words);
    });
    follow();
}

QToolBar* CompareView::makeBar()
{
    auto* bar = new QToolBar;
    bar->setObjectName(QStringLiteral("compareBar"));
    TimelineNavigator& navigator = m_stack->navigator();
    const auto add = [&](const QString& name, const QString& words, auto&& act) {
        QAction* action = bar->addAction(words);
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    QAction* fit =
        add(QStringLiteral("compareFit"), QStringLiteral("Show everything"), [&navigator] { navigator.fit(); });
    QAction* back = add(QStringLiteral("compareBack"), QStringLiteral("Back"), [&navigator] { navigator.back(); });
    connect(&navigator, &TimelineNavigator::windowChanged, this, [&navigator, fit, back] {
        fit->setEnabled(!navigator.isWhole());
        back->setEnabled(navigator.canGoBack());
    });
    fit->setEnabled(false);
    back->setEnabled(false);
    m_alignments->setObjectName(QStringLiteral("compareAlign"));
    m_alignments->setAccessibleName(QStringLiteral("How the trials' times are aligned"));
    m_alignments->setToolTip(QStringLiteral("How the trials' times are aligned"));
    m_alignments->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    new WheelGuard(m_alignments);
    bar->addWidget(m_alignments);
    connect(m_alignments, &QComboBox::activated, this, [this] {
        const QString chosen = m_alignments->currentData().toString();
        if (chosen == kStretched)
            m_stack->align(Alignment::Stretched);
        else if (chosen == kStart)
            m_stack->align(Alignment::Start);
        else
            m_stack->align(Alignment::Phase, chosen.toStdString());
    });
    for (TimelineLane* lane : {&m_stack->curves(), &m_stack->difference()}) {
        connect(&lane->plot(), &FigurePlot::exported, this, &CompareView::exported);
        connect(&lane->plot(), &FigurePlot::exportFailed, this, &CompareView::exportFailed);
    }
    return bar;
}

void CompareView::setResults(Results results)
{
    m_results = std::move(results);
    follow();
}

TimelineSubject CompareView::subjectOf(const report::ReportTrial& trial, const QString& name) const
{
    return {m_results->workspace(), m_results->content().number, trial.id(), name.toStdString(),
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
    m_sentences->setText(peakSentences(compared).join(QLatin1Char('\n')));
    m_sentences->setVisible(!m_sentences->text().isEmpty());
    showTable(*m_peaks, peakTable(compared));
    showTable(*m_settings, settingsTable(compared));
    std::vector<TimelineSubject> subjects;
    for (std::size_t i = 0; i < compared.trials.size(); ++i)
        subjects.push_back(subjectOf(*compared.trials[i], compared.names.at(static_cast<int>(i))));
    m_stack->setSubjects(std::move(subjects));
}

void CompareView::showAlignments()
{
    m_alignments->clear();
    if (m_stack->canStretch())
        m_alignments->addItem(QStringLiteral("Phase by phase"), kStretched);
    m_alignments->addItem(QStringLiteral("Aligned at the start"), kStart);
    for (const std::string& phase : m_stack->commonPhases()) {
        const QString name = QString::fromStdString(phase);
        m_alignments->addItem(QStringLiteral("Aligned at the last %1").arg(name), name);
    }
    const QString chosen = m_stack->alignment() == Alignment::Phase ? QString::fromStdString(m_stack->alignedPhase())
        : m_stack->alignment() == Alignment::Stretched              ? kStretched
                                                                    : kStart;
    m_alignments->setCurrentIndex(std::max(0, m_alignments->findData(chosen)));
    m_alignments->setEnabled(m_stack->trialsWithTimeline() > 1);
}

void CompareView::showTable(QTableWidget& widget, const CompareTable& table)
{
    widget.clear();
    widget.setColumnCount(static_cast<int>(table.header.size()));
    widget.setRowCount(static_cast<int>(table.rows.size()));
    widget.setHorizontalHeaderLabels(table.header);
    for (int row = 0; row < table.rows.size(); ++row)
        for (int column = 0; column < table.rows[row].size(); ++column) {
            auto* item = new QTableWidgetItem(table.rows[row][column]);
            item->setToolTip(item->text());
            if (column > 0 && &widget == m_peaks)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            widget.setItem(row, column, item);
        }
    widget.horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    if (!table.header.isEmpty()) { // Qt does not check that there is a first column
        widget.horizontalHeader()->setSectionResizeMode(0, QHeaderView::Interactive);
        widget.setColumnWidth(0, kNameLetters * fontMetrics().averageCharWidth());
    }
    widget.setVisible(!table.rows.isEmpty());
}

} // namespace headroom::ui
