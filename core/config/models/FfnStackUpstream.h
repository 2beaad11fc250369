// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/UpstreamFamily.h"

namespace headroom::config {

/// The stack is made of diffusers' FeedForward and is no class of its own there: it has no configuration files.
UpstreamFamily ffnStackUpstream();

} // namespace headroom::config
