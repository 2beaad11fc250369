// SPDX-License-Identifier: Apache-2.0
#include "ui/printing/FigureObject.h"

#include "experiments/figures/Palette.h"
#include "experiments/figures/layout/FigureLayout.h"
#include "ui/figures/FigureInk.h"
#include "ui/figures/PainterCanvas.h"

namespace headroom::ui {

QTextCharFormat FigureObject::add(const figures::Figure& figure, double width)
{
    const auto shared = std::make_shared<const figures::Figure>(figure);
    m_scenes.push_back(sceneOf(shared, figures::layOut(*shared, width, figures::TitleLines::Shown)));
    QTextCharFormat format;
    format.setObjectType(kType);
    format.setProperty(kNumber, static_cast<int>(m_scenes.size()) - 1);
    return format;
}

const PlotScene& FigureObject::sceneFor(const QTextFormat& format) const
{
    return m_scenes[static_cast<std::size_t>(format.intProperty(kNumber))];
}

QSizeF FigureObject::intrinsicSize(QTextDocument*, int, const QTextFormat& format)
{
    const figures::FigureLayout& layout = sceneFor(format).layout;
    return {layout.width, layout.height};
}

void FigureObject::drawObject(QPainter* painter, const QRectF& area, QTextDocument*, int, const QTextFormat& format)
{
    painter->save();
    painter->translate(area.topLeft());
    paintFigure(sceneFor(format), FigureInk(figures::lightPalette()), *painter);
    painter->restore();
}

} // namespace headroom::ui
