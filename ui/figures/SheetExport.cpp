// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/SheetExport.h"

#include "experiments/figures/Palette.h"
#include "experiments/figures/drawing/SheetDrawing.h"
#include "experiments/figures/svg/SvgWriter.h"
#include "ui/figures/FigureInk.h"
#include "ui/figures/PainterCanvas.h"
#include "ui/figures/Paper.h"

#include <QMimeData>
#include <QPainter>
#include <QVariant>
#include <QWidget>

namespace headroom::ui {
namespace {

constexpr const char* kCaption = "pictureCaption";

void paintSheet(const figures::Sheet& sheet, const figures::SheetLayout& layout, QPainter& painter)
{
    const FigureInk ink(figures::lightPalette());
    PainterCanvas canvas(ink, painter);
    painter.setRenderHint(QPainter::Antialiasing);
    figures::drawSheet(sheet, layout, canvas);
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
