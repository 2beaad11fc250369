// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/handoff/SettingsDraft.h"

#include <string>

namespace headroom::experiments {

/// "(trained(model), lr=0.001, ...)" after "torch.optim.AdamW": class and keyword arguments of a trial's optimizer.
struct PythonOptimizer {
    std::string className; ///< "torch.optim.AdamW"
    std::string arguments; ///< "lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.01, foreach=False, fused=False"
};

/// Takes the optimizer's settings and names what PyTorch's lacks. Only for a step that has an optimizer.
PythonOptimizer pythonOptimizer(SettingsDraft& draft);

/// Who runs the step: PyTorch alone, or Accelerate's Accelerator.
enum class StepStyle { Plain, Accelerate };

/// The function `trained(model)`; empty where nothing is trained.
TextLines trainedFunction(const SettingsDraft& draft);
/// The function `make_optimizer(model)`; empty where the step has none.
TextLines optimizerFunction(SettingsDraft& draft);
/// The function `update(...)` of a step that trains, or `infer(...)` of one that does not. `ema` is the statement of
/// its EMA.
TextLines stepFunction(SettingsDraft& draft, StepStyle style, const TextLines& ema);
/// The import lines of `stepFunction`.
TextLines stepImports(SettingsDraft& draft);

} // namespace headroom::experiments
