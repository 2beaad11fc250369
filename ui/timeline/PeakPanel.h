// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/timeline/PeakParts.h"
#include "ui/timeline/PeakPartsModel.h"
#include "ui/timeline/PeakTreeView.h"
#include "ui/timeline/TimelineSlot.h"

#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QWidget>

#include <optional>
#include <vector>

namespace headroom::ui {

/// The contents of a peak as one stacked bar: categories by name if they are known, else parts, numbered as in the
/// table beside it.
class PeakBar : public QWidget {
    Q_OBJECT

public:
    explicit PeakBar(Theme& theme, QWidget* parent = nullptr);

    void setContents(std::optional<PeakContents> contents);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Piece {
        enum class Kind { Part, Category, Room };

        Bytes bytes = 0;
        Kind kind = Kind::Part;
        std::size_t number = 0; ///< of the part or the category
    };

    std::vector<Piece> pieces() const;
    void paintPiece(QPainter& painter, const QRectF& box, const Piece& piece);
    void paintPart(QPainter& painter, const QRectF& box, const Piece& piece);
    void paintCategory(QPainter& painter, const QRectF& box, std::size_t category);

    Theme& m_theme;
    std::optional<PeakContents> m_contents;
};

/// "At the peak": its time, phase and step, and the contents of memory at that time.
class PeakPanel : public QWidget {
    Q_OBJECT

public:
    explicit PeakPanel(Theme& theme, QWidget* parent = nullptr);

    /// Null if no trial is shown.
    void show(const TimelineSlot* slot);
    using QWidget::show;
    QSize sizeHint() const override;
    /// How the tree is grouped.
    QString grouping() const { return m_tree->grouping(); }
    void setGrouping(const QString& grouping) { m_tree->setGrouping(grouping); }
    PeakTreeView& tree() { return *m_tree; }

private:
    void describe(const TimelineSummary& summary);

    QLabel* m_heading;
    QLabel* m_sentence;
    PeakBar* m_bar;
    PeakPartsModel* m_model;
    QTableView* m_table;
    PeakTreeView* m_tree;
    QStackedWidget* m_pages;
    PeakTreesPtr m_trees;
    QLabel* m_note;
};

} // namespace headroom::ui
