// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/UpstreamFamily.h"

namespace headroom::config {

/// diffusers' CogVideoXTransformer3DModel.
UpstreamFamily cogVideoXUpstream();

} // namespace headroom::config
