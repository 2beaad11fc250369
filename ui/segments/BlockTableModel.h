// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/segments/SegmentMoment.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace headroom::ui {

/// The blocks and gaps of one segment in the order of their addresses: who holds each, since when, allocated where.
class BlockTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Size, What, Where, Since, ColumnCount };

    explicit BlockTableModel(Theme& theme, QObject* parent = nullptr);

    /// nullopt clears it.
    void show(SegmentMomentPtr moment, std::optional<std::size_t> segment);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    /// A block, or a gap where it has none.
    struct Row {
        Bytes bytes = 0;
        const trace::HeldBlock* block = nullptr;
    };

    QString text(const Row& row, int column) const;
    QString tip(const Row& row) const;
    QVariant swatch(const Row& row) const;

    Theme& m_theme;
    SegmentMomentPtr m_moment; ///< keeps the blocks
    std::vector<Row> m_rows;
};

} // namespace headroom::ui
