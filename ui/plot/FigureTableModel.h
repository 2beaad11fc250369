// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureInk.h"

#include <QAbstractTableModel>

namespace headroom::ui {

/// A figure in words: its table.
class FigureTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setFigure(FigurePtr figure);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    FigurePtr m_figure;
};

} // namespace headroom::ui
