// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Upstream.h"

namespace headroom::config {

/// diffusers' WanTransformer3DModel.
UpstreamFamily wanUpstream();

} // namespace headroom::config
