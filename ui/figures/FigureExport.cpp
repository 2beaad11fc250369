// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/FigureExport.h"

#include "core/base/ReplacedFile.h"
#include "experiments/figures/Figure.h"
#include "experiments/figures/Palette.h"
#include "experiments/figures/svg/SvgWriter.h"
#include "profiling/store/OpenFiles.h"
#include "ui/figures/PainterCanvas.h"
#include "ui/figures/Paper.h"

#include <QFileInfo>
#include <QPainter>

#include <memory>

namespace headroom::ui {
namespace {

Paper paperOf(const figures::Figure& figure, const ExportStyle& style)
{
    const auto shared = std::make_shared<const figures::Figure>(figure);
    const PlotScene scene = sceneOf(shared, figures::layOut(*shared, style.width, figures::TitleLines::Shown));
    return {QSizeF(scene.layout.width, scene.layout.height), QString::fromStdString(figure.title),
        [scene](QPainter& painter) { paintFigure(scene, FigureInk(figures::lightPalette()), painter); }};
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
    return imageOf(paperOf(figure, style), style.scale);
}

QByteArray fileOf(const figures::Figure& figure, FileKind kind, const ExportStyle& style)
{
    switch (kind) {
    case FileKind::Png:
        return pngOf(paperOf(figure, style), style.scale);
    case FileKind::Pdf:
        return pdfOf(paperOf(figure, style));
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
