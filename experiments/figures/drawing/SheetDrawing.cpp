// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/drawing/SheetDrawing.h"

#include "experiments/figures/drawing/FigureDrawing.h"

#include <variant>

namespace headroom::figures {
namespace {

TextRole roleOf(SheetWords words)
{
    switch (words) {
    case SheetWords::Strong:
        return TextRole::StripTitle;
    case SheetWords::Title:
        return TextRole::Title;
    case SheetWords::Muted:
        return TextRole::Small;
    case SheetWords::Plain:
        break;
    }
    return TextRole::Sheet;
}

} // namespace

void drawSheet(const Sheet& sheet, const SheetLayout& layout, Canvas& canvas)
{
    canvas.box({Role::Surface}, {0, 0, layout.width, layout.height});
    for (const SheetFigure& placed : layout.figures) {
        const auto& figure = std::get<Figure>(sheet.parts[placed.part]);
        canvas.open({.kind = DrawnGroup::Kind::Figure, .name = figure.kind, .y = placed.y, .label = figure.title});
        FigureDrawing(sceneOf(figure, placed.layout), canvas).drawAll();
        canvas.close();
    }
    for (const Segment& rule : layout.rules)
        canvas.line({Role::Grid}, rule);
    for (const SheetText& text : layout.texts)
        canvas.text(roleOf(text.words), text.text);
}

} // namespace headroom::figures
