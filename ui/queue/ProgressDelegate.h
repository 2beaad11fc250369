// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"

#include <QStyledItemDelegate>

namespace headroom::ui {

/// Draws the progress of a QueueModel row as a bar with its percentage.
class ProgressDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit ProgressDelegate(const Theme& theme, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Theme& m_theme;
};

} // namespace headroom::ui
