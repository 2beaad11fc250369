// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/QueueView.h"

#include "ui/queue/ProgressDelegate.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>

#include <array>

namespace headroom::ui {
namespace {

const QString kEmptyQueue = QStringLiteral(
    "Nothing is in the queue.\n\nRun an experiment, and it appears here with its trials: what each is doing, how much "
    "memory it took and how fast it was, and why it ended if it did not complete.");

constexpr int kLeastSentenceCharacters = 30;

// Typical contents of each column, for its initial width.
constexpr std::array<const char*, QueueModel::ColumnCount> kTypicalText{"____split_ffn 4 | checkpointing",
    "sim:a100-80gb", "out of memory___", "100 %_________", "needs 35.4 GiB, 11.7 more than usable; first", "Samples",
    "94.2 MiB allocated", "0.0452 steps/s", "12 min 34 s"};

/// Labels of a sweep often begin alike: what tells them apart is at either end.
class LabelDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideMiddle;
    }
};

} // namespace

QueueView::QueueView(RunService& service, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_service(service)
    , m_theme(theme)
    , m_actions(new QueueActions(service, theme, this))
    , m_model(new QueueModel(service, theme, this))
{
    setObjectName(QStringLiteral("queueView"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    m_tree = makeTree();
    makeCopy();
    m_stack = new QStackedWidget;
    m_stack->addWidget(makeEmptyState());
    m_stack->addWidget(m_tree);
    layout->addWidget(m_stack, 1);
    layout->addWidget(makeOverall());
    connectTree();
    connect(&service, &RunService::changed, this, &QueueView::showOverall);
    connect(&theme, &Theme::changed, this, &QueueView::dress);
    dress();
    showOverall();
}

QToolBar* QueueView::makeToolBar()
{
    auto* bar = new QToolBar(QStringLiteral("Queue"));
    bar->setObjectName(QStringLiteral("queueToolBar"));
    bar->setMovable(false);
    const int side = fontMetrics().height();
    bar->setIconSize({side, side});
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    for (QAction* action : m_actions->all())
        if (action == nullptr)
            bar->addSeparator();
        else if (action != m_actions->removeEnded())
            bar->addAction(action);
    for (QAction* action : {m_actions->moveUp(), m_actions->moveDown(), m_actions->moveToTop(), m_actions->remove()})
        if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action))) {
            button->setToolButtonStyle(Qt::ToolButtonIconOnly);
            button->setAccessibleName(action->text());
        }
    for (QToolButton* button : bar->findChildren<QToolButton*>())
        button->setFocusPolicy(Qt::TabFocus);
    return bar;
}

QTreeView* QueueView::makeTree()
{
    auto* tree = new QTreeView;
    tree->setObjectName(QStringLiteral("queueTree"));
    tree->setAccessibleName(QStringLiteral("Queue of experiments and trials"));
    tree->setModel(m_model);
    tree->setUniformRowHeights(true);
    tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    tree->setAlternatingRowColors(true);
    tree->setFrameShape(QFrame::NoFrame);
    tree->setDragDropMode(QAbstractItemView::InternalMove);
    tree->setDragDropOverwriteMode(false);
    tree->setContextMenuPolicy(Qt::CustomContextMenu);
    tree->setItemDelegateForColumn(QueueModel::Label, new LabelDelegate(tree));
    tree->setItemDelegateForColumn(QueueModel::Progress, new ProgressDelegate(m_theme, tree));
    tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
    for (QAction* action : m_actions->all())
        if (action != nullptr)
            tree->addAction(action);
    return tree;
}

void QueueView::setColumnWidths()
{
    QHeaderView* header = m_tree->header();
    header->setStretchLastSection(false);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (int column = 0; column < QueueModel::ColumnCount; ++column) {
        const QString text = QString::fromUtf8(kTypicalText.at(static_cast<std::size_t>(column)));
        header->resizeSection(column, m_tree->fontMetrics().horizontalAdvance(text + QStringLiteral("__")));
    }
}

QWidget* QueueView::makeOverall()
{
    auto* line = new QWidget;
    auto* layout = new QHBoxLayout(line);
    const int gap = fontMetrics().averageCharWidth();
    layout->setContentsMargins(gap, gap / 2, gap, gap / 2);
    m_overall = new QLabel;
    m_overall->setObjectName(QStringLiteral("queueOverall"));
    m_bar = new QProgressBar;
    m_bar->setObjectName(QStringLiteral("queueBar"));
    m_bar->setAccessibleName(QStringLiteral("Trials of the queue that have ended"));
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(fontMetrics().height() / 2);
    m_bar->setMaximumWidth(fontMetrics().averageCharWidth() * 40);
    layout->addWidget(m_overall);
    layout->addWidget(m_bar, 1);
    layout->addStretch(1);
    return line;
}

// The column with sentences gets the width that the other columns leave.
void QueueView::fitSentences()
{
    QHeaderView* header = m_tree->header();
    const int others = header->length() - header->sectionSize(QueueModel::Doing);
    const int least = fontMetrics().averageCharWidth() * kLeastSentenceCharacters;
    header->resizeSection(QueueModel::Doing, std::max(least, m_tree->viewport()->width() - others));
}

bool QueueView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == m_tree->viewport())
        fitSentences();
    return QWidget::eventFilter(watched, event);
}

void QueueView::makeCopy()
{
    m_copy = new QAction(QStringLiteral("Copy rows"), this);
    m_copy->setObjectName(QStringLiteral("queue.copy"));
    m_copy->setShortcut(QKeySequence::Copy);
    m_copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_copy->setToolTip(QStringLiteral("Copies the selected rows as text, with tabs between the columns"));
    m_tree->addAction(m_copy);
}

void QueueView::copyRows() const
{
    QStringList lines;
    for (const QModelIndex& row : m_tree->selectionModel()->selectedRows()) {
        QStringList cells;
        for (int column = 0; column < QueueModel::ColumnCount; ++column)
            cells += row.siblingAtColumn(column).data().toString();
        lines += cells.join(u'\t');
    }
    if (!lines.isEmpty())
        QGuiApplication::clipboard()->setText(lines.join(u'\n') + u'\n');
}

QLabel* QueueView::makeEmptyState()
{
    auto* label = new QLabel(kEmptyQueue);
    label->setObjectName(QStringLiteral("queueEmpty"));
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignCenter);
    label->setMargin(fontMetrics().height());
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

void QueueView::connectTree()
{
    setColumnWidths();
    m_tree->viewport()->installEventFilter(this);
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this, &QueueView::readSelection);
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, &QueueView::readSelection);
    connect(m_tree, &QWidget::customContextMenuRequested, this, &QueueView::showMenu);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex& parent, int row) {
        if (!parent.isValid())
            expandSmall(row);
    });
    connect(m_copy, &QAction::triggered, this, &QueueView::copyRows);
    connect(m_tree, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (const QString trial = index.data(QueueModel::TrialIdRole).toString(); !trial.isEmpty())
            Q_EMIT trialActivated(trial);
    });
    for (int row = 0; row < m_model->rowCount(); ++row)
        expandSmall(row);
}

// Laying out thousands of rows takes longer than a frame, so large experiments stay collapsed until the user opens
// them.
void QueueView::expandSmall(int row)
{
    constexpr int kMostRows = 500;
    const QModelIndex run = m_model->index(row, 0);
    if (m_model->rowCount(run) <= kMostRows)
        m_tree->expand(run);
}

void QueueView::readSelection()
{
    QueueActions::Selected selected;
    for (const QModelIndex& index : m_tree->selectionModel()->selectedRows()) {
        auto& trials = selected[index.data(QueueModel::RunIdRole).toInt()];
        if (const QVariant trial = index.data(QueueModel::TrialRole); trial.isValid())
            trials.push_back(trial.toULongLong());
    }
    m_actions->select(std::move(selected));
    const QModelIndex current = m_tree->selectionModel()->currentIndex();
    const bool isSelected = m_tree->selectionModel()->isRowSelected(current.row(), current.parent());
    Q_EMIT trialSelected(isSelected ? current.data(QueueModel::TrialIdRole).toString() : QString());
}

void QueueView::dress()
{
    QPalette palette = QGuiApplication::palette();
    palette.setColor(QPalette::Highlight, m_theme.accent());
    m_bar->setPalette(palette);
}

void QueueView::showOverall()
{
    const OverallProgress progress = m_service.progress();
    m_stack->setCurrentIndex(m_model->rowCount() == 0 ? 0 : 1);
    m_overall->setText(m_service.statusText());
    m_overall->parentWidget()->setVisible(m_model->rowCount() > 0);
    m_bar->setRange(0, std::max(progress.total, 1));
    m_bar->setValue(progress.done);
    followActive();
}

// Scrolls to an experiment when it begins, but only once: after that, scrolling is up to the user.
void QueueView::followActive()
{
    const auto active = m_service.active();
    const int run = active ? active->id() : 0;
    if (run == m_followed)
        return;
    m_followed = run;
    if (run != 0)
        m_tree->scrollTo(m_model->indexOf(run), QAbstractItemView::PositionAtTop);
}

void QueueView::showMenu(const QPoint& position)
{
    QMenu menu;
    for (QAction* action : m_actions->all())
        if (action == nullptr)
            menu.addSeparator();
        else
            menu.addAction(action);
    menu.addSeparator();
    menu.addAction(m_copy);
    menu.exec(m_tree->viewport()->mapToGlobal(position));
}

} // namespace headroom::ui
