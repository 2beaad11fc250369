// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace headroom::cli {

struct RunArguments;

/// What the chosen command does; returns the exit code.
using Action = std::function<int()>;

// Each adds its command to the program. What was chosen lands in `chosen`, which has to outlive the parsing. A
// command's definition is in the file of its name: that of addDoctorCommand in DoctorCommand.cpp.

/// `headroom run`: runs a sweep, or lists it.
void addRunCommand(CLI::App& app, Action& chosen);

/// `headroom fit`: lists the smallest changes with which a trial is predicted to fit its device.
void addFitCommand(CLI::App& app, Action& chosen);

/// `headroom report`: makes a report of an experiment that is in a workspace.
void addReportCommand(CLI::App& app, Action& chosen);

/// `headroom workspace check` and `headroom workspace repair`: whether a workspace is sound, and what to do where not.
void addWorkspaceCommand(CLI::App& app, Action& chosen);

/// `headroom parity`: compares a model with upstream's tensors.
void addParityCommand(CLI::App& app, Action& chosen);

/// `headroom models`: lists the models, or shows one with its fields, shapes and sizes.
void addModelsCommand(CLI::App& app, Action& chosen);

/// `headroom techniques`: lists the techniques, or shows one with its notation, options and counters.
void addTechniquesCommand(CLI::App& app, Action& chosen);

/// `headroom devices`: lists the devices, or shows a profile with the source of each constant.
void addDevicesCommand(CLI::App& app, Action& chosen);

/// `headroom presets`: lists the presets, or prints one.
void addPresetsCommand(CLI::App& app, Action& chosen);

/// `headroom env`: what is recorded of this machine with every run.
void addEnvCommand(CLI::App& app, Action& chosen);

/// `headroom doctor`: what is there, what is missing, and what that means.
void addDoctorCommand(CLI::App& app, Action& chosen);

/// The preset or file and the flags that say what is run, of every command that takes a sweep: `planOf` reads them.
void addSweepOptions(CLI::App& command, RunArguments& arguments);

} // namespace headroom::cli
