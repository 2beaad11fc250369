// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/TimelineStack.h"

#include <QGridLayout>
#include <QLabel>
#include <QWidget>

namespace headroom::ui {

/// What every lane holds at the cursor, and what it did in the range: always at one place, in words.
class TimelineReadout : public QWidget {
    Q_OBJECT

public:
    explicit TimelineReadout(QWidget* parent = nullptr);

    void show(const TimelineStack& stack);
    using QWidget::show;
    /// As it stands there; empty beyond it.
    QString text(int row, int column) const;

private:
    void fill(int row, const QStringList& cells, const QString& tip);
    QLabel* label(int row, int column);

    QGridLayout* m_grid;
    QLabel* m_hint;
    QList<QList<QLabel*>> m_labels;
};

} // namespace headroom::ui
