// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/timeline/PeakParts.h"

#include <QAbstractTableModel>

#include <optional>

namespace headroom::ui {

/// The contents of memory at the peak: its parts, their sum, and what is reserved beyond it.
class PeakPartsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Part, Size, Share, ColumnCount };
    /// The exact number of bytes.
    static constexpr int kBytesRole = Qt::UserRole;

    explicit PeakPartsModel(Theme& theme, QObject* parent = nullptr);

    void setContents(std::optional<PeakContents> contents);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        QString name;
        QString explanation;
        Bytes bytes = 0;
        int part = -1; ///< index in the bar; -1 for a sum
    };

    void addReserved();
    QVariant text(const Row& row, int column) const;

    Theme& m_theme;
    std::optional<PeakContents> m_contents;
    std::vector<Row> m_rows;
};

/// The colour of a part; the last part, reserved but not allocated memory, has none.
QColor partColour(const Theme& theme, std::size_t part);

} // namespace headroom::ui
