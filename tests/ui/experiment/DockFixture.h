// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/experiment/ExperimentDock.h"
#include "ui/look/Theme.h"
#include "ui/spec/SpecSession.h"

#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QtTest>

#include <memory>

namespace headroom::ui {

/// A dock in a window of its own, with a small experiment.
class DockFixture {
protected:
    void open()
    {
        m_theme = std::make_unique<Theme>();
        m_session = std::make_unique<SpecSession>();
        m_window = std::make_unique<QMainWindow>();
        m_dock = new ExperimentDock(*m_session, *m_theme, m_window.get());
        m_window->addDockWidget(Qt::LeftDockWidgetArea, m_dock);
        m_window->resize(360, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        load("# mine\n[model]\nname = \"ffn-stack-tiny\"\n\n[workload]\nstep = \"train\"\n");
    }

    void close()
    {
        m_window.reset();
        m_session.reset();
        m_theme.reset();
    }

    Theme& theme() { return *m_theme; }
    SpecSession& session() { return *m_session; }
    ExperimentDock& dock() { return *m_dock; }

    template <typename T> T* find(const char* name) const
    {
        T* found = m_dock->findChild<T*>(QLatin1String(name));
        if (found == nullptr)
            qWarning() << "no" << name;
        return found;
    }
    void settle() { QTRY_VERIFY(!m_session->isPlanning()); }
    void load(const std::string& text)
    {
        m_session->loadText(text, QStringLiteral("test"));
        settle();
    }
    bool textHolds(const char* what) const { return m_session->text().find(what) != std::string::npos; }
    void type(const char* name, const QString& text) const
    {
        auto* line = find<QLineEdit>(name);
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
    }
    // Labels that are seen and say it.
    int timesSaid(const QString& text) const
    {
        int times = 0;
        for (const QLabel* label : m_dock->findChildren<QLabel*>())
            times += label->isVisibleTo(m_dock) && label->text().contains(text) ? 1 : 0;
        return times;
    }

private:
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<SpecSession> m_session;
    std::unique_ptr<QMainWindow> m_window;
    ExperimentDock* m_dock = nullptr;
};

} // namespace headroom::ui
