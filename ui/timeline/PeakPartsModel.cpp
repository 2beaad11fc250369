// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/PeakPartsModel.h"

#include "core/base/Quantities.h"

#include <QFont>

namespace headroom::ui {

PeakPartsModel::PeakPartsModel(Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme)
{
    connect(&theme, &Theme::changed, this, [this] {
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    });
}

void PeakPartsModel::setContents(std::optional<PeakContents> contents)
{
    beginResetModel();
    m_contents = std::move(contents);
    m_rows.clear();
    if (m_contents) {
        for (const PeakPart& part : m_contents->parts)
            m_rows.push_back({QString::fromStdString(part.name), QString::fromStdString(part.explanation), part.bytes,
                static_cast<int>(m_rows.size())});
        m_rows.push_back({QStringLiteral("Allocated"), QStringLiteral("The peak: the sum of the parts above."),
            m_contents->peak.bytes});
        if (m_contents->reserved > 0)
            addReserved();
    }
    endResetModel();
}

void PeakPartsModel::addReserved()
{
    m_rows.push_back({QStringLiteral("Reserved, not allocated"),
        QStringLiteral("Held by the caching allocator at that moment: gaps, and blocks kept for later."),
        m_contents->reservedNotAllocated(), static_cast<int>(m_contents->parts.size())});
    m_rows.push_back({QStringLiteral("Reserved"),
        QStringLiteral("What the allocator had taken from the device at that moment."), m_contents->total()});
}

int PeakPartsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PeakPartsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant PeakPartsModel::text(const Row& row, int column) const
{
    if (column == Part)
        return row.part < 0 ? row.name : QStringLiteral("%1  %2").arg(row.part + 1).arg(row.name);
    if (column == Size)
        return QString::fromStdString(inUnit(row.bytes, axisUnitFor(m_contents->total())));
    return QString::fromStdString(shareText(row.bytes, m_contents->peak.bytes));
}

QVariant PeakPartsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case kBytesRole:
        return static_cast<qlonglong>(row.bytes);
    case Qt::ToolTipRole:
        return row.explanation + QLatin1Char('\n') + QString::fromStdString(exactSizeText(row.bytes));
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (index.column() == Part ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::DecorationRole:
        return index.column() == Part && row.part >= 0
            ? QVariant(partColour(m_theme, static_cast<std::size_t>(row.part)))
            : QVariant();
    case Qt::FontRole: {
        QFont font;
        font.setBold(row.part < 0);
        return font;
    }
    default:
        return {};
    }
}

QVariant PeakPartsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (section == Part ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::DisplayRole)
        return {};
    if (section == Size)
        return QString::fromStdString(axisUnitFor(m_contents ? m_contents->total() : kGiB).name);
    return section == Part ? QStringLiteral("Part") : QStringLiteral("Of the peak");
}

QColor partColour(const Theme& theme, std::size_t part)
{
    return theme.series(part);
}

} // namespace headroom::ui
