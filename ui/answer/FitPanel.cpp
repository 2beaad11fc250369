// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/FitPanel.h"

#include "core/config/Value.h"
#include "ui/answer/PredictionEngine.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

constexpr int kShownRows = 5; ///< rows that are visible without scrolling

// Notations are strings, even if they look like numbers; the batch is a number.
std::string tomlOf(const experiments::SettingChange& change)
{
    return change.path.starts_with("techniques.") ? config::toToml(config::Value(change.after)) : change.after;
}

} // namespace

using experiments::FitProgress;
using experiments::FitSearchResult;

FitFinder::FitFinder(QObject* parent)
    : QObject(parent)
    , m_engine(std::make_shared<PredictionEngine>())
    , m_jobs(QStringLiteral("fit search"))
{
    m_jobs.setCleanup([engine = m_engine] { engine->end(); });
}

FitFinder::~FitFinder()
{
    cancel();
}

void FitFinder::search(const config::Trial& trial)
{
    cancel();
    m_cancel = std::stop_source();
    m_isSearching = true;
    const auto progress = [this, search = ++m_search](const FitProgress& done) {
        QMetaObject::invokeMethod(this, [this, search, done] { report(search, done); }, Qt::QueuedConnection);
    };
    m_jobs.runNewest(
        QStringLiteral("search"), this,
        [engine = m_engine, trial, progress, cancel = m_cancel.get_token()](
            std::stop_token) { return experiments::searchForFit(engine->predictor(), trial, progress, cancel); },
        [this](const FitSearchResult& result) {
            m_isSearching = false;
            Q_EMIT finished(result);
        },
        [this](const QString& message) {
            m_isSearching = false;
            Q_EMIT failed(message);
        });
}

void FitFinder::cancel()
{
    m_cancel.request_stop();
}

void FitFinder::report(int search, const FitProgress& progress)
{
    if (search == m_search && m_isSearching)
        Q_EMIT progressed(progress);
}

FitPanel::FitPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new FitModel(this))
    , m_message(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_end(new QPushButton(this))
    , m_table(new QTableView(this))
{
    setObjectName(QStringLiteral("fitPanel"));
    setAccessibleName(QStringLiteral("Changes predicted to fit"));
    buildHeader();
    buildTable();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* header = new QHBoxLayout;
    header->addWidget(m_message, 1);
    header->addWidget(m_progress);
    header->addWidget(m_end, 0, Qt::AlignTop);
    layout->addLayout(header);
    layout->addWidget(m_table);
    connect(m_end, &QPushButton::clicked, this, [this] { isSearching() ? m_finder.cancel() : dismiss(); });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) { apply(index.row()); });
    connect(&m_finder, &FitFinder::progressed, this, &FitPanel::showProgress);
    connect(&m_finder, &FitFinder::finished, this, &FitPanel::showResult);
    connect(&m_finder, &FitFinder::failed, this,
        [this](const QString& message) { showMessage(QStringLiteral("The search failed: %1").arg(message)); });
}

void FitPanel::buildHeader()
{
    m_message->setObjectName(QStringLiteral("fitMessage"));
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_message->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_progress->setObjectName(QStringLiteral("fitProgress"));
    m_progress->setAccessibleName(QStringLiteral("Search in progress"));
    m_progress->setRange(0, 0);
    m_progress->setMaximumWidth(fontMetrics().horizontalAdvance(QLatin1Char('0')) * 12);
    m_progress->setTextVisible(false);
    m_end->setObjectName(QStringLiteral("fitEnd"));
    m_end->setText(QStringLiteral("Close")); // until a search begins
}

void FitPanel::buildTable()
{
    m_table->setObjectName(QStringLiteral("fitTable"));
    m_table->setAccessibleName(QStringLiteral("Changes predicted to fit, the smallest first"));
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
    m_table->horizontalHeader()->setSectionResizeMode(FitModel::Change, QHeaderView::Stretch);
}

void FitPanel::search(const Prediction& asked)
{
    m_asked = asked;
    m_model->setChanges({}, asked);
    m_table->hide();
    m_progress->setRange(0, 0);
    m_progress->show();
    m_end->setText(QStringLiteral("Cancel"));
    m_message->setText(QStringLiteral("Searching for the smallest changes that fit."));
    show();
    m_end->setFocus();
    m_finder.search(asked.trial);
}

void FitPanel::dismiss()
{
    m_finder.cancel();
    hide();
}

void FitPanel::showProgress(const experiments::FitProgress& progress)
{
    const auto done = static_cast<int>(progress.simulations);
    const auto expected = static_cast<int>(progress.expectedSimulations);
    m_progress->setRange(0, expected);
    m_progress->setValue(done);
    m_message->setText(
        QStringLiteral("Searching for the smallest changes that fit: %1 of about %2 combinations predicted, %3 found.")
            .arg(done)
            .arg(expected)
            .arg(progress.found.size()));
    showChanges(progress.found);
}

void FitPanel::showResult(const experiments::FitSearchResult& result)
{
    const QString enter = result.found.empty() ? QString() : QStringLiteral(" Enter applies the selected one.");
    showMessage(QString::fromStdString(experiments::sentenceFor(result)) + enter);
    const bool isWaiting = m_end->hasFocus();
    showChanges(result.found);
    if (!result.found.empty() && (isWaiting || m_table->hasFocus()))
        m_table->setFocus();
}

// A selected row stays selected as long as it is in the list, and a search that goes on does not take the keyboard
// focus.
void FitPanel::showChanges(const std::vector<experiments::FittingChange>& changes)
{
    if (changes.empty() || isShown(changes))
        return;
    const QModelIndex selected = m_table->currentIndex();
    const auto before =
        selected.isValid() ? m_model->change(selected.row()).changes : std::vector<experiments::SettingChange>();
    m_model->setChanges(changes, m_asked);
    addApplyButtons();
    m_table->show();
    m_table->resizeRowsToContents();
    m_table->setFixedHeight(heightOfRows());
    m_table->selectRow(qMax(0, m_model->rowOf(before)));
}

bool FitPanel::isShown(const std::vector<experiments::FittingChange>& changes) const
{
    if (m_model->rowCount() != static_cast<int>(changes.size()))
        return false;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_model->change(row).changes != changes[static_cast<std::size_t>(row)].changes)
            return false;
    return true;
}

int FitPanel::heightOfRows() const
{
    int height = m_table->horizontalHeader()->sizeHint().height() + 2 * m_table->frameWidth();
    for (int row = 0; row < qMin(kShownRows, m_model->rowCount()); ++row)
        height += m_table->rowHeight(row);
    return height;
}

void FitPanel::showMessage(const QString& message)
{
    m_progress->hide();
    m_end->setText(QStringLiteral("Close"));
    m_message->setText(message);
}

// A button beside each row, for the mouse; Enter on a row does the same.
void FitPanel::addApplyButtons()
{
    for (int row = 0; row < m_model->rowCount(); ++row) {
        auto* button = new QPushButton(QStringLiteral("Apply"), m_table);
        button->setObjectName(QStringLiteral("fitApply%1").arg(row));
        button->setAccessibleName(
            QStringLiteral("Apply %1").arg(m_model->index(row, FitModel::Change).data().toString()));
        connect(button, &QPushButton::clicked, this, [this, row] { apply(row); });
        m_table->setIndexWidget(m_model->index(row, FitModel::Apply), button);
    }
}

void FitPanel::apply(int row)
{
    SettingValues values;
    for (const experiments::SettingChange& change : m_model->change(row).changes)
        values.append({QString::fromStdString(change.path), QString::fromStdString(tomlOf(change))});
    dismiss();
    Q_EMIT changeChosen(values);
}

void FitPanel::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QWidget::keyPressEvent(event);
}

} // namespace headroom::ui
