// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/UpstreamFamily.h"

namespace headroom::config {

/// diffusers' FluxTransformer2DModel.
UpstreamFamily fluxUpstream();

} // namespace headroom::config
