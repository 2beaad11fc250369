// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"

#include <QByteArray>
#include <QImage>
#include <QString>

#include <optional>
#include <stop_token>

namespace headroom::ui {

enum class FileKind { Png, Pdf, Svg, Csv };

/// By the ending of a file's name; nothing for others.
std::optional<FileKind> fileKindOf(const QString& path);

struct ExportStyle {
    double width = 720; ///< in px of the figure; the height follows, as in reports
    double scale = 1; ///< px of a PNG for each of the figure
};

/// The figure on paper: light whatever the program's theme is.
QImage pictureOf(const figures::Figure& figure, const ExportStyle& style);

/// What a file of that kind holds. An SVG is the one that reports have. May run on any thread.
QByteArray fileOf(const figures::Figure& figure, FileKind kind, const ExportStyle& style);

/// Replaces the file as a whole, or throws FileError and leaves it as it was. `stop` ends the waiting for a reader of a
/// pipe that does not read. Not for the UI thread.
void writeFile(const QString& path, const QByteArray& bytes, const std::stop_token& stop);

} // namespace headroom::ui
