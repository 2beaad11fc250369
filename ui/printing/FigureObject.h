// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/layout/FigureLayout.h"

#include <QObject>
#include <QTextObjectInterface>

#include <vector>

namespace headroom::ui {

/// Draws the figures that stand in a text document, each named by a number in its character's format.
class FigureObject : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    static constexpr int kType = QTextFormat::UserObject + 1;
    static constexpr int kNumber = QTextFormat::UserProperty + 1;

    using QObject::QObject;

    /// The format of the character in whose place the figure is drawn, `width` px wide.
    QTextCharFormat add(const figures::Figure& figure, double width);

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& area, QTextDocument* document, int position,
        const QTextFormat& format) override;

private:
    struct Drawing {
        figures::Figure figure;
        figures::FigureLayout layout;
    };

    std::vector<Drawing> m_drawings;
};

} // namespace headroom::ui
