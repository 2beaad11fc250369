// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/Paper.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>

#include <cmath>

namespace headroom::ui {
namespace {

constexpr double kPointsPerPx = 0.75;
constexpr int kPdfResolution = 1200;
constexpr double kPxPerInch = 96;

} // namespace

QImage imageOf(const Paper& paper, double scale)
{
    QImage image(static_cast<int>(std::ceil(paper.size.width() * scale)),
        static_cast<int>(std::ceil(paper.size.height() * scale)), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    paper.paint(painter);
    return image;
}

QByteArray pngOf(const Paper& paper, double scale)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    imageOf(paper, scale).save(&buffer, "PNG");
    return bytes;
}

QByteArray pdfOf(const Paper& paper)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(paper.title);
    writer.setResolution(kPdfResolution);
    writer.setPageSize(QPageSize(paper.size * kPointsPerPx, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins({});
    QPainter painter(&writer);
    painter.scale(kPdfResolution / kPxPerInch, kPdfResolution / kPxPerInch);
    paper.paint(painter);
    painter.end();
    return bytes;
}

} // namespace headroom::ui
