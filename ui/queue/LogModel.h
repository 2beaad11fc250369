// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/runs/RunBatch.h"

#include <QAbstractTableModel>

#include <deque>

namespace headroom::ui {

/// The newest lines of the log. Older ones are dropped and counted.
class LogModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, Trial, Text, ColumnCount };
    enum Role { TrialIdRole = Qt::UserRole, SourceRole };

    explicit LogModel(const Theme& theme, qsizetype mostLines = kMostLines, QObject* parent = nullptr);

    void append(const LogLines& lines, qint64 droppedBefore);
    void clear();
    qint64 dropped() const { return m_dropped; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static constexpr qsizetype kMostLines = 20'000;

private:
    void dropFirst(qsizetype count);

    const Theme& m_theme;
    qsizetype m_mostLines;
    std::deque<LogLine> m_lines;
    qint64 m_dropped = 0;
};

} // namespace headroom::ui
