// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/results/OutcomeIcon.h"

#include <QHash>
#include <QStyledItemDelegate>

namespace headroom::ui {

/// Draws the cells of trials: predicted figures in italics, unknown ones in a muted colour, the outcome with its sign,
/// and the trial that is hovered in any view on a tinted background.
class TrialsDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    TrialsDelegate(const Theme& theme, QObject* parent = nullptr);

    void setOutcomeColumn(int column) { m_outcomeColumn = column; }
    void setHovered(const QString& trial) { m_hovered = trial; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    void makeIcons();

    const Theme& m_theme;
    QHash<int, QIcon> m_icons; ///< by sign
    int m_outcomeColumn = -1;
    QString m_hovered;
};

} // namespace headroom::ui
