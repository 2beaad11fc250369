// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/TimelineStack.h"

#include <QWidget>

#include <vector>

namespace headroom::ui {

/// What every lane holds at the cursor, and what it did in the range: always at one place, in words. Painted by itself,
/// as labels would have the window's layout made anew with every step of the cursor.
class TimelineReadout : public QWidget {
    Q_OBJECT

public:
    explicit TimelineReadout(QWidget* parent = nullptr);

    void show(const TimelineStack& stack);
    using QWidget::show;
    /// As it stands there; empty beyond it.
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
            Sentence ///< a name, and words that go on over the other columns
        };

        QStringList cells;
        QString tip{}; ///< exact figures
        Kind kind = Kind::Cells;
    };

    static void addRows(
        std::vector<Row>& rows, const TimelineStack& stack, const TimelineSlot& slot, const LaneWindow& lane);
    void paintSentence(QPainter& painter, const Row& row, const QRect& all, int number) const;

    void setRows(std::vector<Row> rows);
    int rowHeight() const;

    std::vector<Row> m_rows; ///< the header first; empty: there is a hint instead
    std::vector<int> m_widths; ///< px of the columns: they only grow, so that nothing jumps while the cursor moves
};

} // namespace headroom::ui
