// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/PlotAndTable.h"

#include "ui/plot/PlotShare.h"

#include <QAction>
#include <QResizeEvent>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr int kLeastTable = 84; ///< px: a head and three rows
constexpr int kUnfoldFrom = 110; ///< px: sentences around it change by a line without folding and unfolding it

} // namespace

PlotAndTable::PlotAndTable(QWidget* plot, QWidget* table, QWidget& view)
    : QSplitter(
          Qt::Vertical, &view) // of the same window from the beginning, so that keys go from part to part in order
    , m_plot(plot)
    , m_table(table)
    , m_view(view)
    , m_tableAction(new QAction(QStringLiteral("&Table"), this))
{
    setChildrenCollapsible(false);
    addWidget(plot);
    addWidget(table);
    m_tableAction->setCheckable(true);
    m_tableAction->setChecked(true);
    connect(m_tableAction, &QAction::toggled, this, &PlotAndTable::showParts);
    connect(this, &QSplitter::splitterMoved, this, [this] { m_hasOwnSizes = true; });
    showParts();
}

void PlotAndTable::setTableThere(bool isThere)
{
    m_isThere = isThere;
    showParts();
}

void PlotAndTable::setTableHeight(int px)
{
    m_tableHeight = px;
    shareOut();
}

void PlotAndTable::resizeEvent(QResizeEvent* event)
{
    QSplitter::resizeEvent(event);
    look();
    shareOut();
}

void PlotAndTable::look()
{
    const int room = mostBeside(m_view.size(), size(), Qt::Vertical);
    const bool hasRoom = room >= (m_hasRoom ? kLeastTable : kUnfoldFrom);
    if (hasRoom == m_hasRoom)
        return;
    m_hasRoom = hasRoom;
    m_tableAction->setToolTip(hasRoom ? QStringLiteral("Show or fold the table below the plot")
                                      : QStringLiteral("Show the table in the place of the plot"));
    m_tableAction->setChecked(hasRoom);
    showParts();
}

void PlotAndTable::showParts()
{
    const bool isTable = m_isThere && m_tableAction->isChecked();
    const bool hadFocus = m_table->isAncestorOf(m_table->window()->focusWidget()) || m_table->hasFocus();
    m_tableAction->setVisible(m_isThere);
    m_table->setVisible(isTable);
    m_plot->setVisible(!isTable || m_hasRoom);
    if (hadFocus && !isTable)
        m_plot->setFocus(Qt::OtherFocusReason);
    shareOut();
}

void PlotAndTable::shareOut()
{
    if (m_hasOwnSizes || !m_hasRoom)
        return;
    const int most = std::max(mostBeside(m_view.size(), size(), Qt::Vertical), 0);
    const int table = std::min(m_tableHeight, most);
    setSizes({height() - table, table});
}

} // namespace headroom::ui
