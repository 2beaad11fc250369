// SPDX-License-Identifier: Apache-2.0
#include "ui/printing/FigureObject.h"

#include "ui/printing/FigurePainter.h"

namespace headroom::ui {

QTextCharFormat FigureObject::add(const figures::Figure& figure, double width)
{
    m_drawings.push_back({figure, figures::layOut(figure, width, figures::TitleLines::Shown)});
    QTextCharFormat format;
    format.setObjectType(kType);
    format.setProperty(kNumber, static_cast<int>(m_drawings.size()) - 1);
    return format;
}

QSizeF FigureObject::intrinsicSize(QTextDocument*, int, const QTextFormat& format)
{
    const auto& layout = m_drawings[static_cast<std::size_t>(format.intProperty(kNumber))].layout;
    return {layout.width, layout.height};
}

void FigureObject::drawObject(QPainter* painter, const QRectF& area, QTextDocument*, int, const QTextFormat& format)
{
    const Drawing& drawing = m_drawings[static_cast<std::size_t>(format.intProperty(kNumber))];
    painter->save();
    painter->translate(area.topLeft());
    painter->setRenderHint(QPainter::Antialiasing);
    FigurePainter(drawing.figure, drawing.layout, *painter).draw();
    painter->restore();
}

} // namespace headroom::ui
