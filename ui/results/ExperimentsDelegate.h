// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/results/OutcomeIcon.h"

#include <QHash>
#include <QStyledItemDelegate>

namespace headroom::ui {

/// Draws an experiment in two lines: its sign, name and age; below, its models, state and devices.
class ExperimentsDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    ExperimentsDelegate(const Theme& theme, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void makeIcons();
    void paintWords(
        QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& area) const;

    const Theme& m_theme;
    QHash<int, QIcon> m_icons; ///< by sign
};

} // namespace headroom::ui
