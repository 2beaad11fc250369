// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/segments/SegmentLayout.h"
#include "ui/segments/SegmentMoment.h"

#include <QAbstractScrollArea>
#include <QBrush>

#include <array>
#include <optional>

namespace headroom::ui {

/// The picture of an allocator's segments: each a stretch of its addresses, with its blocks in the colours of their
/// categories and the gaps between them. The arrows go from segment to segment.
class SegmentMap : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit SegmentMap(Theme& theme, QWidget* parent = nullptr);

    /// Null shows nothing. The chosen segment stays chosen while it is there.
    void setMoment(SegmentMomentPtr moment);
    void setOrder(SegmentOrder order);
    /// nullopt: none.
    void choose(std::optional<std::size_t> segment);
    std::optional<std::size_t> chosen() const;
    void zoom(double factor);
    void fit();

    const SegmentLayout& layoutOfSegments() const { return m_layout; }
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosenChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void arrange();
    void lookAtChosen();
    void describeChosen();
    void step(int by);
    void stepRow(int by);
    QPointF inPicture(const QPointF& place) const;
    void paintPiece(QPainter& painter, const SegmentPiece& piece);
    void paintBlocks(QPainter& painter, const SegmentPiece& piece);
    void paintFrame(QPainter& painter, const SegmentPiece& piece);
    void makeBrushes();

    Theme& m_theme;
    SegmentMomentPtr m_moment;
    SegmentLayout m_layout;
    SegmentOrder m_order = SegmentOrder::Address;
    double m_zoom = 1;
    std::optional<std::uint64_t> m_chosen; ///< its address
    std::optional<std::size_t> m_hovered;
    std::array<QBrush, config::kMemoryCategoryCount> m_brushes;
};

} // namespace headroom::ui
