// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QObject>

class QDockWidget;
class QMainWindow;

namespace headroom::ui {

/// The docks of a main window, which Qt arranges: the user can tab, split, float and close each. Tabs name the docks;
/// one that is alone in its place has a slim title bar.
class DockArea : public QObject {
    Q_OBJECT

public:
    /// The window owns the docks and this.
    explicit DockArea(QMainWindow& window);

    /// Puts the view into a dock of its own, which has no place before `place`.
    QDockWidget* add(const QString& name, const QString& title, QWidget* view);
    /// Takes an existing dock of the window.
    void adopt(QDockWidget* dock);

    const QList<QDockWidget*>& docks() const { return m_docks; }
    /// The dock that contains the view or is it; null if it is in none of these.
    QDockWidget* dockOf(const QWidget* view) const;

    /// Makes the views' docks tabs of one place, the first in front.
    void place(Qt::DockWidgetArea area, const QList<QWidget*>& views);

Q_SIGNALS:
    /// A title or a tab was double-clicked: the dock is to fill the window, or to return to its place.
    void enlargeWanted(QDockWidget* dock);
    /// It has another size, or is shown.
    void windowResized();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void followLayout();
    void showTitles();
    void enlargeTab(int index);

    QMainWindow& m_window;
    QList<QDockWidget*> m_docks;
    bool m_isFollowing = false; ///< followLayout is to be called
};

} // namespace headroom::ui
