// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/EmaSchedule.h"

#include <algorithm>
#include <cmath>

namespace headroom::config {

double EmaSchedule::decayAt(std::int64_t update) const
{
    const auto s = static_cast<double>(std::max<std::int64_t>(0, update - updateAfterStep - 1));
    if (s <= 0)
        return 0;
    const double grown = useWarmup ? 1 - std::pow(1 + s / invGamma, -power) : (1 + s) / (10 + s);
    return std::max(minDecay, std::min(grown, decay));
}

} // namespace headroom::config
