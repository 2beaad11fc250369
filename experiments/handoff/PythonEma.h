// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/handoff/SettingsDraft.h"

namespace headroom::experiments {

/// A trial's EMA as Python: what to import, the function `make_ema(model)` and the statements of an update. All empty
/// where there is none.
struct PythonEma {
    TextLines imports;
    TextLines function;
    TextLines update;
};

/// With diffusers' EMAModel. Takes the settings and names what it lacks.
PythonEma diffusersEma(SettingsDraft& draft);
/// With PyTorch's AveragedModel and diffusers' schedule of the decay.
PythonEma torchEma(SettingsDraft& draft);

} // namespace headroom::experiments
