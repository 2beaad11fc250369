// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSizeF>
#include <QString>

#include <functional>

class QPainter;

namespace headroom::ui {

/// What is painted on paper of that size: an image, a PNG or a page of a PDF of it are the same drawing. All of it may
/// run on any thread.
struct Paper {
    QSizeF size; ///< in px of the drawing
    QString title;
    std::function<void(QPainter& painter)> paint;
};

/// White where nothing is painted; `scale` px for each of the drawing.
QImage imageOf(const Paper& paper, double scale);
QByteArray pngOf(const Paper& paper, double scale);
/// One page of exactly the paper's size, with lines and letters rather than pixels.
QByteArray pdfOf(const Paper& paper);

} // namespace headroom::ui
