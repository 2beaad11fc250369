// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/PeakTreeView.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QVBoxLayout>

#include <string_view>

namespace headroom::ui {
namespace {

constexpr double kOpenShare = 0.2; ///< rows with at least this share of the peak are expanded

QString valueOf(trace::Grouping grouping)
{
    const std::string_view word = trace::toText(grouping);
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}

// Lines of the source are known of imported models only, call stacks of recordings.
std::vector<ChoiceField::Offer> offersOf(const PeakTreesPtr& trees)
{
    std::vector<ChoiceField::Offer> offers{{valueOf(trace::Grouping::Category), QStringLiteral("By category")},
        {valueOf(trace::Grouping::Module), QStringLiteral("By module")},
        {valueOf(trace::Grouping::Technique), QStringLiteral("By technique")},
        {valueOf(trace::Grouping::Phase), QStringLiteral("By phase of allocation")}};
    if (trees && trees->by.contains(trace::Grouping::Source))
        offers.emplace_back(valueOf(trace::Grouping::Source), QStringLiteral("By line of the source"));
    if (trees && trees->by.contains(trace::Grouping::Frame))
        offers.emplace_back(valueOf(trace::Grouping::Frame), QStringLiteral("By frame of the call stack"));
    return offers;
}

} // namespace

PeakTreeView::PeakTreeView(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_model(new PeakTreeModel(theme, this))
    , m_grouping(new ChoiceField)
    , m_copyButton(new QToolButton)
    , m_tree(new QTreeView)
{
    m_tree->setObjectName(QStringLiteral("peakTree"));
    m_tree->setAccessibleName(QStringLiteral("Owners of the memory at the peak"));
    m_tree->setModel(m_model);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setUniformRowHeights(true);
    m_tree->setAllColumnsShowFocus(true);
    m_tree->setTextElideMode(Qt::ElideRight);
    m_tree->setIndentation(fontMetrics().averageCharWidth() * 3 / 2);
    // Bytes and shares are visible without scrolling; the names get the remaining width.
    m_tree->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_tree->header()->setSectionResizeMode(PeakTreeModel::Name, QHeaderView::Stretch);
    m_tree->header()->setMinimumSectionSize(fontMetrics().averageCharWidth() * 4);
    m_tree->header()->setStretchLastSection(false);
    m_tree->setToolTip(QStringLiteral("Equal modules are one row; the rows below each one sum to it."));
    m_grouping->setObjectName(QStringLiteral("peakGrouping"));
    m_grouping->setAccessibleName(QStringLiteral("What the tree is grouped by"));
    m_grouping->offer(offersOf(nullptr));
    connect(m_grouping, &ChoiceField::currentIndexChanged, this, &PeakTreeView::regroup);
    addActions();
    linkRows();
    auto* bar = new QHBoxLayout;
    bar->addWidget(m_grouping);
    bar->addStretch(1);
    bar->addWidget(m_copyButton);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addLayout(bar);
    layout->addWidget(m_tree, 1);
}

// The pointer's row counts; where there is none, that of the keyboard.
void PeakTreeView::linkRows()
{
    m_tree->setMouseTracking(true);
    m_tree->installEventFilter(this);
    m_tree->viewport()->installEventFilter(this);
    connect(m_tree, &QTreeView::entered, this, &PeakTreeView::point);
    connect(m_tree, &QTreeView::viewportEntered, this, [this] { point({}); });
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (m_tree->hasFocus())
            point(now);
    });
}

bool PeakTreeView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_tree->viewport() && event->type() == QEvent::Leave)
        point(m_tree->hasFocus() ? m_tree->currentIndex() : QModelIndex());
    else if (watched == m_tree && (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut))
        point(event->type() == QEvent::FocusIn ? m_tree->currentIndex() : QModelIndex());
    return QWidget::eventFilter(watched, event);
}

void PeakTreeView::point(const QModelIndex& index)
{
    Q_EMIT pointed(m_model->categoriesOf(index));
}

// A row that stands out where it cannot be seen would not help.
void PeakTreeView::setPointed(const Categories& categories)
{
    m_model->setPointed(categories);
    m_tree->viewport()->update(); // rows below an unfolded one are not painted again by their model's word alone
    const QModelIndex peak = m_model->index(0, 0);
    for (int row = 0; row < m_model->rowCount(peak) && categories.size() == 1; ++row) {
        const QModelIndex index = m_model->index(row, 0, peak);
        if (!index.data(Qt::BackgroundRole).isValid())
            continue;
        if (m_tree->isExpanded(peak))
            m_tree->scrollTo(index);
        return;
    }
}

void PeakTreeView::addActions()
{
    auto* action = new QAction(QStringLiteral("Copy as CSV"), this);
    action->setObjectName(QStringLiteral("peakTreeCopy"));
    action->setIconText(QStringLiteral("Copy"));
    action->setShortcut(QKeySequence::Copy);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(QStringLiteral("Copy every row of the tree with its exact bytes (%1)")
            .arg(QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText)));
    connect(action, &QAction::triggered, this, &PeakTreeView::copy);
    addAction(action);
    m_tree->addAction(action);
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_copyButton->setDefaultAction(action);
    m_copyButton->setObjectName(QStringLiteral("peakTreeCopyButton"));
    m_copyButton->setAutoRaise(true);
}

void PeakTreeView::setTrees(const PeakTreesPtr& trees)
{
    m_model->setTrees(trees);
    m_grouping->offer(offersOf(trees));
    regroup();
}

void PeakTreeView::regroup()
{
    if (const auto grouping = trace::groupingFromText(m_grouping->chosen().toStdString()))
        m_model->setGrouping(*grouping);
    // Of a call stack the innermost frame tells most.
    m_tree->setTextElideMode(m_model->grouping() == trace::Grouping::Frame ? Qt::ElideLeft : Qt::ElideRight);
    // By category, the name says what the memory is for, and the bar above shows the shares; frames need the room.
    for (const int column : {PeakTreeModel::Mostly, PeakTreeModel::Share})
        m_tree->setColumnHidden(
            column, m_model->grouping() == trace::Grouping::Category || m_model->grouping() == trace::Grouping::Frame);
    if (m_model->grouping() == trace::Grouping::Category)
        m_tree->setExpanded(m_model->index(0, 0), true);
    else
        openLarge(m_model->index(0, 0));
}

void PeakTreeView::openLarge(const QModelIndex& index)
{
    const auto whole = m_model->index(0, 0).data(PeakTreeModel::kBytesRole).toDouble();
    if (!index.isValid() || index.data(PeakTreeModel::kBytesRole).toDouble() < kOpenShare * whole)
        return;
    m_tree->setExpanded(index, true);
    for (int row = 0; row < m_model->rowCount(index); ++row)
        openLarge(m_model->index(row, 0, index));
}

void PeakTreeView::copy()
{
    QGuiApplication::clipboard()->setText(m_model->csv());
}

} // namespace headroom::ui
