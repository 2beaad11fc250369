// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/ViewPicture.h"

#include "ui/figures/SheetExport.h"
#include "ui/plot/FigurePlot.h"

#include <QAbstractItemView>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QTreeView>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr std::size_t kMostRows = 80; ///< of a table: more are no picture

using Cells = std::vector<std::string>;

const QHeaderView* headerOf(const QAbstractItemView& view)
{
    if (const auto* table = qobject_cast<const QTableView*>(&view))
        return table->horizontalHeader();
    const auto* tree = qobject_cast<const QTreeView*>(&view);
    return tree != nullptr ? tree->header() : nullptr;
}

// By their places on the screen.
std::vector<int> shownColumns(const QAbstractItemView& view)
{
    std::vector<int> columns;
    const QHeaderView* header = headerOf(view);
    for (int place = 0; place < view.model()->columnCount(view.rootIndex()); ++place) {
        const int column = header != nullptr ? header->logicalIndex(place) : place;
        if (header == nullptr || !header->isSectionHidden(column))
            columns.push_back(column);
    }
    return columns;
}

/// Adds rows as far as they are seen, and counts the others.
class RowReader {
public:
    RowReader(const QAbstractItemView& view, std::vector<int> columns, figures::Table& table)
        : m_view(view)
        , m_columns(std::move(columns))
        , m_table(table)
    {
    }

    void read(const QModelIndex& parent, std::size_t depth)
    {
        const auto* tree = qobject_cast<const QTreeView*>(&m_view);
        for (int row = 0; row < m_view.model()->rowCount(parent); ++row) {
            if (isHidden(row, parent))
                continue;
            add(row, parent, depth);
            const QModelIndex index = m_view.model()->index(row, 0, parent);
            if (tree != nullptr && tree->isExpanded(index))
                read(index, depth + 1);
        }
    }

    void finish()
    {
        if (m_left == 0)
            return;
        Cells cells(m_columns.size());
        cells.front() = std::to_string(m_left) + " more rows";
        m_table.rows.push_back(cells);
    }

private:
    bool isHidden(int row, const QModelIndex& parent) const
    {
        if (const auto* table = qobject_cast<const QTableView*>(&m_view))
            return table->isRowHidden(row);
        const auto* tree = qobject_cast<const QTreeView*>(&m_view);
        return tree != nullptr && tree->isRowHidden(row, parent);
    }

    void add(int row, const QModelIndex& parent, std::size_t depth)
    {
        if (m_table.rows.size() >= kMostRows) {
            ++m_left;
            return;
        }
        Cells cells;
        for (const int column : m_columns)
            cells.push_back(m_view.model()->index(row, column, parent).data().toString().simplified().toStdString());
        cells.front().insert(0, 2 * depth, ' ');
        m_table.rows.push_back(std::move(cells));
    }

    const QAbstractItemView& m_view;
    std::vector<int> m_columns;
    figures::Table& m_table;
    std::size_t m_left = 0;
};

bool isPart(const QWidget& widget)
{
    if (qobject_cast<const FigurePlot*>(&widget) != nullptr || qobject_cast<const QLabel*>(&widget) != nullptr)
        return qobject_cast<const FigurePlot*>(&widget) != nullptr || widget.property("inPicture").toBool();
    const auto* items = qobject_cast<const QAbstractItemView*>(&widget);
    return items != nullptr && headerOf(*items) != nullptr && items->model() != nullptr;
}

// Whether any of it is on the screen. Its visible region does not say so: that leaves out what opaque children paint,
// and what scrolls, as plots and tables do, is opaque to its edges.
bool isSeenIn(const QWidget& view, const QWidget& part)
{
    if (!part.isVisibleTo(&view))
        return false;
    QRect seen = part.rect();
    for (const QWidget* at = &part; at != &view; at = at->parentWidget())
        seen = seen.translated(at->pos()) & at->parentWidget()->rect();
    return !seen.isEmpty();
}

// From top to bottom, then from left to right. What a part holds is not told twice.
std::vector<const QWidget*> partsOf(const QWidget& view)
{
    std::vector<const QWidget*> parts;
    if (isPart(view))
        return {&view};
    for (const QWidget* widget : view.findChildren<QWidget*>())
        if (isPart(*widget) && isSeenIn(view, *widget))
            parts.push_back(widget);
    const std::vector<const QWidget*> all = parts;
    std::erase_if(parts, [&](const QWidget* part) {
        return std::ranges::any_of(
            all, [&](const QWidget* other) { return other != part && other->isAncestorOf(part); });
    });
    std::ranges::stable_sort(parts, [&](const QWidget* a, const QWidget* b) {
        const QPoint left = a->mapTo(&view, QPoint());
        const QPoint right = b->mapTo(&view, QPoint());
        return std::pair(left.y(), left.x()) < std::pair(right.y(), right.x());
    });
    return parts;
}

void add(figures::Sheet& sheet, const QWidget& part)
{
    if (const auto* plot = qobject_cast<const FigurePlot*>(&part)) {
        if (plot->showsTable())
            sheet.parts.emplace_back(figures::SheetTable{plot->figure()->title, plot->figure()->table});
        else
            sheet.parts.emplace_back(*plot->shown());
        return;
    }
    if (const auto* label = qobject_cast<const QLabel*>(&part)) {
        const QString words = label->textFormat() == Qt::RichText || Qt::mightBeRichText(label->text())
            ? QTextDocumentFragment::fromHtml(label->text()).toPlainText()
            : label->text();
        for (const QString& line : words.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            sheet.parts.emplace_back(line.toStdString());
        return;
    }
    const auto& items = static_cast<const QAbstractItemView&>(part);
    const figures::Table table = shownTable(items);
    if (!table.rows.empty())
        sheet.parts.emplace_back(figures::SheetTable{items.accessibleName().toStdString(), table});
}

} // namespace

figures::Table shownTable(const QAbstractItemView& view)
{
    figures::Table table;
    const std::vector<int> columns = shownColumns(view);
    if (columns.empty())
        return table;
    for (const int column : columns)
        table.header.push_back(view.model()->headerData(column, Qt::Horizontal).toString().simplified().toStdString());
    RowReader reader(view, columns, table);
    reader.read(view.rootIndex(), 0);
    reader.finish();
    return table;
}

figures::Sheet pictureSheet(const QWidget& view)
{
    figures::Sheet sheet;
    for (const QWidget* part : partsOf(view))
        add(sheet, *part);
    sheet.caption = pictureCaption(view).toStdString();
    return sheet;
}

} // namespace headroom::ui
