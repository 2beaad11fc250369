// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/handoff/PythonCheckpointing.h"
#include "experiments/handoff/SettingsDraft.h"

#include <string>

namespace headroom::experiments {

/// The import lines of a module, sorted as people have them: `import torch`, then the others by name.
TextLines importLines(TextLines lines);

/// DEVICE, DTYPE, the shapes and what else a script's own code needs to know.
TextLines moduleConstants(SettingsDraft& draft);

/// `load(source)` for the model's upstream class; `arguments` come after the source. Empty for a model of one's own.
TextLines loadFunction(SettingsDraft& draft, const std::string& arguments);

/// The statements that make each chosen block of `model` a checkpointed region by replacing its forward.
TextLines blockWrapping(SettingsDraft& draft, const PythonCheckpointing& checkpointing);

/// "def prepare(model):", with the list of blocks as a second argument where nothing tells which modules they are.
std::string prepareHead(const PythonCheckpointing& checkpointing);

} // namespace headroom::experiments
