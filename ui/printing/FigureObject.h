// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "ui/figures/FigureInk.h"

#include <QObject>
#include <QTextObjectInterface>

#include <vector>

namespace headroom::ui {

/// Paints the figures that stand in a text document, as files of them have them; each is named by a number in its
/// character's format.
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
    const PlotScene& sceneFor(const QTextFormat& format) const;

    std::vector<PlotScene> m_scenes;
};

} // namespace headroom::ui
