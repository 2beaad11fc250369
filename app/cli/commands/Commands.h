// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace headroom::cli {

struct RunArguments;

/// Carries out the chosen command and returns the exit code.
using Action = std::function<int()>;

// Each function adds its command to the program. Parsing stores the chosen command's action in `chosen`, which must
// outlive it. Each function is defined in the file of its name: addDoctorCommand in DoctorCommand.cpp.

/// `headroom run`: runs a sweep, or lists it.
void addRunCommand(CLI::App& app, Action& chosen);

/// `headroom fit`: lists the smallest changes with which a trial is predicted to fit its device.
void addFitCommand(CLI::App& app, Action& chosen);

/// `headroom plan`: finds the fastest combination that is predicted to fit its device.
void addPlanCommand(CLI::App& app, Action& chosen);

/// `headroom fill`: finds the largest batch, or other size, with which each combination fits its device.
void addFillCommand(CLI::App& app, Action& chosen);

/// `headroom settings`: prints a trial as code or configuration for a trainer.
void addSettingsCommand(CLI::App& app, Action& chosen);

/// `headroom cost`: predicts what a number of steps costs on every card.
void addCostCommand(CLI::App& app, Action& chosen);

/// `headroom effects`: shows what each technique of an experiment changes, alone and together with others.
void addEffectsCommand(CLI::App& app, Action& chosen);

/// `headroom workspace check` and `headroom workspace repair`: check whether a workspace is sound, and repair it.
void addWorkspaceCommand(CLI::App& app, Action& chosen);

/// `headroom parity`: compares a model's tensors with upstream's.
void addParityCommand(CLI::App& app, Action& chosen);

/// `headroom validate`: compares predictions with measurements, over drawn trials.
void addValidateCommand(CLI::App& app, Action& chosen);

/// `headroom calibrate`: measures a device and writes its profile.
void addCalibrateCommand(CLI::App& app, Action& chosen);

/// `headroom rehearse`: runs a command of the user's on a card that is not there.
void addRehearseCommand(CLI::App& app, Action& chosen);

/// `headroom ghost`: makes a checkpoint that takes no room.
void addGhostCommand(CLI::App& app, Action& chosen);

/// `headroom models`: lists the models, or shows one with its fields, shapes and sizes.
void addModelsCommand(CLI::App& app, Action& chosen);

/// `headroom techniques`: lists the techniques, or shows one with its notation, options and counters.
void addTechniquesCommand(CLI::App& app, Action& chosen);

/// `headroom devices`: lists the devices, or shows a profile with the source of each constant.
void addDevicesCommand(CLI::App& app, Action& chosen);

/// `headroom presets`: lists the presets, or prints one.
void addPresetsCommand(CLI::App& app, Action& chosen);

/// `headroom env`: shows what every run records about this machine.
void addEnvCommand(CLI::App& app, Action& chosen);

/// `headroom doctor`: shows what is installed, what is missing, and the consequences.
void addDoctorCommand(CLI::App& app, Action& chosen);

/// Adds the arguments that determine what is run (preset or file, and flags) to a command that takes a sweep; `planOf`
/// reads them.
void addSweepOptions(CLI::App& command, RunArguments& arguments);

} // namespace headroom::cli
