// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/stack/StepHookLists.h"

namespace headroom::techniques {

void StepHookLists::append(const std::string& key, StepHooks hooks)
{
    holdInputs.append(std::move(hooks.holdInputs));
    beginStep.append(std::move(hooks.beginStep));
    prepareInputs.prepend(std::move(hooks.prepareInputs));
    microStepDone.append(std::move(hooks.microStepDone));
    if (optimizer == nullptr)
        optimizer = hooks.optimizer;
    if (hooks.parametersUpdated)
        parametersUpdated.push_back({key, std::move(hooks.parametersUpdated)});
    updateDone.append(std::move(hooks.updateDone));
}

} // namespace headroom::techniques
