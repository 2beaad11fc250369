// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/SheetExport.h"

#include "experiments/figures/Palette.h"
#include "experiments/figures/svg/SheetWriter.h"
#include "ui/figures/FigureInk.h"
#include "ui/figures/FigurePainter.h"

#include <QBuffer>
#include <QMimeData>
#include <QPainter>
#include <QPdfWriter>
#include <QVariant>
#include <QWidget>

#include <cmath>

namespace headroom::ui {
namespace {

constexpr const char* kCaption = "pictureCaption";
constexpr double kSheetPointsPerPx = 0.75;
constexpr int kSheetPdfResolution = 1200;
constexpr double kSheetPxPerInch = 96;

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

QByteArray sheetPng(const figures::Sheet& sheet, const ExportStyle& style)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    pictureOf(sheet, style).save(&buffer, "PNG");
    return bytes;
}

QByteArray sheetPdf(const figures::Sheet& sheet, const ExportStyle& style)
{
    const figures::SheetLayout layout = figures::layOut(sheet, style.width);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(QString::fromStdString(sheet.caption));
    writer.setResolution(kSheetPdfResolution);
    const QSizeF points(layout.width * kSheetPointsPerPx, layout.height * kSheetPointsPerPx);
    writer.setPageSize(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins({});
    QPainter painter(&writer);
    painter.scale(kSheetPdfResolution / kSheetPxPerInch, kSheetPdfResolution / kSheetPxPerInch);
    paintSheet(sheet, layout, painter);
    painter.end();
    return bytes;
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
    const figures::SheetLayout layout = figures::layOut(sheet, style.width);
    QImage image(static_cast<int>(std::ceil(layout.width * style.scale)),
        static_cast<int>(std::ceil(layout.height * style.scale)), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(style.scale, style.scale);
    paintSheet(sheet, layout, painter);
    return image;
}

QByteArray fileOf(const figures::Sheet& sheet, FileKind kind, const ExportStyle& style)
{
    switch (kind) {
    case FileKind::Png:
        return sheetPng(sheet, style);
    case FileKind::Pdf:
        return sheetPdf(sheet, style);
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
