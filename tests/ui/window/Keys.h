// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/ui/UiTest.h"

#include <QApplication>
#include <QWidget>

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

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) const { QTest::keyClick(target(), key, modifiers); }

    void write(const QString& text) const { QTest::keyClicks(target(), text); }

    /// From wherever the focus is to the widget of this name, by Tab; false if it is not reached.
    bool tabTo(const char* name) const
    {
        for (int tabs = 0; focus()->objectName() != QLatin1String(name) && tabs < kMostTabs; ++tabs)
            press(Qt::Key_Tab);
        return focus()->objectName() == QLatin1String(name);
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

private:
    static constexpr int kMostTabs = 80; ///< from the first field of the form to any other

    QWidget* target() const
    {
        if (QWidget* popup = QApplication::activePopupWidget())
            return popup;
        return focus() != nullptr ? focus() : &m_window;
    }

    QWidget& m_window;
};

} // namespace headroom::ui
