// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/layout/SheetLayout.h"
#include "ui/jobs/JobThread.h"
#include "ui/session/ResultSet.h"
#include "ui/session/Selection.h"

#include <QList>
#include <QObject>

#include <functional>

class QMainWindow;

namespace headroom::ui {

/// Shares what a view shows as a picture: on the clipboard, or as a file. The picture says below it whose results it
/// shows.
class PictureDesk : public QObject {
    Q_OBJECT

public:
    /// `viewInFront` is taken where nothing with a picture has the focus. Views in `ofSelected` show the selected
    /// trials, the others all of the experiment.
    PictureDesk(QMainWindow& window, Selection& selection, std::function<QWidget*()> viewInFront,
        const QList<QWidget*>& ofSelected);

    void setResults(const Results& results);
    /// The table or tree that has the focus, else the view that has it, else the one in front.
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
    Selection& m_selection;
    std::function<QWidget*()> m_viewInFront;
    QList<QWidget*> m_ofSelected;
    Results m_results;
    JobThread m_files;
};

} // namespace headroom::ui
