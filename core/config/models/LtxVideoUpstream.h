// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/UpstreamFamily.h"

namespace headroom::config {

/// diffusers' LTXVideoTransformer3DModel.
UpstreamFamily ltxVideoUpstream();

} // namespace headroom::config
