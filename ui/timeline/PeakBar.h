// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/timeline/PeakParts.h"

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

} // namespace headroom::ui
