// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/handoff/SettingsDraft.h"

namespace headroom::experiments {

// Each returns lines for the body of a function that changes `model`, takes the settings that they carry and names what
// they lack. Empty lists where the trial does not ask for the technique.

/// `model` with adapters beside a frozen base, through PEFT; `attach` is the statement that attaches the LoraConfig
/// `adapters`.
TextLines adapterLines(SettingsDraft& draft, const std::string& attach);

/// "LoraConfig" is needed, and "requires_grad_" has been called.
bool hasAdapters(const SettingsDraft& draft);

/// "[SDPBackend.FLASH_ATTENTION, ...]": the kernels in order of preference; empty for `auto`.
std::string attentionKernels(SettingsDraft& draft);

/// Names what Python code of any kind lacks: settings that belong to the simulation, the loss, or the data.
void lackWhatIsNotOfTheTrainer(SettingsDraft& draft);

/// The statement that sets the allocator up, to stand before torch is imported; empty without one.
TextLines allocatorLines(SettingsDraft& draft);

/// BATCH, HEIGHT and so on, one constant a line.
TextLines shapeConstants(SettingsDraft& draft);

} // namespace headroom::experiments
