// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/UpstreamFamily.h"

namespace headroom::config {

/// diffusers' WanTransformer3DModel, text to video.
UpstreamFamily wanUpstream();

} // namespace headroom::config
