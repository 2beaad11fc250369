// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/layout/SheetLayout.h"
#include "ui/figures/FigureExport.h"

#include <QByteArray>
#include <QImage>
#include <QString>

#include <memory>

class QMimeData;
class QWidget;

namespace headroom::ui {

/// The sheet on paper: light whatever the program's theme is.
QImage pictureOf(const figures::Sheet& sheet, const ExportStyle& style);

/// What a file of that kind holds. CSV: the tables, and those of the figures. May run on any thread.
QByteArray fileOf(const figures::Sheet& sheet, FileKind kind, const ExportStyle& style);

/// For the clipboard: an image, and the same as "image/svg+xml" for programs that take it.
std::unique_ptr<QMimeData> clipboardOf(const figures::Sheet& sheet);

/// A figure with the caption of the view that it is in.
figures::Sheet sheetOf(const figures::Figure& figure, const QString& caption);

/// Says whose results a view and the views in it show.
void setPictureCaption(QWidget& view, const QString& caption);
/// Of the view or of what it is in; empty where nobody has said.
QString pictureCaption(const QWidget& view);

} // namespace headroom::ui
