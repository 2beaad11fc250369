// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/CombinationDraw.h"

namespace headroom {

using config::tinyModels;

} // namespace headroom
