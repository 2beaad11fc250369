// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/FigureExport.h"

#include "core/base/ReplacedFile.h"
#include "experiments/figures/Figure.h"
#include "experiments/figures/Palette.h"
#include "experiments/figures/svg/SvgWriter.h"
#include "profiling/store/OpenFiles.h"
#include "ui/figures/FigurePainter.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>

#include <cmath>

namespace headroom::ui {
namespace {

constexpr double kPointsPerPx = 0.75;
constexpr int kPdfResolution = 1200;
constexpr double kPxPerInch = 96;

PlotScene sceneFor(const figures::Figure& figure, const ExportStyle& style)
{
    const auto shared = std::make_shared<const figures::Figure>(figure);
    return sceneOf(shared, figures::layOut(*shared, style.width, figures::TitleLines::Shown));
}

QByteArray pngOf(const figures::Figure& figure, const ExportStyle& style)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    pictureOf(figure, style).save(&buffer, "PNG");
    return bytes;
}

QByteArray pdfOf(const figures::Figure& figure, const ExportStyle& style)
{
    const PlotScene scene = sceneFor(figure, style);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(QString::fromStdString(figure.title));
    writer.setResolution(kPdfResolution);
    const QSizeF points(scene.layout.width * kPointsPerPx, scene.layout.height * kPointsPerPx);
    writer.setPageSize(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins({});
    QPainter painter(&writer);
    painter.scale(kPdfResolution / kPxPerInch, kPdfResolution / kPxPerInch);
    paintFigure(scene, FigureInk(figures::lightPalette()), painter);
    painter.end();
    return bytes;
}

} // namespace

std::optional<FileKind> fileKindOf(const QString& path)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == QLatin1String("png"))
        return FileKind::Png;
    if (ending == QLatin1String("pdf"))
        return FileKind::Pdf;
    if (ending == QLatin1String("svg"))
        return FileKind::Svg;
    return ending == QLatin1String("csv") ? std::optional(FileKind::Csv) : std::nullopt;
}

QImage pictureOf(const figures::Figure& figure, const ExportStyle& style)
{
    const PlotScene scene = sceneFor(figure, style);
    QImage image(static_cast<int>(std::ceil(scene.layout.width * style.scale)),
        static_cast<int>(std::ceil(scene.layout.height * style.scale)), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(style.scale, style.scale);
    paintFigure(scene, FigureInk(figures::lightPalette()), painter);
    return image;
}

QByteArray fileOf(const figures::Figure& figure, FileKind kind, const ExportStyle& style)
{
    switch (kind) {
    case FileKind::Png:
        return pngOf(figure, style);
    case FileKind::Pdf:
        return pdfOf(figure, style);
    case FileKind::Svg:
        return QByteArray::fromStdString(figures::toSvg(figure, {.width = style.width}));
    case FileKind::Csv:
        break;
    }
    return QByteArray::fromStdString(figures::toCsv(figure.table));
}

void writeFile(const QString& path, const QByteArray& bytes, const std::stop_token& stop)
{
    store::requireNotOpenHere(path.toStdString());
    try {
        replaceFile(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())}, stop);
    } catch (const UnwritableFile& error) {
        throw FileError(
            QStringLiteral("Could not write \"%1\": %2").arg(path, QString::fromStdString(error.why())).toStdString());
    }
}

} // namespace headroom::ui
