// SPDX-License-Identifier: Apache-2.0
#include "ui/results/TrialsView.h"

#include "core/base/Csv.h"
#include "core/base/Wording.h"
#include "experiments/report/ReportTable.h"
#include "experiments/report/formats/MarkdownReport.h"
#include "experiments/report/formats/ReportFormat.h"
#include "ui/look/ElidedLabel.h"
#include "ui/look/FileDialog.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <vector>

namespace headroom::ui {
namespace {

constexpr const char* kNothingShown =
    "<b>No trials to show yet</b><br>Run an experiment, or open a workspace and choose one of its "
    "experiments. Each trial becomes a row here: its memory, its speed, and how it ended.";
constexpr const char* kNothingMatches = "<b>No trial matches the filter</b><br>Words look into all columns; "
                                        "fits:yes into one; steps/s&gt;2 compares numbers.";

// A table according to RFC 4180 (lines end with CR LF): numbers as displayed, in the units of their titles, with a
// decimal point in every language; unknown values are empty.
std::string csvText(const report::ReportTable& table)
{
    std::vector<std::string> titles;
    for (const report::ReportColumn& column : table.columns)
        titles.push_back(column.title);
    std::string text = csvLine(titles);
    for (const report::ReportRow& row : table.rows) {
        std::vector<std::string> cells;
        for (const report::ReportCell& cell : row.cells)
            cells.push_back(cell.text == report::kUnknownCell ? "" : cell.text);
        text += csvLine(cells);
    }
    return text;
}

} // namespace

TrialsView::TrialsView(Theme& theme, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_selection(selection)
    , m_table(new TrialsTable(theme, selection))
    , m_filter(new QLineEdit)
    , m_task(new ElidedLabel)
    , m_counts(new QLabel)
    , m_emptyText(new QLabel)
    , m_clearFilter(new QPushButton(QStringLiteral("Clear the filter")))
    , m_pages(new QStackedWidget)
    , m_jobs(QStringLiteral("tables"))
{
    setObjectName(QStringLiteral("trialsView"));
    makeActions();
    makeFilter();
    makeTask();
    layOut();
    connect(&m_table->trials(), &QAbstractItemModel::modelReset, this, &TrialsView::showCounts);
    connect(&theme, &Theme::changed, this, &TrialsView::showCounts);
    showCounts();
}

QAction* TrialsView::addViewAction(const char* name, const QString& text, const QKeySequence& keys)
{
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_table->addAction(action);
    return action;
}

void TrialsView::makeActions()
{
    m_copyCsv = addViewAction("copyTrialsCsv", QStringLiteral("Copy rows as CSV"), QKeySequence::Copy);
    m_copyMarkdown = addViewAction(
        "copyTrialsMarkdown", QStringLiteral("Copy rows as Markdown"), QKeySequence(QStringLiteral("Ctrl+Shift+C")));
    m_saveCsv = addViewAction("saveTrialsCsv", QStringLiteral("Save rows as CSV..."), {});
    m_onlyFront =
        addViewAction("onlyFront", QStringLiteral("On the front"), QKeySequence(QStringLiteral("Ctrl+Shift+F")));
    m_onlyFront->setCheckable(true);
    m_onlyFront->setToolTip(
        QStringLiteral("Show only the trials that no other one of their case beats in memory and speed"));
    m_trialActions = new TrialActions(m_selection, *m_table);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &TrialsView::showMenu);
    connect(m_onlyFront, &QAction::toggled, this, [this](bool isOn) {
        m_table->setOnlyFront(isOn);
        showCounts();
    });
    connect(m_copyCsv, &QAction::triggered, this,
        [this] { QGuiApplication::clipboard()->setText(QString::fromStdString(csvText(m_table->shownTable()))); });
    connect(m_copyMarkdown, &QAction::triggered, this, [this] {
        QGuiApplication::clipboard()->setText(QString::fromStdString(report::markdownTable(m_table->shownTable())));
    });
    connect(m_saveCsv, &QAction::triggered, this, &TrialsView::chooseCsvFile);
}

void TrialsView::showMenu(const QPoint& place)
{
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("trialsMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    for (QAction* action : m_trialActions->all() + QList<QAction*>{nullptr, m_copyCsv, m_copyMarkdown, m_saveCsv})
        if (action != nullptr)
            menu->addAction(action);
        else
            menu->addSeparator();
    menu->popup(m_table->viewport()->mapToGlobal(place));
}

void TrialsView::makeFilter()
{
    m_filter->setObjectName(QStringLiteral("trialsFilter"));
    m_filter->setAccessibleName(QStringLiteral("Filter of the trials"));
    m_filter->setPlaceholderText(QStringLiteral("Filter, as: every:2  fits:yes  steps/s>2  reserved<12"));
    m_filter->setToolTip(QStringLiteral(
        "All words must match. A word is searched in all columns, COLUMN:WORD in one; COLUMN<NUMBER compares."));
    m_filter->setClearButtonEnabled(true);
    m_clearFilter->setObjectName(QStringLiteral("clearTrialsFilter"));
    connect(m_clearFilter, &QPushButton::clicked, this, [this] {
        m_filter->clear();
        m_onlyFront->setChecked(false);
    });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_table->setFilterText(text);
        showCounts();
    });
}

void TrialsView::makeTask()
{
    m_task->setObjectName(QStringLiteral("trialsTask"));
    m_task->setAccessibleName(QStringLiteral("What all trials did"));
    m_task->hide();
}

void TrialsView::showTask()
{
    m_task->setLine(m_results == nullptr ? QString() : QString::fromStdString(m_results->content().task));
    m_task->setVisible(!m_task->text().isEmpty());
}

void TrialsView::layOut()
{
    auto* columns = new QToolButton;
    columns->setObjectName(QStringLiteral("trialsColumns"));
    columns->setText(QStringLiteral("Columns"));
    columns->setMenu(m_table->columnsMenu());
    columns->setPopupMode(QToolButton::InstantPopup);
    columns->setFocusPolicy(Qt::StrongFocus);
    auto* front = new QToolButton;
    front->setObjectName(QStringLiteral("trialsOnlyFront"));
    front->setDefaultAction(m_onlyFront);
    front->setFocusPolicy(Qt::StrongFocus);
    m_counts->setObjectName(QStringLiteral("trialsCounts"));
    m_emptyText->setObjectName(QStringLiteral("trialsEmptyText"));
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_emptyText->setWordWrap(true);

    auto* empty = new QWidget;
    auto* emptyLayout = new QVBoxLayout(empty);
    emptyLayout->addStretch(1);
    emptyLayout->addWidget(m_emptyText);
    emptyLayout->addWidget(m_clearFilter, 0, Qt::AlignHCenter);
    emptyLayout->addStretch(2);
    m_pages->addWidget(m_table);
    m_pages->addWidget(empty);

    auto* bar = new QHBoxLayout;
    bar->addWidget(m_filter, 2);
    bar->addWidget(front);
    bar->addWidget(m_counts);
    bar->addSpacing(fontMetrics().averageCharWidth());
    bar->addWidget(m_task, 3);
    bar->addWidget(columns);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 2, 4, 2);
    layout->setSpacing(2);
    layout->addLayout(bar);
    layout->addWidget(m_pages, 1);
    setFocusProxy(m_table);
    setFocusPolicy(Qt::StrongFocus); // so that who looks for the first widget of the view finds the rows
}

void TrialsView::setResults(const Results& results)
{
    m_results = results;
    m_table->setResults(results);
    m_trialActions->setResults(results);
    m_onlyFront->setEnabled(m_table->trials().trials().columnOf(QStringLiteral("front")) >= 0);
    showTask();
    showCounts();
}

void TrialsView::showCounts()
{
    const auto all = static_cast<int>(m_table->trials().trials().table().rows.size());
    const int shown = m_table->trials().rowCount();
    const QString complaint = m_table->trials().complaint();
    const QString whose = m_results ? m_results->title() : QString();
    const std::string counts = shown == all ? counted(all, "trial") : countedOf(shown, all, "trial");
    m_counts->setText(!complaint.isEmpty() ? complaint : all == 0 ? QString() : QString::fromStdString(counts));
    m_counts->setToolTip(whose);
    QPalette palette = QPalette();
    palette.setColor(QPalette::WindowText, complaint.isEmpty() ? m_theme.muted() : m_theme.alarm());
    m_counts->setPalette(palette);
    m_emptyText->setText(QLatin1String(all == 0 ? kNothingShown : kNothingMatches));
    m_clearFilter->setVisible(all > 0);
    m_filter->setEnabled(all > 0);
    m_pages->setCurrentIndex(shown > 0 ? 0 : 1);
    for (QAction* action : {m_copyCsv, m_copyMarkdown, m_saveCsv})
        action->setEnabled(shown > 0);
}

void TrialsView::chooseCsvFile()
{
    auto* dialog = new FileDialog(this, QStringLiteral("Save the rows as CSV"), m_folder);
    dialog->setObjectName(QStringLiteral("saveTrialsDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(QStringLiteral("Table (*.csv)"));
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->selectFile(FileDialog::nameOf(m_results->fileWords()) + QStringLiteral(".csv"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, dialog](const QString& path) {
        m_folder = dialog->directory().path();
        saveCsv(path);
    });
    dialog->open();
}

void TrialsView::saveCsv(const QString& path)
{
    m_jobs.run(
        this,
        [table = m_table->shownTable(), file = path.toStdString()](
            const std::stop_token& stop) { report::writeReportFile(file, csvText(table), stop); },
        [this, path] { Q_EMIT saved(path); }, [this](const QString& message) { Q_EMIT failed(message); });
}

QVariantMap TrialsView::state() const
{
    QVariantMap state = m_table->state();
    state.insert(QStringLiteral("folder"), m_folder);
    return state;
}

void TrialsView::restore(const QVariantMap& state)
{
    m_folder = state.value(QStringLiteral("folder")).toString();
    m_table->restore(state);
}

} // namespace headroom::ui
