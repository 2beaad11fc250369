// SPDX-License-Identifier: Apache-2.0
#include "ui/results/TrialsTable.h"

#include <QHeaderView>
#include <QMenu>
#include <QMouseEvent>
#include <QScopedValueRollback>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr int kLeastCharacters = 16; ///< of a column whose text wraps
constexpr int kMostWrapped = 500; ///< rows; wrapping more would measure for longer than people wait
constexpr const char* kKindColumn = "kind";

} // namespace

TrialsTable::TrialsTable(Theme& theme, Selection& selection, QWidget* parent)
    : QTableView(parent)
    , m_filtered(m_trials)
    , m_delegate(theme)
    , m_selection(selection)
    , m_columnsMenu(new QMenu(this))
{
    setObjectName(QStringLiteral("trialsTable"));
    setAccessibleName(QStringLiteral("Trials"));
    setStyle(&m_style);
    horizontalHeader()->setStyle(&m_style);
    setModel(&m_filtered);
    setItemDelegate(&m_delegate);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(ScrollPerPixel);
    setMouseTracking(true);
    setUpHeader();
    connect(&selection, &Selection::changed, this, &TrialsTable::showSelection);
    connect(&selection, &Selection::hoverChanged, this, &TrialsTable::showHover);
    connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void TrialsTable::setUpHeader()
{
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() * 5 / 4);
    QHeaderView* header = horizontalHeader();
    header->setFixedHeight(fontMetrics().height() * 5 / 4); // the style's margin is for the sides; rows need the room
    header->setSectionsMovable(true);
    header->setHighlightSections(false);
    header->setSortIndicatorClearable(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    setSortingEnabled(true);
    m_columnsMenu->setTitle(QStringLiteral("Columns"));
    m_columnsMenu->setObjectName(QStringLiteral("trialsColumnsMenu"));
    connect(m_columnsMenu, &QMenu::aboutToShow, this, &TrialsTable::fillColumnsMenu);
    connect(header, &QHeaderView::customContextMenuRequested, this,
        [this, header](const QPoint& at) { m_columnsMenu->popup(header->mapToGlobal(at)); });
    connect(header, &QHeaderView::sortIndicatorChanged, this, [this](int column, Qt::SortOrder order) {
        if (m_isLayingOut)
            return;
        m_sortKey = column < 0 ? QString() : keyOf(column);
        m_sortOrder = order;
        shareWidth(); // there is an arrow in another column
    });
    connect(header, &QHeaderView::sectionResized, this, [this](int column, int, int width) {
        if (!m_isLayingOut && width > 0)
            m_widths[keyOf(column)] = width;
    });
    connect(header, &QHeaderView::sectionMoved, this, [this, header] {
        if (m_isLayingOut)
            return;
        m_order.clear();
        for (int place = 0; place < header->count(); ++place)
            m_order.append(keyOf(header->logicalIndex(place)));
    });
}

QString TrialsTable::keyOf(int column) const
{
    return columnKey(m_trials.table().columns[static_cast<std::size_t>(column)]);
}

void TrialsTable::setResults(const Results& results)
{
    {
        const QScopedValueRollback syncing(m_isSyncing, true);
        const QScopedValueRollback layingOut(m_isLayingOut, true);
        m_trials.setResults(results);
        m_delegate.setOutcomeColumn(m_trials.columnOf(QStringLiteral("outcome")));
    }
    layOutColumns();
    showSelection();
}

void TrialsTable::changeRows(const std::function<void()>& change)
{
    {
        const QScopedValueRollback syncing(m_isSyncing, true);
        change();
    }
    showSelection();
}

void TrialsTable::setFilterText(const QString& text)
{
    changeRows([&] { m_filtered.setFilterText(text); });
}

void TrialsTable::setOnlyFront(bool isOn)
{
    changeRows([&] { m_filtered.setOnlyFront(isOn); });
}

bool TrialsTable::isColumnShown(int column) const
{
    const QString key = keyOf(column);
    return !m_hidden.contains(key) && (!m_trials.isLabel(column) || m_shownLabels.contains(key));
}

void TrialsTable::layOutColumns()
{
    const QScopedValueRollback layingOut(m_isLayingOut, true);
    for (int column = 0; column < m_trials.columnCount(); ++column)
        setColumnHidden(column, !isColumnShown(column));
    shareWidth();
    orderColumns();
    const int sorted = m_sortKey.isEmpty() ? -1 : m_trials.columnOf(m_sortKey);
    if (horizontalHeader()->sortIndicatorSection() != sorted || horizontalHeader()->sortIndicatorOrder() != m_sortOrder)
        sortByColumn(sorted, m_sortOrder);
}

void TrialsTable::shareWidth()
{
    const QScopedValueRollback layingOut(m_isLayingOut, true);
    std::vector<int> columns;
    std::vector<ColumnWish> wishes;
    for (int column = 0; column < m_trials.columnCount(); ++column)
        if (isColumnShown(column)) {
            columns.push_back(column);
            const int chosen = m_widths.value(keyOf(column));
            wishes.push_back(chosen > 0 ? ColumnWish{chosen, chosen} : wishOf(column));
        }
    const std::vector<int> widths = sharedWidths(wishes, viewport()->width());
    bool isWrapped = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        setColumnWidth(columns[i], widths[i]);
        isWrapped = isWrapped || widths[i] < wishOf(columns[i]).natural;
    }
    wrapRows(isWrapped);
}

void TrialsTable::wrapRows(bool isNeeded)
{
    const bool wraps = isNeeded && m_trials.rowCount() <= kMostWrapped;
    setWordWrap(wraps);
    QHeaderView& rows = *verticalHeader();
    const auto mode = wraps ? QHeaderView::ResizeToContents : QHeaderView::Fixed;
    if (rows.count() > 0 && rows.sectionResizeMode(0) == mode)
        return;
    rows.setSectionResizeMode(mode);
    if (!wraps && rows.count() <= kMostWrapped) // they keep the heights that wrapped text needed
        for (int row = 0; row < rows.count(); ++row)
            rows.resizeSection(row, rows.defaultSectionSize());
}

void TrialsTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        shareWidth();
}

void TrialsTable::orderColumns()
{
    int place = 0;
    for (const QString& key : m_order)
        if (const int column = m_trials.columnOf(key); column >= 0)
            horizontalHeader()->moveSection(horizontalHeader()->visualIndex(column), place++);
}

// Measures only the longest text: measuring every cell of a large table would take as long as drawing it.
ColumnWish TrialsTable::wishOf(int column) const
{
    const auto index = static_cast<std::size_t>(column);
    const std::string* longest = nullptr;
    for (const report::ReportRow& row : m_trials.table().rows)
        if (longest == nullptr || row.cells[index].text.size() > longest->size())
            longest = &row.cells[index].text;
    QFont italic = font();
    italic.setItalic(true);
    const QFontMetrics metrics(italic);
    const int text = longest == nullptr ? 0 : metrics.horizontalAdvance(QString::fromStdString(*longest));
    const int margin = 1 + m_style.pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, this); // of text and of symbols
    const int symbol = metrics.height() + 2 * margin;
    const int icon = keyOf(column) == QStringLiteral("outcome") ? symbol : 0;
    const bool isSorted = !m_sortKey.isEmpty() && keyOf(column) == m_sortKey;
    const int header =
        horizontalHeader()->sectionSizeHint(column) + (isSorted ? m_style.arrowRoom(*horizontalHeader()) : 0);
    const int beside = icon + metrics.height() + metrics.averageCharWidth();
    const int natural = std::max(header, text + beside);
    const bool mayWrap = m_trials.table().columns[index].kind == report::CellKind::Text;
    const int least = std::max(header, kLeastCharacters * metrics.averageCharWidth() + beside);
    return {natural, mayWrap ? std::min(natural, least) : natural};
}

void TrialsTable::fillColumnsMenu()
{
    m_columnsMenu->clear();
    int shown = 0;
    for (int column = 0; column < m_trials.columnCount(); ++column) {
        const QString key = keyOf(column);
        QAction* action = m_columnsMenu->addAction(m_trials.headerData(column, Qt::Horizontal).toString());
        action->setObjectName(QStringLiteral("column.") + key);
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        shown += action->isChecked() ? 1 : 0;
        connect(action, &QAction::toggled, this, [this, key](bool isChecked) { setColumnShown(key, isChecked); });
    }
    if (shown == 1) // without columns there would be no header to bring them back with
        for (QAction* action : m_columnsMenu->actions())
            action->setEnabled(!action->isChecked());
    m_columnsMenu->addSeparator();
    QAction* all = m_columnsMenu->addAction(QStringLiteral("Show all columns in their usual order"));
    all->setObjectName(QStringLiteral("columns.reset"));
    connect(all, &QAction::triggered, this, [this] { restore({}); });
}

void TrialsTable::setColumnShown(const QString& key, bool isShown)
{
    if (isShown) {
        m_hidden.remove(key);
        m_shownLabels.insert(key);
    } else {
        m_hidden.insert(key);
        m_shownLabels.remove(key);
    }
    layOutColumns();
}

void TrialsTable::showSelection()
{
    std::vector<int> rows;
    for (const QString& trial : m_selection.trials())
        if (const QModelIndex index = m_filtered.indexOf(trial); index.isValid())
            rows.push_back(index.row());
    const QModelIndex current = m_filtered.indexOf(m_selection.current(), std::max(0, currentIndex().column()));
    std::sort(rows.begin(), rows.end());
    QItemSelection wanted;
    for (std::size_t i = 0, last = 0; i < rows.size(); i = last + 1) {
        for (last = i; last + 1 < rows.size() && rows[last + 1] == rows[last] + 1;)
            ++last;
        wanted.select(m_filtered.index(rows[i], 0), m_filtered.index(rows[last], m_filtered.columnCount() - 1));
    }
    const QScopedValueRollback syncing(m_isSyncing, true);
    selectionModel()->select(wanted, QItemSelectionModel::ClearAndSelect);
    if (current.isValid() && current.row() != currentIndex().row())
        selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
}

void TrialsTable::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected)
{
    QTableView::selectionChanged(selected, deselected);
    if (!m_isSyncing)
        takeSelection();
}

void TrialsTable::takeSelection()
{
    QStringList trials;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        trials.append(m_filtered.trialId(index.row()));
    if (const QModelIndex current = currentIndex(); current.isValid()) {
        const QString trial = m_filtered.trialId(current.row());
        if (trials.removeOne(trial))
            trials.append(trial);
    }
    const QScopedValueRollback syncing(m_isSyncing, true);
    m_selection.select(trials);
}

void TrialsTable::showHover()
{
    m_delegate.setHovered(m_selection.hovered());
    viewport()->update();
}

bool TrialsTable::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::MouseMove) {
        const QModelIndex index = indexAt(static_cast<QMouseEvent*>(event)->pos());
        m_selection.setHovered(index.isValid() ? m_filtered.trialId(index.row()) : QString());
    }
    if (event->type() == QEvent::Leave)
        m_selection.setHovered({});
    return QTableView::viewportEvent(event);
}

std::vector<int> TrialsTable::rowsToCopy() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows.push_back(index.row());
    if (rows.empty())
        for (int row = 0; row < m_filtered.rowCount(); ++row)
            rows.push_back(row);
    std::sort(rows.begin(), rows.end());
    return rows;
}

std::vector<int> TrialsTable::columnsToCopy() const
{
    std::vector<int> columns;
    const int kind = m_trials.columnOf(QLatin1String(kKindColumn));
    for (int place = 0; place < horizontalHeader()->count(); ++place)
        if (const int column = horizontalHeader()->logicalIndex(place); !isColumnHidden(column))
            columns.push_back(column);
    if (kind >= 0 && isColumnHidden(kind))
        columns.push_back(kind);
    return columns;
}

report::ReportTable TrialsTable::shownTable() const
{
    const std::vector<int> columns = columnsToCopy();
    report::ReportTable table;
    for (const int column : columns)
        table.columns.push_back(m_trials.table().columns[static_cast<std::size_t>(column)]);
    for (const int row : rowsToCopy()) {
        const int source = m_filtered.mapToSource(m_filtered.index(row, 0)).row();
        table.rows.push_back({m_trials.trialId(source).toStdString(), {}});
        for (const int column : columns)
            table.rows.back().cells.push_back(m_trials.cell(source, column));
    }
    return table;
}

QVariantMap TrialsTable::state() const
{
    QVariantMap widths;
    for (auto it = m_widths.begin(); it != m_widths.end(); ++it)
        widths.insert(it.key(), it.value());
    QStringList hidden = m_hidden.values();
    hidden.sort();
    QStringList labels = m_shownLabels.values();
    labels.sort();
    return {{QStringLiteral("hidden"), hidden}, {QStringLiteral("labels"), labels}, {QStringLiteral("order"), m_order},
        {QStringLiteral("widths"), widths}, {QStringLiteral("sort"), m_sortKey},
        {QStringLiteral("descending"), m_sortOrder == Qt::DescendingOrder}};
}

void TrialsTable::restore(const QVariantMap& state)
{
    const QStringList hidden = state.value(QStringLiteral("hidden")).toStringList();
    m_hidden = QSet<QString>(hidden.begin(), hidden.end());
    const QStringList labels = state.value(QStringLiteral("labels")).toStringList();
    m_shownLabels = QSet<QString>(labels.begin(), labels.end());
    m_order = state.value(QStringLiteral("order")).toStringList();
    m_widths.clear();
    const QVariantMap widths = state.value(QStringLiteral("widths")).toMap();
    for (auto it = widths.begin(); it != widths.end(); ++it)
        if (it.value().toInt() > 0)
            m_widths[it.key()] = it.value().toInt();
    m_sortKey = state.value(QStringLiteral("sort")).toString();
    m_sortOrder = state.value(QStringLiteral("descending")).toBool() ? Qt::DescendingOrder : Qt::AscendingOrder;
    const QScopedValueRollback layingOut(m_isLayingOut, true);
    for (int column = 0; column < m_trials.columnCount(); ++column)
        horizontalHeader()->moveSection(horizontalHeader()->visualIndex(column), column);
    layOutColumns();
}

} // namespace headroom::ui
