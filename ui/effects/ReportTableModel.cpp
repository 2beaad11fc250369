// SPDX-License-Identifier: Apache-2.0
#include "ui/effects/ReportTableModel.h"

namespace headroom::ui {

void ReportTableModel::setTable(report::ReportTable table)
{
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int ReportTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int ReportTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

int ReportTableModel::alignment(int column) const
{
    const bool isNumber = m_table.columns[static_cast<std::size_t>(column)].kind == report::CellKind::Number;
    return static_cast<int>(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
}

QVariant ReportTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return QString::fromStdString(
            m_table.rows[static_cast<std::size_t>(index.row())].cells[static_cast<std::size_t>(index.column())].text);
    return role == Qt::TextAlignmentRole ? QVariant(alignment(index.column())) : QVariant();
}

QVariant ReportTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const report::ReportColumn& column = m_table.columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return QString::fromStdString(column.title);
    if (role == Qt::ToolTipRole)
        return QString::fromStdString(column.help);
    return role == Qt::TextAlignmentRole ? QVariant(alignment(section)) : QVariant();
}

} // namespace headroom::ui
