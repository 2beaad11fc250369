// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/recordings/WhatIf.h"
#include "profiling/recordings/Recording.h"
#include "ui/look/Theme.h"

#include <QAbstractTableModel>

#include <memory>
#include <string>
#include <vector>

namespace headroom::ui {

/// How the recording's requests are served under each setting: the recorded one, the one that is asked for, and those
/// that are tried beside it.
class WhatIfTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Setting, Outcome, PeakReserved, Unused, SmallestMemory, SmallestCard, Flushes, Retries, ColumnCount };

    explicit WhatIfTableModel(Theme& theme, QObject* parent = nullptr);

    void clear(std::shared_ptr<const recordings::Recording> recording);
    /// The rows of an answer; they stand first.
    void setAsked(const std::vector<experiments::WhatIfRow>& rows);
    void clearTried();
    void addTried(const experiments::WhatIfRow& row);
    /// This setting's row stands out; empty: none.
    void setBest(const std::string& allocator);
    const experiments::WhatIfRow& row(int place) const { return m_rows.at(static_cast<std::size_t>(place)); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void rebuild();
    QString text(const experiments::WhatIfRow& row, int column) const;
    QString tip(const experiments::WhatIfRow& row, int column) const;

    Theme& m_theme;
    std::shared_ptr<const recordings::Recording> m_recording;
    std::vector<experiments::WhatIfRow> m_asked;
    std::vector<experiments::WhatIfRow> m_tried;
    std::vector<experiments::WhatIfRow> m_rows; ///< each setting once
    std::string m_best;
};

} // namespace headroom::ui
