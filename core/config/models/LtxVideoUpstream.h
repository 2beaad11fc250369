// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Upstream.h"

namespace headroom::config {

/// diffusers' LTXVideoTransformer3DModel.
UpstreamFamily ltxVideoUpstream();

} // namespace headroom::config
