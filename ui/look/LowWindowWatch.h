// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

#include <functional>

namespace headroom::ui {

/// Tells a widget that its window has become a low one, or is none any more (isInLowWindow): a change of the window's
/// height need not resize the widget. Belongs to the widget.
class LowWindowWatch : public QObject {
public:
    LowWindowWatch(QWidget& widget, std::function<void()> changed);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void look();

    QWidget& m_widget;
    std::function<void()> m_changed;
    QPointer<QWidget> m_window; ///< that is watched: a dock that floats has another one
    bool m_isLow;
};

} // namespace headroom::ui
