// SPDX-License-Identifier: Apache-2.0
#include "ui/results/ExperimentsView.h"

#include "ui/look/FileDialog.h"
#include "ui/results/ExperimentsModel.h"

#include <QApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::ui {
namespace {

// The same margin on all sides, in terms of the font.
int gap(const QStyleOptionViewItem& option)
{
    return option.fontMetrics.height() / 3;
}

constexpr int kAgeIntervalMs = 20'000;

QString workspaceFilter()
{
    return QStringLiteral("Workspaces (*.db);;All files (*)");
}

} // namespace

ExperimentsDelegate::ExperimentsDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
{
    makeIcons();
    connect(&theme, &Theme::changed, this, &ExperimentsDelegate::makeIcons);
}

void ExperimentsDelegate::makeIcons()
{
    for (const Sign sign : {Sign::Done, Sign::Warning, Sign::Bad, Sign::Paused, Sign::Open})
        m_icons[static_cast<int>(sign)] = signIcon(m_theme, sign);
}

QSize ExperimentsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {option.fontMetrics.averageCharWidth() * 20, 2 * option.fontMetrics.lineSpacing() + 2 * gap(option)};
}

void ExperimentsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem ground = option;
    initStyleOption(&ground, index);
    ground.text.clear();
    const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &ground, painter, option.widget);

    const int size = option.fontMetrics.height();
    const QRect area = option.rect.adjusted(gap(option), gap(option), -gap(option), -gap(option));
    const QIcon icon = m_icons.value(index.data(ExperimentsModel::SignRole).toInt());
    icon.paint(painter, QRect(area.left(), area.top(), size, size));
    painter->save();
    paintWords(*painter, option, index, area.adjusted(size + gap(option), 0, 0, 0));
    painter->restore();
}

void ExperimentsDelegate::paintWords(
    QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& area) const
{
    const int line = option.fontMetrics.lineSpacing();
    const QString age = index.data(ExperimentsModel::AgeRole).toString();
    const int ageWidth = option.fontMetrics.horizontalAdvance(age) + gap(option);
    QFont bold = option.font;
    bold.setBold(index.data(ExperimentsModel::IsShownRole).toBool());
    painter.setFont(bold);
    painter.setPen(m_theme.ink());
    const QString name =
        QFontMetrics(bold).elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, area.width() - ageWidth);
    painter.drawText(QRect(area.left(), area.top(), area.width() - ageWidth, line), Qt::AlignVCenter, name);
    painter.setFont(option.font);
    painter.setPen(m_theme.muted());
    painter.drawText(QRect(area.left(), area.top(), area.width(), line), Qt::AlignVCenter | Qt::AlignRight, age);
    QString below = index.data(ExperimentsModel::StateRole).toString();
    if (const QString models = index.data(ExperimentsModel::ModelsRole).toString(); !models.isEmpty())
        below.prepend(models + QStringLiteral(" \u00b7 "));
    if (const QString places = index.data(ExperimentsModel::PlacesRole).toString(); !places.isEmpty())
        below += QStringLiteral(" on ") + places;
    painter.drawText(QRect(area.left(), area.top() + line, area.width(), line), Qt::AlignVCenter,
        option.fontMetrics.elidedText(below, Qt::ElideRight, area.width()));
}

void ExperimentsFilterModel::setSearchText(const QString& text)
{
    m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool ExperimentsFilterModel::filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const
{
    const QString text = sourceModel()->index(sourceRow, 0, sourceParent).data(ExperimentsModel::SearchRole).toString();
    return std::all_of(
        m_words.begin(), m_words.end(), [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

ExperimentsView::ExperimentsView(WorkspaceService& workspace, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_delegate(theme)
    , m_name(new QLabel)
    , m_search(new QLineEdit)
    , m_list(new QListView)
    , m_emptyText(new QLabel)
    , m_openButton(new QPushButton(QStringLiteral("Open workspace...")))
    , m_createButton(new QPushButton(QStringLiteral("New workspace...")))
    , m_pages(new QStackedWidget)
    , m_open(new QAction(QStringLiteral("Open workspace..."), this))
    , m_create(new QAction(QStringLiteral("New workspace..."), this))
    , m_newest(new QAction(QStringLiteral("Show newest"), this))
{
    setObjectName(QStringLiteral("experimentsView"));
    makeActions();
    makeList();
    layOut();
    connect(&workspace, &WorkspaceService::opened, this, &ExperimentsView::showPage);
    connect(&workspace, &WorkspaceService::experimentsChanged, this, &ExperimentsView::takeExperiments);
    connect(&workspace, &WorkspaceService::resultsChanged, this, &ExperimentsView::takeShown);
    connect(&theme, &Theme::changed, m_list->viewport(), qOverload<>(&QWidget::update));
    connect(&m_clock, &QTimer::timeout, this, [this] { m_experiments.setNow(QDateTime::currentDateTime()); });
    m_clock.start(kAgeIntervalMs);
    takeExperiments();
    takeShown();
}

void ExperimentsView::makeActions()
{
    m_open->setObjectName(QStringLiteral("openWorkspace"));
    m_create->setObjectName(QStringLiteral("newWorkspace"));
    m_newest->setObjectName(QStringLiteral("showNewest"));
    m_newest->setToolTip(QStringLiteral("Shows the newest experiment, and each newer one as it appears"));
    connect(m_open, &QAction::triggered, this, &ExperimentsView::chooseWorkspace);
    connect(m_create, &QAction::triggered, this, &ExperimentsView::chooseNewWorkspace);
    connect(m_newest, &QAction::triggered, &m_workspace, &WorkspaceService::showNewest);
    m_openButton->setObjectName(QStringLiteral("openWorkspaceButton"));
    m_createButton->setObjectName(QStringLiteral("newWorkspaceButton"));
    connect(m_openButton, &QPushButton::clicked, m_open, &QAction::trigger);
    connect(m_createButton, &QPushButton::clicked, m_create, &QAction::trigger);
}

void ExperimentsView::makeList()
{
    m_filtered.setSourceModel(&m_experiments);
    m_list->setObjectName(QStringLiteral("experimentsList"));
    m_list->setAccessibleName(QStringLiteral("Experiments of the workspace"));
    m_list->setModel(&m_filtered);
    m_list->setItemDelegate(&m_delegate);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setMouseTracking(true);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    connect(m_list, &QListView::clicked, this, &ExperimentsView::showSelected);
    connect(m_list, &QListView::activated, this, &ExperimentsView::showSelected);
    m_search->setObjectName(QStringLiteral("experimentsSearch"));
    m_search->setAccessibleName(QStringLiteral("Search experiments"));
    m_search->setPlaceholderText(QStringLiteral("Search name, model or device"));
    m_list->setToolTip(QStringLiteral("Ctrl-click shows several experiments together"));
    m_search->setClearButtonEnabled(true);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filtered.setSearchText(text);
        showPage();
    });
}

void ExperimentsView::layOut()
{
    auto* open = new QToolButton;
    open->setObjectName(QStringLiteral("openWorkspaceTool"));
    open->setDefaultAction(m_open);
    open->setText(QStringLiteral("Open..."));
    auto* newest = new QToolButton;
    newest->setObjectName(QStringLiteral("showNewestTool"));
    newest->setDefaultAction(m_newest);
    newest->setText(QStringLiteral("Newest"));
    for (QToolButton* button : {open, newest})
        button->setFocusPolicy(Qt::StrongFocus);
    m_name->setObjectName(QStringLiteral("workspaceName"));
    m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_pages->addWidget(m_list);
    m_pages->addWidget(emptyPage());

    auto* bar = new QHBoxLayout;
    bar->addWidget(m_name, 1);
    bar->addWidget(newest);
    bar->addWidget(open);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(bar);
    layout->addWidget(m_search);
    layout->addWidget(m_pages, 1);
    setFocusProxy(m_list);
}

QWidget* ExperimentsView::emptyPage()
{
    m_emptyText->setObjectName(QStringLiteral("experimentsEmptyText"));
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_emptyText->setWordWrap(true);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->addStretch(1);
    layout->addWidget(m_emptyText);
    layout->addWidget(m_openButton, 0, Qt::AlignHCenter);
    layout->addWidget(m_createButton, 0, Qt::AlignHCenter);
    layout->addStretch(2);
    return page;
}

void ExperimentsView::showPage()
{
    const QString path = m_workspace.path();
    const bool isOpen = !path.isEmpty();
    const int all = m_experiments.rowCount();
    m_name->setText(isOpen ? QFileInfo(path).fileName() : QStringLiteral("No workspace"));
    m_name->setToolTip(path);
    m_search->setEnabled(all > 0);
    m_newest->setEnabled(all > 0);
    m_openButton->setVisible(!isOpen);
    m_createButton->setVisible(!isOpen);
    m_pages->setCurrentIndex(m_filtered.rowCount() > 0 ? 0 : 1);
    if (!isOpen)
        m_emptyText->setText(QStringLiteral("<b>No workspace is open</b><br>A workspace is one file that keeps "
                                            "experiments and their results."));
    else if (all == 0)
        m_emptyText->setText(QStringLiteral("<b>No experiments yet</b><br>Each run becomes an experiment of this "
                                            "workspace and is listed here."));
    else
        m_emptyText->setText(QStringLiteral("<b>No experiment matches</b><br>The search covers names, models and "
                                            "devices."));
}

// The oldest first, whatever the order of the clicks.
void ExperimentsView::showSelected()
{
    QList<qint64> ids;
    for (const QModelIndex& index : m_list->selectionModel()->selectedIndexes())
        ids.append(index.data(ExperimentsModel::IdRole).toLongLong());
    std::sort(ids.begin(), ids.end());
    if (!ids.isEmpty())
        m_workspace.showExperiments(ids);
}

void ExperimentsView::takeExperiments()
{
    m_experiments.setExperiments(m_workspace.experiments());
    showPage();
    takeShown();
}

void ExperimentsView::takeShown()
{
    const Results& results = m_workspace.results();
    QList<qint64> ids;
    if (results)
        for (const std::int64_t id : results->experiments())
            ids.append(id);
    const bool isOther = ids != m_experiments.shown();
    m_experiments.setShown(ids);
    // A user who is browsing the list keeps their place during a run.
    if (ids.isEmpty() || (!isOther && m_list->currentIndex().isValid()))
        return;
    QItemSelection rows;
    for (const qint64 id : ids)
        if (const int row = m_experiments.rowOf(id); row >= 0) {
            const QModelIndex index = m_filtered.mapFromSource(m_experiments.index(row));
            rows.select(index, index);
        }
    const int last = m_experiments.rowOf(ids.last());
    if (last >= 0)
        m_list->setCurrentIndex(m_filtered.mapFromSource(m_experiments.index(last)));
    m_list->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
}

void ExperimentsView::chooseWorkspace()
{
    auto* dialog = new FileDialog(
        this, QStringLiteral("Open a workspace"), QFileInfo(m_workspace.path()).path(), workspaceFilter());
    dialog->setObjectName(QStringLiteral("openWorkspaceDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, &m_workspace, &WorkspaceService::open);
    dialog->open();
}

void ExperimentsView::chooseNewWorkspace()
{
    auto* dialog = new FileDialog(
        this, QStringLiteral("Create a workspace"), QFileInfo(m_workspace.path()).path(), workspaceFilter());
    dialog->setObjectName(QStringLiteral("newWorkspaceDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("db"));
    // An existing file is rejected, never replaced.
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    dialog->selectFile(QStringLiteral("headroom.db"));
    connect(dialog, &QFileDialog::fileSelected, &m_workspace, &WorkspaceService::create);
    dialog->open();
}

} // namespace headroom::ui
