// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/segments/SegmentMoment.h"

#include <QAbstractTableModel>

namespace headroom::ui {

/// The segments as a table: what the picture shows, and who keeps each alive.
class SegmentTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Size, Allocated, Stuck, LargestGap, Blocks, Keeper, Since, Stream, Address, ColumnCount };
    /// What a column is sorted by.
    static constexpr int kSortRole = Qt::UserRole;

    explicit SegmentTableModel(QObject* parent = nullptr);

    void setMoment(SegmentMomentPtr moment);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString text(std::size_t segment, int column) const;
    QVariant sortValue(std::size_t segment, int column) const;

    SegmentMomentPtr m_moment;
};

} // namespace headroom::ui
