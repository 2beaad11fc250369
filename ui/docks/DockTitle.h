// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QDockWidget;
class QLabel;
class QToolButton;

namespace headroom::ui {

/// The slim title bar of a dock: its name, and buttons that enlarge, float and close it. It takes no room while the
/// dock is a tab, as the tab names it.
class DockTitle : public QWidget {
    Q_OBJECT

public:
    explicit DockTitle(QDockWidget& dock);

    enum class Place { Alone, Tab };
    void setPlace(Place place);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// The dock is to fill the window, or to return to its place.
    void enlargeWanted();

protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    QToolButton* addButton(const QString& name, const QString& words, int standardIcon);

    QDockWidget& m_dock;
    QLabel* m_name;
    Place m_place = Place::Alone;
};

} // namespace headroom::ui
