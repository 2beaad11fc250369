// SPDX-License-Identifier: Apache-2.0
#include "ui/segments/SegmentTableModel.h"

#include "core/base/Quantities.h"
#include "ui/segments/SegmentWords.h"

namespace headroom::ui {
namespace {

bool isSegmentText(int column)
{
    return column == SegmentTableModel::Keeper || column == SegmentTableModel::Since
        || column == SegmentTableModel::Address;
}

QString sizeCell(Bytes bytes)
{
    return QString::fromStdString(sizeText(bytes));
}

} // namespace

SegmentTableModel::SegmentTableModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void SegmentTableModel::setMoment(SegmentMomentPtr moment)
{
    beginResetModel();
    m_moment = std::move(moment);
    endResetModel();
}

int SegmentTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_moment ? 0 : static_cast<int>(m_moment->state.segments.size());
}

int SegmentTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString SegmentTableModel::text(std::size_t segment, int column) const
{
    const trace::HeldSegment& held = m_moment->state.segments[segment];
    const trace::SegmentUse& use = m_moment->uses[segment];
    const trace::HeldBlock* keeper = keeperOf(*m_moment, segment);
    switch (column) {
    case Size:
        return sizeCell(held.bytes);
    case Allocated:
        return sizeCell(use.allocatedBytes + use.pendingBytes);
    case Stuck:
        return use.isReleasable() ? QStringLiteral("wholly free") : sizeCell(use.freeBytes);
    case LargestGap:
        return use.isReleasable() ? QString() : sizeCell(use.largestGapBytes);
    case Blocks:
        return QString::number(use.blocks);
    case Keeper:
        return keeper == nullptr ? QString() : ownerText(m_moment->trace->owners.of(keeper->owner));
    case Since:
        return keeper == nullptr ? QString() : sinceText(*m_moment->trace, keeper->sinceNs);
    case Stream:
        return QString::number(held.stream);
    default:
        return QStringLiteral("0x%1").arg(held.address, 0, 16);
    }
}

QVariant SegmentTableModel::sortValue(std::size_t segment, int column) const
{
    const trace::HeldSegment& held = m_moment->state.segments[segment];
    const trace::SegmentUse& use = m_moment->uses[segment];
    switch (column) {
    case Size:
        return static_cast<qlonglong>(held.bytes);
    case Allocated:
        return static_cast<qlonglong>(use.allocatedBytes + use.pendingBytes);
    case Stuck:
        return static_cast<qlonglong>(use.stuckBytes());
    case LargestGap:
        return static_cast<qlonglong>(use.isReleasable() ? 0 : use.largestGapBytes);
    case Blocks:
        return static_cast<qulonglong>(use.blocks);
    case Since: {
        const trace::HeldBlock* keeper = keeperOf(*m_moment, segment);
        return keeper == nullptr ? QVariant() : QVariant(static_cast<qlonglong>(keeper->sinceNs));
    }
    case Stream:
        return held.stream;
    case Address:
        return static_cast<qulonglong>(held.address);
    default:
        return text(segment, column);
    }
}

QVariant SegmentTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto segment = static_cast<std::size_t>(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(segment, index.column());
    case kSortRole:
        return sortValue(segment, index.column());
    case Qt::ToolTipRole:
        return segmentSentence(*m_moment, segment);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (isSegmentText(index.column()) ? Qt::AlignLeft : Qt::AlignRight));
    default:
        return {};
    }
}

QVariant SegmentTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (isSegmentText(section) ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::DisplayRole)
        return {};
    const QStringList titles{QStringLiteral("Segment"), QStringLiteral("Held"), QStringLiteral("Stuck"),
        QStringLiteral("Largest gap"), QStringLiteral("Blocks"), QStringLiteral("Held longest by"),
        QStringLiteral("Since"), QStringLiteral("Stream"), QStringLiteral("Address")};
    return titles.value(section);
}

} // namespace headroom::ui
