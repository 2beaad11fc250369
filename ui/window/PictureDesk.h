// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/layout/SheetLayout.h"
#include "ui/jobs/JobThread.h"
#include "ui/window/Services.h"
#include "ui/window/WindowViews.h"

#include <QObject>

class QMainWindow;

namespace headroom::ui {

/// Shares what a view shows as a picture: on the clipboard, or as a file. The picture says below it whose results it shows.
class PictureDesk : public QObject {
    Q_OBJECT

public:
    PictureDesk(QMainWindow& window, WindowViews& views, Services& services);

    /// The table or tree that has the focus, else the view that has it, else the plot in front.
    QWidget* subject() const;

    /// An image, and the same as SVG for programs that take it.
    void copy();
    /// The SVG's source.
    void copySvg();
    void save();

private:
    void showCaptions();
    QString captionOfSelected() const;
    bool hasSomething(const figures::Sheet& sheet);
    void write(const QString& path, double scale, const figures::Sheet& sheet);
    void say(const QString& message);

    QMainWindow& m_window;
    WindowViews& m_views;
    Services& m_services;
    JobThread m_files;
};

} // namespace headroom::ui
