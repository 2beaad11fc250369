// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/Prediction.h"

#include "experiments/Statistics.h"

namespace headroom::ui {

std::optional<double> Prediction::stepSeconds() const
{
    return experiments::median(result.need ? result.need->stepSeconds : result.stepSeconds);
}

} // namespace headroom::ui
