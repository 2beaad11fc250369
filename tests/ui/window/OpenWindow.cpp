// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/window/OpenWindow.h"

#include <QtTest>

namespace headroom::ui {
namespace {

constexpr int kLongestWaitMs = 60'000;

} // namespace

// The live answer's worker is started with the program, and is the real one: those of the runs are asked for later.
OpenWindow::OpenWindow()
{
    StartOptions options;
    options.workspace = workspace();
    options.preferencesFile = file(QStringLiteral("desktop.ini"));
    m_program = std::make_unique<DesktopProgram>(options);
    m_program->start();
    QTRY_VERIFY_WITH_TIMEOUT(m_program->window() && !services().workspaces.path().isEmpty(), kLongestWaitMs);
    qputenv("HEADROOM_SCRIPT", "trace");
    qputenv("HEADROOM_WORKER", SCRIPTED_WORKER);
}

OpenWindow::~OpenWindow()
{
    m_program.reset();
    qunsetenv("HEADROOM_SCRIPT");
    qputenv("HEADROOM_WORKER", HEADROOM_BINARY_DIR "/bin/headroom-worker");
}

void OpenWindow::load(const std::string& spec)
{
    services().spec.loadText(spec, QStringLiteral("test"));
    QTRY_VERIFY_WITH_TIMEOUT(!services().spec.isPlanning(), kLongestWaitMs);
}

void OpenWindow::run()
{
    QTest::keyClick(&window(), Qt::Key_F5);
}

bool OpenWindow::waitForTheEnd()
{
    return QTest::qWaitFor([&] { return !services().spec.isPlanning() && !services().runs.isBusy(); }, kLongestWaitMs);
}

} // namespace headroom::ui
