// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/ImportedModule.h"

namespace headroom::models {

void ImportedModule::initialise()
{
    for (auto& item : named_parameters(false)) {
        at::Tensor parameter = item.value();
        if (parameter.dim() > 1)
            parameter.normal_(0.0, kInitialDeviation);
        else
            parameter.fill_(item.key().ends_with("weight") ? 1.0 : 0.0);
    }
}

} // namespace headroom::models
