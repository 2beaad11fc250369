// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/ScaleShiftTable.h"

#include <cmath>

namespace headroom::models {

void initialiseTable(at::Tensor& table)
{
    table.normal_(0.0, 1.0 / std::sqrt(static_cast<double>(table.size(-1))));
}

} // namespace headroom::models
