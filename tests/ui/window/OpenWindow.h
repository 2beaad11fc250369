// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/DesktopProgram.h"

#include <QTemporaryDir>

#include <future>
#include <memory>
#include <string>

namespace headroom::ui {

/// Six trials, each with a small trace.
inline constexpr const char* kWindowSpec = "name = \"window\"\n"
                                           "[model]\nname = \"ffn-stack-tiny\"\n"
                                           "[workload]\nsequence_length = [8, 16, 24, 32, 40, 48]\n"
                                           "[device]\nname = \"cpu\"\n"
                                           "[protocol]\nrepeats = 1\n";

/// What carries out trials: a script that answers at once, or the program's own worker, whose predictions are true.
enum class WorkerOfRuns { Scripted, Real };

/// The desktop program with a window, a workspace and preferences in a folder of its own, all gone with it.
class OpenWindow {
public:
    explicit OpenWindow(WorkerOfRuns worker = WorkerOfRuns::Scripted);
    ~OpenWindow();

    QString file(const QString& name) const { return m_folder.filePath(name); }
    QString workspace() const { return file(QStringLiteral("results.db")); }
    MainWindow& window() { return *m_program->window(); }
    Services& services() { return m_program->services(); }

    /// Shows the experiment that F5 runs.
    void load(const std::string& spec);
    /// F5.
    void run();
    /// Waits for the queue; false where it takes longer than a minute.
    bool waitForTheEnd();
    /// Runs kWindowSpec and shows its trials and plots in a window of the default size.
    void showSixTrials();
    /// The id of one of the trials that are shown.
    QString trial(std::size_t index);
    /// Selects the first of them.
    void select(std::size_t trials);

private:
    QTemporaryDir m_folder;
    std::unique_ptr<DesktopProgram> m_program;
};

/// Runs a function on a thread that may use files, and waits for it.
template <typename Body> auto awayFromTheWindow(const Body& body)
{
    return std::async(std::launch::async, body).get();
}

} // namespace headroom::ui
