// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/LogView.h"

#include "core/base/Wording.h"
#include "ui/queue/LogModel.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

namespace headroom::ui {
namespace {

const QString kEmptyLog = QStringLiteral("The log is empty.\n\nWhat workers write while experiments run appears "
                                         "here, with the time and the trial.");
const QString kNothingFound = QStringLiteral("No line of the log matches the search and the selected trial.");

QToolButton* buttonFor(QAction* action)
{
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

void LogFilter::setText(const QString& text)
{
    m_text = text;
    invalidateFilter();
}

void LogFilter::setTrial(const QString& trialId)
{
    if (trialId == m_trial)
        return;
    m_trial = trialId;
    invalidateFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex text = sourceModel()->index(row, LogModel::Text, parent);
    if (!m_trial.isEmpty() && text.data(LogModel::TrialIdRole).toString() != m_trial)
        return false;
    const QModelIndex trial = sourceModel()->index(row, LogModel::Trial, parent);
    return m_text.isEmpty() || text.data().toString().contains(m_text, Qt::CaseInsensitive)
        || trial.data().toString().contains(m_text, Qt::CaseInsensitive);
}

LogView::LogView(RunService& service, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_model(new LogModel(theme, LogModel::kMostLines, this))
    , m_filter(new LogFilter(this))
{
    setObjectName(QStringLiteral("logView"));
    m_filter->setSourceModel(m_model);
    makeActions();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeTools());
    m_list = makeList();
    m_empty = new QLabel(kEmptyLog);
    m_empty->setObjectName(QStringLiteral("logEmpty"));
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(fontMetrics().height());
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_list);
    layout->addWidget(m_stack, 1);
    followEnd();
    connect(&service, &RunService::logAppended, this, &LogView::append);
    showCounts();
}

void LogView::makeActions()
{
    const auto add = [this](const char* name, const char* text, QKeySequence keys, const char* help) {
        auto* action = new QAction(QString::fromUtf8(text), this);
        action->setObjectName(QString::fromUtf8(name));
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setToolTip(QString::fromUtf8(help));
        addAction(action);
        return action;
    };
    m_copy = add("log.copy", "Copy", QKeySequence::Copy, "Copies the selected lines, or all that are shown");
    m_clear = add("log.clear", "Clear", {}, "Empties the log; results are not touched");
    m_find = add("log.find", "Find", QKeySequence::Find, "Searches the log");
    connect(m_copy, &QAction::triggered, this, &LogView::copyLines);
    connect(m_clear, &QAction::triggered, this, [this] {
        m_model->clear();
        showCounts();
    });
    connect(m_find, &QAction::triggered, this, [this] { m_search->setFocus(Qt::ShortcutFocusReason); });
}

QWidget* LogView::makeTools()
{
    auto* tools = new QWidget;
    auto* layout = new QHBoxLayout(tools);
    const int gap = fontMetrics().averageCharWidth();
    layout->setContentsMargins(gap, gap / 2, gap, gap / 2);
    m_search = new QLineEdit;
    m_search->setObjectName(QStringLiteral("logSearch"));
    m_search->setAccessibleName(QStringLiteral("Search the log"));
    m_search->setPlaceholderText(QStringLiteral("Search the log"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(fontMetrics().averageCharWidth() * 40);
    m_onlySelected = new QCheckBox(QStringLiteral("Selected trial only"));
    m_onlySelected->setObjectName(QStringLiteral("logOnlySelected"));
    m_counts = new QLabel;
    m_counts->setObjectName(QStringLiteral("logCounts"));
    m_counts->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(m_search, 1);
    layout->addWidget(m_onlySelected);
    layout->addStretch(1);
    layout->addWidget(m_counts);
    layout->addWidget(buttonFor(m_copy));
    layout->addWidget(buttonFor(m_clear));
    connect(m_search, &QLineEdit::textChanged, this, &LogView::applyFilter);
    connect(m_onlySelected, &QCheckBox::toggled, this, &LogView::applyFilter);
    return tools;
}

QTreeView* LogView::makeList()
{
    auto* list = new QTreeView;
    list->setObjectName(QStringLiteral("logList"));
    list->setAccessibleName(QStringLiteral("Log of the workers"));
    list->setModel(m_filter);
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setAlternatingRowColors(true);
    list->setFrameShape(QFrame::NoFrame);
    list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list->header()->resizeSection(
        LogModel::Time, list->fontMetrics().horizontalAdvance(QStringLiteral("00:00:00____")));
    list->header()->resizeSection(LogModel::Trial, list->fontMetrics().averageCharWidth() * 36);
    list->header()->setStretchLastSection(true);
    return list;
}

// If the user has scrolled up, the visible lines stay in place when lines above them are dropped.
void LogView::followEnd()
{
    QScrollBar* bar = m_list->verticalScrollBar();
    connect(bar, &QScrollBar::valueChanged, this, [this, bar](int value) { m_followsEnd = value >= bar->maximum(); });
    connect(bar, &QScrollBar::rangeChanged, this, [this, bar](int, int maximum) {
        if (m_followsEnd)
            bar->setValue(maximum);
    });
    connect(m_filter, &QAbstractItemModel::rowsRemoved, this, [this, bar](const QModelIndex&, int first, int last) {
        if (!m_followsEnd && first < bar->value())
            bar->setValue(bar->value() - (last - first + 1));
    });
}

void LogView::append(const LogLines& lines, qint64 dropped)
{
    m_model->append(lines, dropped);
    showCounts();
}

void LogView::setSelectedTrial(const QString& trialId)
{
    m_trial = trialId;
    applyFilter();
}

void LogView::applyFilter()
{
    m_filter->setText(m_search->text().trimmed());
    m_filter->setTrial(m_onlySelected->isChecked() ? m_trial : QString());
    m_onlySelected->setToolTip(m_trial.isEmpty() ? QStringLiteral("Select a trial to see its lines only")
                                                 : QStringLiteral("Shows the lines of the selected trial only"));
    showCounts();
}

void LogView::showCounts()
{
    const int all = m_model->rowCount();
    const int shown = m_filter->rowCount();
    std::string text = shown == all ? counted(all, "line") : countedOf(shown, all, "line");
    if (m_model->dropped() > 0)
        text += "; " + counted(m_model->dropped(), "older line") + " dropped";
    m_counts->setText(QString::fromStdString(text));
    m_empty->setText(all == 0 ? kEmptyLog : kNothingFound);
    m_stack->setCurrentIndex(shown == 0 ? 0 : 1);
    m_copy->setEnabled(shown > 0);
    m_clear->setEnabled(all > 0);
}

QModelIndexList LogView::shownRows() const
{
    QModelIndexList rows = m_list->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row() < b.row(); });
    if (rows.isEmpty())
        for (int row = 0; row < m_filter->rowCount(); ++row)
            rows += m_filter->index(row, 0);
    return rows;
}

void LogView::copyLines() const
{
    QStringList lines;
    for (const QModelIndex& row : shownRows()) {
        QStringList cells;
        for (int column = 0; column < LogModel::ColumnCount; ++column)
            cells += row.siblingAtColumn(column).data().toString();
        lines += cells.join(u'\t');
    }
    QGuiApplication::clipboard()->setText(lines.join(u'\n') + u'\n');
}

} // namespace headroom::ui
