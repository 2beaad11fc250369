// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/window/OpenWindow.h"

#include <QtTest>

namespace headroom::ui {
namespace {

constexpr int kLongestWaitMs = 60'000;

} // namespace

// The live answer's worker is started with the program, and is the real one: those of the runs are asked for later.
OpenWindow::OpenWindow(WorkerOfRuns worker)
{
    StartOptions options;
    options.workspace = workspace();
    options.preferencesFile = file(QStringLiteral("desktop.ini"));
    m_program = std::make_unique<DesktopProgram>(options);
    m_program->start();
    QTRY_VERIFY_WITH_TIMEOUT(m_program->window() && !services().workspaces.path().isEmpty(), kLongestWaitMs);
    if (worker == WorkerOfRuns::Real)
        return;
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

void OpenWindow::showSixTrials()
{
    load(kWindowSpec);
    run();
    QVERIFY(waitForTheEnd());
    QTRY_VERIFY(services().workspaces.results());
    QTRY_COMPARE(services().workspaces.results()->content().trials.size(), 6U);
    window().resize(1440, 900);
    window().arrange(Arrangement::Overview);
    window().views().show(WindowViews::CentralPage::Plots);
    select(1);
}

QString OpenWindow::trial(std::size_t index)
{
    return QString::fromStdString(services().workspaces.results()->content().trials.at(index).id());
}

void OpenWindow::select(std::size_t trials)
{
    QStringList ids;
    for (std::size_t i = 0; i < trials; ++i)
        ids.append(trial(i));
    services().selection.select(ids);
}

} // namespace headroom::ui
