// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/FigureTableModel.h"

#include <QLocale>

namespace headroom::ui {

void FigureTableModel::setFigure(FigurePtr figure)
{
    beginResetModel();
    m_figure = std::move(figure);
    endResetModel();
}

int FigureTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_figure ? 0 : static_cast<int>(m_figure->table.rows.size());
}

int FigureTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_figure ? 0 : static_cast<int>(m_figure->table.header.size());
}

QVariant FigureTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const QString text = QString::fromStdString(
        m_figure->table.rows[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())]);
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return text;
    if (role != Qt::TextAlignmentRole)
        return {};
    bool isNumber = false;
    QLocale::c().toDouble(text, &isNumber);
    return QVariant((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

QVariant FigureTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || section < 0)
        return {};
    if (orientation == Qt::Vertical)
        return section + 1;
    return section < columnCount() ? QString::fromStdString(m_figure->table.header[static_cast<std::size_t>(section)])
                                   : QVariant();
}

} // namespace headroom::ui
