// SPDX-License-Identifier: Apache-2.0
//
// The window as screenshots take it.
#pragma once

#include "ui/answer/LiveAnswer.h"
#include "ui/window/DesktopProgram.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

#include <array>
#include <cstdio>
#include <functional>
#include <vector>

namespace headroom::ui {

// The default size, a small one and a larger one; on a screen of twice the density (QT_SCALE_FACTOR=2) the whole
// screen.
inline constexpr std::array kSizes{QSize(1440, 900), QSize(1024, 700), QSize(1600, 1000)};
inline constexpr QSize kDenseSize{1920, 1080};

// Until the condition holds and everything that followed from it is drawn.
inline void waitFor(const std::function<bool()>& condition, const char* what)
{
    QElapsedTimer timer;
    timer.start();
    while (!condition()) {
        if (timer.elapsed() > 600'000) {
            std::fprintf(stderr, "screenshots: waited ten minutes for %s\n", what);
            std::exit(1);
        }
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    }
    QElapsedTimer settle;
    settle.start();
    while (settle.elapsed() < 700)
        QApplication::processEvents(QEventLoop::AllEvents, 20);
}

struct Look {
    ColourScheme scheme;
    const char* name;
    QSize size;
};

// Dark is the same but for its colours: one size of it is enough.
inline std::vector<Look> looks()
{
    if (qEnvironmentVariableIntValue("QT_SCALE_FACTOR") > 1)
        return {{ColourScheme::Light, "dense", kDenseSize}};
    std::vector<Look> looks{{ColourScheme::Dark, "dark", kSizes.front()}};
    for (const QSize& size : kSizes)
        looks.push_back({ColourScheme::Light, "light", size});
    // One of them alone: HEADROOM_SCREENSHOT_LOOK=light-1440.
    if (const QString wanted = qEnvironmentVariable("HEADROOM_SCREENSHOT_LOOK"); !wanted.isEmpty())
        std::erase_if(looks, [&](const Look& look) {
            return QStringLiteral("%1-%2").arg(QLatin1String(look.name)).arg(look.size.width()) != wanted;
        });
    return looks;
}

class Photographer {
public:
    Photographer(QString folder, const Look& look)
        : m_folder(std::move(folder))
        , m_look(look)
    {
    }

    void take(QWidget& widget, const QString& view) const
    {
        waitFor([] { return true; }, "drawing");
        const QString file = QStringLiteral("%1/%2-%3-%4.png")
                                 .arg(m_folder, view, QLatin1String(m_look.name), QString::number(m_look.size.width()));
        widget.grab().save(file);
    }

    /// The question that an act leads to, which is left by Cancel.
    void takeQuestion(const std::function<void()>& act, const QString& view) const
    {
        bool isTaken = false;
        QTimer look;
        QObject::connect(&look, &QTimer::timeout, &look, [&] {
            auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (question == nullptr || isTaken)
                return;
            isTaken = true;
            take(*question, view);
            question->button(QMessageBox::Cancel)->click();
        });
        look.start(50);
        act();
        waitFor([&] { return isTaken; }, "the question");
    }

private:
    QString m_folder;
    Look m_look;
};

struct Shown {
    Shown(const Look& look, const QString& workspace, const QString& folder)
        : program({.spec = {},
              .workspace = workspace,
              .scheme = look.scheme,
              .restore = Restore::Nothing,
              .preferencesFile = folder + QStringLiteral("/preferences.ini")})
    {
        program.start();
        waitFor([&] { return program.window() != nullptr; }, "the window");
        program.window()->resize(look.size);
        waitFor([&] { return program.services().machine.machine().gpu != Machine::Gpu::Unknown; }, "the worker");
        program.window()->resize(look.size); // a low window has folded its tables by now, and may be narrower
    }

    WindowViews& views() { return program.window()->views(); }

    void waitForAnswer()
    {
        waitFor([&] { return views().answer->answer() && !views().answer->isComputing(); }, "a prediction");
    }

    DesktopProgram program;
};

} // namespace headroom::ui
