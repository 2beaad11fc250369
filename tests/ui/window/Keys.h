// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/ui/UiTest.h"

#include <QApplication>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <functional>

namespace headroom::ui {

/// Keys as a window system gives them: an open list gets them, else the widget with the focus, wherever that is.
class Keys {
public:
    /// `window` gets the keys that nothing else takes.
    explicit Keys(QWidget& window)
        : m_window(window)
    {
    }

    static QWidget* focus() { return QApplication::focusWidget(); }

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) const
    {
        takeBackFocus();
        QTest::keyClick(target(), key, modifiers);
    }

    void write(const QString& text) const { QTest::keyClicks(target(), text); }

    /// From wherever the focus is to the widget of this name, by Tab; false if it is not reached. A window that a
    /// dialog has just left may take a moment to get the focus back.
    bool tabTo(const char* name) const
    {
        QStringList passed;
        for (int tabs = 0; tabs < kMostTabs && hasFocus(); ++tabs) {
            if (focus()->objectName() == QLatin1String(name))
                return true;
            passed.append(focus()->objectName());
            press(Qt::Key_Tab);
        }
        qInfo("Tab does not reach %s, only %s", name, qPrintable(passed.join(QLatin1Char(' '))));
        return false;
    }

    /// Replaces the text of a field.
    bool type(const char* field, const QString& text) const
    {
        if (!tabTo(field))
            return false;
        press(Qt::Key_A, Qt::ControlModifier);
        write(text);
        return true;
    }

    /// Once a dialog asks: it has an event loop of its own.
    static void whenAsked(const std::function<void()>& keys)
    {
        whenever(
            [] {
                const QWidget* dialog = QApplication::activeModalWidget();
                return dialog != nullptr && focus() != nullptr && dialog->isAncestorOf(focus());
            },
            keys);
    }

    /// Once the list of a button is open.
    static void whenListed(const std::function<void()>& keys)
    {
        whenever([] { return QApplication::activePopupWidget() != nullptr; }, keys);
    }

private:
    static void whenever(const std::function<bool()>& isTime, const std::function<void()>& keys)
    {
        auto* timer = new QTimer(qApp);
        QObject::connect(timer, &QTimer::timeout, timer, [timer, isTime, keys] {
            if (!isTime())
                return;
            timer->deleteLater();
            timer->stop();
            keys();
        });
        timer->start(50);
    }

    static constexpr int kMostTabs = 80; ///< from the first field of the form to any other
    static constexpr int kFocusMs = 10'000;

    // On a platform without a window manager nobody gives the focus back when a dialog or a list has closed.
    void takeBackFocus() const
    {
        const auto isActive = [this] { return QApplication::activeWindow() == &m_window; };
        if (QApplication::activePopupWidget() != nullptr || QApplication::activeModalWidget() != nullptr || isActive())
            return;
        m_window.activateWindow();
        if (!QTest::qWaitFor(isActive, kFocusMs))
            qInfo("The window does not become active");
    }

    bool hasFocus() const
    {
        takeBackFocus();
        return focus() != nullptr || QTest::qWaitFor([] { return focus() != nullptr; }, kFocusMs);
    }

    QWidget* target() const
    {
        if (QWidget* popup = QApplication::activePopupWidget())
            return popup;
        return focus() != nullptr ? focus() : &m_window;
    }

    QWidget& m_window;
};

} // namespace headroom::ui
