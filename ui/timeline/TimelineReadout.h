// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/TimelineStack.h"

#include <QWidget>

#include <vector>

namespace headroom::ui {

/// The values of every lane at the cursor and over the range, as text in a fixed place. It paints itself, because
/// labels would make the window redo its layout at every step of the cursor.
class TimelineReadout : public QWidget {
    Q_OBJECT

public:
    explicit TimelineReadout(QWidget* parent = nullptr);

    void show(const TimelineStack& stack);
    using QWidget::show;
    /// The displayed text; empty outside of the table.
    QString text(int row, int column) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Row {
        enum class Kind {
            Cells,
            Sentence ///< a name, and text that spans the other columns
        };

        QStringList cells;
        QString tip{}; ///< exact values
        Kind kind = Kind::Cells;
    };

    static void addRows(
        std::vector<Row>& rows, const TimelineStack& stack, const TimelineSlot& slot, const LaneWindow& lane);
    void paintSentence(QPainter& painter, const Row& row, const QRect& all, int number) const;

    void setRows(std::vector<Row> rows);
    int rowHeight() const;

    std::vector<Row> m_rows; ///< the header first; if empty, a hint is shown instead
    std::vector<int> m_widths; ///< column widths in px: they only grow, so that nothing jumps while the cursor moves
};

} // namespace headroom::ui
