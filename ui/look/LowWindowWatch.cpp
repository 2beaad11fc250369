// SPDX-License-Identifier: Apache-2.0
#include "ui/look/LowWindowWatch.h"

#include "ui/look/LowWindow.h"

#include <QEvent>

namespace headroom::ui {

LowWindowWatch::LowWindowWatch(QWidget& widget, std::function<void()> changed)
    : QObject(&widget)
    , m_widget(widget)
    , m_changed(std::move(changed))
    , m_isLow(isInLowWindow(widget))
{
    widget.installEventFilter(this);
}

bool LowWindowWatch::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &m_widget && event->type() == QEvent::Show) {
        if (m_window != m_widget.window()) {
            if (m_window != nullptr)
                m_window->removeEventFilter(this);
            m_window = m_widget.window();
            m_window->installEventFilter(this);
        }
        look();
    } else if (watched == m_window && event->type() == QEvent::Resize)
        look();
    return false;
}

void LowWindowWatch::look()
{
    const bool isLow = isInLowWindow(m_widget);
    if (isLow == m_isLow)
        return;
    m_isLow = isLow;
    m_changed();
}

} // namespace headroom::ui
