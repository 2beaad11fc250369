// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/Prediction.h"

#include "core/base/Statistics.h"

namespace headroom::ui {

std::optional<double> Prediction::stepSeconds() const
{
    return median(need ? need->stepSeconds : result.stepSeconds);
}

} // namespace headroom::ui
