// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/SheetExport.h"

#include "experiments/figures/Palette.h"
#include "experiments/figures/svg/SheetWriter.h"
#include "ui/figures/FigureInk.h"
#include "ui/figures/FigurePainter.h"
#include "ui/figures/Paper.h"

#include <QMimeData>
#include <QPainter>
#include <QVariant>
#include <QWidget>

namespace headroom::ui {
namespace {

constexpr const char* kCaption = "pictureCaption";

struct SheetInk {
    QColor colour;
    Words words;
};

SheetInk inkOf(const FigureInk& ink, figures::SheetWords words)
{
    switch (words) {
    case figures::SheetWords::Strong:
        return {ink.ink(), Words::Strong};
    case figures::SheetWords::Title:
        return {ink.ink(), Words::Title};
    case figures::SheetWords::Muted:
        return {ink.muted(), Words::Plain};
    case figures::SheetWords::Plain:
        break;
    }
    return {ink.ink(), Words::Plain};
}

void paintSheet(const figures::Sheet& sheet, const figures::SheetLayout& layout, QPainter& painter)
{
    const FigureInk ink(figures::lightPalette());
    for (const figures::SheetFigure& placed : layout.figures) {
        const auto figure =
            std::make_shared<const figures::Figure>(std::get<figures::Figure>(sheet.parts[placed.part]));
        painter.save();
        painter.translate(0, placed.y);
        paintFigure(sceneOf(figure, placed.layout), ink, painter);
        painter.restore();
    }
    painter.setPen(QPen(ink.grid(), 1));
    for (const figures::Segment& rule : layout.rules)
        painter.drawLine(pointF(rule.from), pointF(rule.to));
    for (const figures::SheetText& text : layout.texts) {
        const SheetInk shown = inkOf(ink, text.words);
        FigureInk::write(painter, text.text, shown.colour, shown.words);
    }
}

// The sheet must outlive it.
Paper sheetPaper(const figures::Sheet& sheet, const ExportStyle& style)
{
    const figures::SheetLayout layout = figures::layOut(sheet, style.width);
    return {QSizeF(layout.width, layout.height), QString::fromStdString(sheet.caption),
        [&sheet, layout](QPainter& painter) { paintSheet(sheet, layout, painter); }};
}

QByteArray sheetCsv(const figures::Sheet& sheet)
{
    QByteArray bytes;
    for (const auto& part : sheet.parts) {
        const auto* figure = std::get_if<figures::Figure>(&part);
        const auto* table = std::get_if<figures::SheetTable>(&part);
        if (figure == nullptr && table == nullptr)
            continue;
        bytes += bytes.isEmpty() ? "" : "\r\n";
        bytes += QByteArray::fromStdString(figures::toCsv(figure != nullptr ? figure->table : table->table));
    }
    return bytes;
}

} // namespace

QImage pictureOf(const figures::Sheet& sheet, const ExportStyle& style)
{
    return imageOf(sheetPaper(sheet, style), style.scale);
}

QByteArray fileOf(const figures::Sheet& sheet, FileKind kind, const ExportStyle& style)
{
    switch (kind) {
    case FileKind::Png:
        return pngOf(sheetPaper(sheet, style), style.scale);
    case FileKind::Pdf:
        return pdfOf(sheetPaper(sheet, style));
    case FileKind::Svg:
        return QByteArray::fromStdString(figures::toSvg(sheet, style.width));
    case FileKind::Csv:
        break;
    }
    return sheetCsv(sheet);
}

std::unique_ptr<QMimeData> clipboardOf(const figures::Sheet& sheet)
{
    auto data = std::make_unique<QMimeData>();
    data->setImageData(pictureOf(sheet, {.scale = 2}));
    data->setData(QStringLiteral("image/svg+xml"), fileOf(sheet, FileKind::Svg, {}));
    return data;
}

figures::Sheet sheetOf(const figures::Figure& figure, const QString& caption)
{
    return {{figure}, caption.toStdString()};
}

void setPictureCaption(QWidget& view, const QString& caption)
{
    view.setProperty(kCaption, caption);
}

QString pictureCaption(const QWidget& view)
{
    for (const QWidget* at = &view; at != nullptr; at = at->parentWidget())
        if (const QVariant caption = at->property(kCaption); caption.isValid())
            return caption.toString();
    return {};
}

} // namespace headroom::ui
