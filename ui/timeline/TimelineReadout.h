// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/TimelineStack.h"

#include <QWidget>

#include <vector>

namespace headroom::ui {

/// The values of every lane at the cursor and over the range. It floats over the plots and takes no room of theirs; it
/// paints itself, because labels would make the window redo its layout at every step of the cursor.
class TimelineReadout : public QWidget {
    Q_OBJECT

public:
    explicit TimelineReadout(QWidget* parent = nullptr);

    void show(const TimelineStack& stack);
    using QWidget::show;
    bool isEmpty() const { return m_rows.empty(); }
    /// The displayed text; empty outside of the table.
    QString text(int row, int column) const;

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Row {
        enum class Kind {
            Cells,
            Sentence ///< a name, and lines that span the other columns
        };

        QStringList cells;
        Kind kind = Kind::Cells;
        QStringList lines{}; ///< of a sentence
    };

    /// One track of one trial needs no table: lines are narrower, and hide less of the plot.
    bool isOneTrack() const;
    QStringList linesOfTrack() const;
    void paintTrack(QPainter& painter) const;
    static void addRows(
        std::vector<Row>& rows, const TimelineStack& stack, const TimelineSlot& slot, const LaneWindow& lane);
    void paintCells(QPainter& painter, const Row& row, int top) const;
    void paintSentence(QPainter& painter, const Row& row, int top) const;

    void setRows(std::vector<Row> rows);
    int rowHeight() const;
    int gap() const;

    std::vector<Row> m_rows; ///< the header first
    std::vector<int> m_widths; ///< column widths in px: they only grow, so that nothing jumps while the cursor moves
    int m_narrowWidth = 0; ///< of the lines of one track, which only grows as well
};

} // namespace headroom::ui
